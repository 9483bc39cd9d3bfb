"""What bayesfold does, in a terminal and in about a minute: every line of code that is shown is run as it stands.

`python -m bayesfold.demo` plays the scenes and exits with 1 if one of their checks fails. `--rows` sets the size of the
table that is learned and forgotten.
"""
