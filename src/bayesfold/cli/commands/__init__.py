"""The commands, one file each: its name is the word, its first line the summary in `bayesfold --help`."""

from bayesfold.runtime.registry import Plugs

PLUGS = Plugs(__name__, "command")
