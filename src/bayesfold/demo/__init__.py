"""What bayesfold does, in a terminal: real tables with no settings, then a million rows that add and subtract.

`python -m bayesfold.demo` prints it and exits with 1 if one of its own checks fails. `--rows` sets the size of the
second part.
"""
