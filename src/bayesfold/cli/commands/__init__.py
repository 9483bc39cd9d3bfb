"""The commands, one file each: its name is the word, its first line the summary in `bayesfold --help`."""
