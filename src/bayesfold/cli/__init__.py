"""The command `bayesfold`. In `commands/` stands one file per command, in this folder what commands share.

A command's file says what can be asked and in which order things happen; at its top it imports click and nothing
heavier, so that --help and tab completion answer at once. What it needs is imported when it runs, from the modules here
that begin with an underscore (reading and writing tables, model files, words for people) and from the library. None of
it knows scikit-learn or pandas.
"""
