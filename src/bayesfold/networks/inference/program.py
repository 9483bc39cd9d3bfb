"""Names for the entries of a query's plan, as the kernels lay it out: `kernels/inference/program.pxd` has all of them.

Clique c has its entries from HEADER + c * CLIQUE on.
"""

CLIQUES = 1
HEADER = 9

AXES = 0
RANK = 1
TILE = 3
SEPARATOR = 17
CLIQUE = 18
