"""Which columns depend on which: one file a structure, `find` loads by name.

>>> find("naive").__name__
'Naive'
"""

from bayesfold.runtime.registry import Plugs

PLUGS = Plugs(__name__, "structure")
names, find = PLUGS.names, PLUGS.load_class
