# A node with parents, as the kernels read it. The tables of several nodes stand one after another; `program` has a
# record for each node, from begins[node]. First what every node has; then for each parent, `PARENT` entries from `HEAD`:
# its column, slots and step in the tally, and where the cells of the level with this parent and those before it, and
# their sums over the child, begin. A level's cells are [parents..., child, class].
cdef enum:
    CHILD = 0  # the child's column,
    SLOTS = 1  # slots,
    STEP = 2  # and step in the tally
    PARENTS = 3  # how many there are
    ROOT = 4  # whether the node is a super-parent
    SOURCE = 5  # where its table begins in the tally
    ROW = 6  # where its rows begin among the logs
    CELLS = 7  # where its cells and their sums begin: two for the child alone (level 0), two by class (level 1)
    HEAD = 11
    PARENT = 5
