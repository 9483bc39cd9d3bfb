"""The recommended model: several models of one tally, weighed by rows left out."""
