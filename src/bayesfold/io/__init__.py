"""Tables of any size: open, sample, count, answer, write."""
