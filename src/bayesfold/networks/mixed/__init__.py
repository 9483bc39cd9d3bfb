"""Networks of categories and numbers: a number is normal about a line in its numbers, one line for each category."""
