# A query's plan as the kernels read it: a flat program of integers. Header, cliques (children before parents), then
# lists: axes, levels (`layout` says what is in them) and the records by which a factor runs beside a clique's axes.
# `networks/inference/program.py` has the names that Python reads.
cdef enum:
    # the header
    LENGTH = 0  # of the program; 0 before it is laid out, -1 meanwhile
    CLIQUES = 1
    ENTRIES = 2  # of all tables
    STORED = 3  # entries that are kept for the way back
    MESSAGES = 4  # entries of all messages
    LARGEST = 5  # entries of the largest tile
    MOST = 6  # records of a clique
    CONSTANTS = 7  # factors without an axis: how many,
    CONSTANTS_AT = 8  # and where their list begins
    HEADER = 9

    # a clique
    AXES = 0  # where its axes begin, those of its separator after them
    RANK = 1  # how many axes
    OUTER = 2  # how many of them are walked around the tile
    TILE = 3  # entries of the tile
    INPUTS_AT = 4  # records of what is multiplied
    INPUTS = 5
    RETURNS_AT = 6  # records of what is summed on the way back
    RETURNS = 7
    MESSAGE_RECORD = 8  # where the record of its message begins
    MESSAGE_AT = 9  # where the message begins among all messages
    MESSAGE_ENTRIES = 10
    ABOVE = 11  # the clique that it goes to, or -1
    STORED_AT = 12  # where its product is kept, or -1
    MAXIMISE = 13  # whether the message is of maxima
    SEPARATED_AT = 14  # records of marginals that are summed from the separator
    SEPARATED = 15
    LEVELS_AT = 16
    SEPARATOR = 17  # axes of the separator
    CLIQUE = 18

    LEVELS = 12  # entries of a clique's levels, beside two for each outer axis

    # a record, then its steps along the outer axes, its inner sizes and its inner steps
    KIND = 0
    WHICH = 1  # variable, or clique that a message comes from
    OFFSET = 2  # where it begins among the entries of its kind
    DECIDED = 3  # the last outer axis that moves it
    INNER = 4  # how many inner axes
    RECORD = 5

    # kinds of records
    TABLE = 0
    LIKELIHOOD = 1
    MESSAGE = 2
    MARGINAL = 3

    # why a plan is run
    COLLECT = 0
    DISTRIBUTE = 1
    TRACE = 2

    TILES = 3  # at work: the tile, what of it is multiplied once, what is summed once

    # what becomes of a tile beside a factor
    SET = 0  # tile = scale * factor
    TIMES = 1  # tile *= factor
    ADD = 2  # factor += tile
    MAXIMUM = 3  # factor = max(factor, tile)
    FROM = 4  # tile = scale * factor * another tile, `away` behind it

    # how rows end
    DONE = 0
    IMPOSSIBLE = 1
    LARGER_PROGRAM = 2
    LARGER_BUFFERS = 3
    TOO_LARGE = 4
