"""From the bytes of a text file to columns."""
