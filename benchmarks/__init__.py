"""Speed of bayesfold beside its peers, on the same work, in the same process: `python -m benchmarks`."""
