"""Rows left out of tables in which a child has one parent beside the class, or none: AODE, TAN, KDB with k = 1.

What a child's own table says of a row (levels 0 and 1 of `deep.chain`) is the same whoever its parent is, so it is
worked out once for each column. Then a table at a time meets all rows: it stays in the cache, and no row waits for
another. Where all rows weigh the same, what is said of one depends on its values and its class alone, so each cell is
worked out once, with and without a row of the class (`by_value`, `look_up`). Pseudo rows are more than 0, so no
probability is. record.pxd says what is in a node's record.
"""

import cython
from cython.cimports.bayesfold.kernels.scoring.record import CELLS, CHILD, HEAD, PARENTS, SLOTS
from cython.cimports.libc.math import log

SMALLEST = cython.declare(cython.double, 1e-300)  # products are looked at before one can be less
LEAST = cython.declare(cython.double, 1e-140)  # a product below this is put away as a log, ...
FLOOR = cython.declare(cython.double, 1e-160)  # ... and a factor is at least this: the two are still a number


def by_class(
    program: cython.const[cython.Py_ssize_t][::1],
    begins: cython.const[cython.Py_ssize_t][::1],
    nodes: cython.const[cython.Py_ssize_t][::1],
    cells: cython.const[cython.double][::1],
    totals: cython.const[cython.double][::1],
    inverse: cython.const[cython.double][::1],
    smoothing: cython.const[cython.double][:, ::1],
    codes: cython.const[cython.int][:, ::1],
    own: cython.const[cython.int][::1],
    weight: cython.const[cython.double][::1],
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    out: cython.double[:, :, ::1],
) -> None:
    """out[column, i - begin, c] = P(value of the column | class c), row i's weight out of the table; 1 of a hole.

    nodes[column] is one of those that have the column as their child, or -1.
    """
    j: cython.Py_ssize_t
    i: cython.Py_ssize_t
    c: cython.Py_ssize_t
    r: cython.Py_ssize_t
    x: cython.Py_ssize_t
    at: cython.Py_ssize_t
    under: cython.Py_ssize_t
    classes: cython.Py_ssize_t = out.shape[2]
    m: cython.double
    whole: cython.double
    with cython.nogil:
        for j in range(nodes.shape[0]):
            if nodes[j] < 0:
                continue
            r = begins[nodes[j]]
            m = smoothing[nodes[j], 1]
            under = program[r + CELLS + 3] + 1
            for i in range(begin, end):
                x = codes[j, i]
                if x == 0:
                    for c in range(classes):
                        out[j, i - begin, c] = 1.0
                    continue
                at = program[r + CELLS + 2] + x * (classes + 1) + 1
                whole = m * (cells[program[r + CELLS] + x] - weight[i] + 1.0)
                whole = whole / (totals[program[r + CELLS + 1]] - weight[i] + (program[r + SLOTS] - 1))
                for c in range(classes):
                    out[j, i - begin, c] = (cells[at + c] + whole) * inverse[under + c]
                c = own[i] - 1
                if c >= 0:
                    out[j, i - begin, c] = (max(cells[at + c] - weight[i], 0.0) + whole) / (
                        max(totals[under + c] - weight[i], 0.0) + m
                    )


def left_out(
    program: cython.const[cython.Py_ssize_t][::1],
    begins: cython.const[cython.Py_ssize_t][::1],
    networks: cython.const[cython.Py_ssize_t][::1],
    cells: cython.const[cython.double][::1],
    totals: cython.const[cython.double][::1],
    inverse: cython.const[cython.double][::1],
    smoothing: cython.const[cython.double][:, ::1],
    codes: cython.const[cython.int][:, ::1],
    own: cython.const[cython.int][::1],
    weight: cython.const[cython.double][::1],
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    alone: cython.const[cython.double][:, :, ::1],
    product: cython.double[:, ::1],
    out: cython.double[:, :, ::1],
) -> None:
    """out[network, i - begin, c] = sum of log P(child | parent, class c), row i's weight out of every table.

    `alone` is what `by_class` says of the same rows. Network n has the nodes networks[n] to networks[n + 1].
    Probabilities are multiplied as long as that does not come near 0. `product` [row, class] is scratch.
    """
    network: cython.Py_ssize_t
    node: cython.Py_ssize_t
    r: cython.Py_ssize_t
    i: cython.Py_ssize_t
    c: cython.Py_ssize_t
    a: cython.Py_ssize_t
    b: cython.Py_ssize_t
    u: cython.Py_ssize_t
    x: cython.Py_ssize_t
    at: cython.Py_ssize_t
    under: cython.Py_ssize_t
    slots: cython.Py_ssize_t
    rows: cython.Py_ssize_t = end - begin
    classes: cython.Py_ssize_t = out.shape[2]
    width: cython.Py_ssize_t = classes + 1
    m: cython.double
    least: cython.double
    mine: cython.double
    p: cython.double
    x0: cython.double
    x1: cython.double
    x2: cython.double
    x3: cython.double
    with cython.nogil:
        for network in range(out.shape[0]):
            for i in range(rows):
                for c in range(classes):
                    out[network, i, c] = 0.0
                    product[i, c] = 1.0
            for node in range(networks[network], networks[network + 1]):
                r = begins[node]
                b = program[r + CHILD]
                a = program[r + HEAD] if program[r + PARENTS] else -1
                slots = program[r + SLOTS]
                m = smoothing[node, 2]
                for i in range(rows):
                    x = codes[b, begin + i]
                    if x == 0:
                        continue
                    u = codes[a, begin + i] if a >= 0 else 0
                    least = 1.0
                    if u == 0:  # without its parent a child has its own table alone
                        for c in range(classes):
                            p = alone[b, i, c]
                            product[i, c] = product[i, c] * (p if p > FLOOR else FLOOR)
                            least = product[i, c] if product[i, c] < least else least
                    else:
                        at = program[r + HEAD + 3] + (u * slots + x) * width + 1
                        under = program[r + HEAD + 4] + u * width + 1
                        c = own[begin + i] - 1
                        mine = 1.0
                        if c >= 0:
                            mine = max(cells[at + c] - weight[begin + i], 0.0) + m * alone[b, i, c]
                            mine = mine / (max(totals[under + c] - weight[begin + i], 0.0) + m)
                            mine = product[i, c] * (mine if mine > FLOOR else FLOOR)
                        c = 0
                        while c + 4 <= classes:  # four at once: nothing is stored before all are read
                            x0 = (cells[at + c] + m * alone[b, i, c]) * inverse[under + c]
                            x1 = (cells[at + c + 1] + m * alone[b, i, c + 1]) * inverse[under + c + 1]
                            x2 = (cells[at + c + 2] + m * alone[b, i, c + 2]) * inverse[under + c + 2]
                            x3 = (cells[at + c + 3] + m * alone[b, i, c + 3]) * inverse[under + c + 3]
                            x0 = product[i, c] * (x0 if x0 > FLOOR else FLOOR)
                            x1 = product[i, c + 1] * (x1 if x1 > FLOOR else FLOOR)
                            x2 = product[i, c + 2] * (x2 if x2 > FLOOR else FLOOR)
                            x3 = product[i, c + 3] * (x3 if x3 > FLOOR else FLOOR)
                            product[i, c] = x0
                            product[i, c + 1] = x1
                            product[i, c + 2] = x2
                            product[i, c + 3] = x3
                            x0 = x0 if x0 < x1 else x1
                            x2 = x2 if x2 < x3 else x3
                            least = x0 if x0 < least else least
                            least = x2 if x2 < least else least
                            c += 4
                        while c + 2 <= classes:
                            x0 = (cells[at + c] + m * alone[b, i, c]) * inverse[under + c]
                            x1 = (cells[at + c + 1] + m * alone[b, i, c + 1]) * inverse[under + c + 1]
                            x0 = product[i, c] * (x0 if x0 > FLOOR else FLOOR)
                            x1 = product[i, c + 1] * (x1 if x1 > FLOOR else FLOOR)
                            product[i, c] = x0
                            product[i, c + 1] = x1
                            x0 = x0 if x0 < x1 else x1
                            least = x0 if x0 < least else least
                            c += 2
                        if c < classes:
                            x0 = (cells[at + c] + m * alone[b, i, c]) * inverse[under + c]
                            x0 = product[i, c] * (x0 if x0 > FLOOR else FLOOR)
                            product[i, c] = x0
                            least = x0 if x0 < least else least
                        c = own[begin + i] - 1
                        if c >= 0:
                            product[i, c] = mine
                            least = mine if mine < least else least
                    if least < LEAST:
                        for c in range(classes):
                            if product[i, c] < LEAST:
                                out[network, i, c] += log(product[i, c])
                                product[i, c] = 1.0
            for i in range(rows):
                for c in range(classes):
                    out[network, i, c] += log(product[i, c])


def by_value(
    program: cython.const[cython.Py_ssize_t][::1],
    begins: cython.const[cython.Py_ssize_t][::1],
    nodes: cython.const[cython.Py_ssize_t][::1],
    cells: cython.const[cython.double][::1],
    totals: cython.const[cython.double][::1],
    inverse: cython.const[cython.double][::1],
    smoothing: cython.const[cython.double][:, ::1],
    weight: cython.double,
    starts: cython.const[cython.Py_ssize_t][::1],
    out: cython.double[:, :, ::1],
) -> None:
    """out[starts[column] + x] = P(x | class c) without a row of that weight and value: it is of another class; of c.

    nodes[column] is one of those that have the column as their child, or -1. Of a hole it is 1.
    """
    j: cython.Py_ssize_t
    c: cython.Py_ssize_t
    r: cython.Py_ssize_t
    x: cython.Py_ssize_t
    at: cython.Py_ssize_t
    under: cython.Py_ssize_t
    classes: cython.Py_ssize_t = out.shape[2]
    m: cython.double
    whole: cython.double
    with cython.nogil:
        for j in range(nodes.shape[0]):
            if nodes[j] < 0:
                continue
            r = begins[nodes[j]]
            m = smoothing[nodes[j], 1]
            under = program[r + CELLS + 3] + 1
            for c in range(classes):
                out[starts[j], 0, c] = out[starts[j], 1, c] = 1.0
            for x in range(1, program[r + SLOTS]):
                at = program[r + CELLS + 2] + x * (classes + 1) + 1
                whole = m * (max(cells[program[r + CELLS] + x] - weight, 0.0) + 1.0)  # there may be no such row
                whole = whole / (totals[program[r + CELLS + 1]] - weight + (program[r + SLOTS] - 1))
                for c in range(classes):
                    out[starts[j] + x, 0, c] = (cells[at + c] + whole) * inverse[under + c]
                    out[starts[j] + x, 1, c] = (max(cells[at + c] - weight, 0.0) + whole) / (
                        max(totals[under + c] - weight, 0.0) + m
                    )


def look_up(
    program: cython.const[cython.Py_ssize_t][::1],
    begins: cython.const[cython.Py_ssize_t][::1],
    networks: cython.const[cython.Py_ssize_t][::1],
    cells: cython.const[cython.double][::1],
    totals: cython.const[cython.double][::1],
    inverse: cython.const[cython.double][::1],
    smoothing: cython.const[cython.double][:, ::1],
    codes: cython.const[cython.int][:, ::1],
    own: cython.const[cython.int][::1],
    weight: cython.double,
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    starts: cython.const[cython.Py_ssize_t][::1],
    alone: cython.const[cython.double][:, :, ::1],
    table: cython.double[::1],
    product: cython.double[:, ::1],
    out: cython.double[:, :, ::1],
) -> None:
    """As `left_out`, of rows that all have a class and weigh the same; `alone` is what `by_value` says.

    `table` [a node's cells, of another class or of c, c] and `product` [row, class] are scratch.
    """
    network: cython.Py_ssize_t
    node: cython.Py_ssize_t
    r: cython.Py_ssize_t
    i: cython.Py_ssize_t
    c: cython.Py_ssize_t
    a: cython.Py_ssize_t
    b: cython.Py_ssize_t
    k: cython.Py_ssize_t
    o: cython.Py_ssize_t
    slots: cython.Py_ssize_t
    rows: cython.Py_ssize_t = end - begin
    classes: cython.Py_ssize_t = out.shape[2]
    least: cython.double
    bound: cython.double
    mine: cython.double
    x0: cython.double
    x1: cython.double
    x2: cython.double
    x3: cython.double
    with cython.nogil:
        for network in range(out.shape[0]):
            bound = 1.0  # no product is less
            for i in range(rows):
                for c in range(classes):
                    out[network, i, c] = 0.0
                    product[i, c] = 1.0
            for node in range(networks[network], networks[network + 1]):
                r = begins[node]
                b = program[r + CHILD]
                slots = program[r + SLOTS]
                least = fill(program, r, cells, totals, inverse, smoothing[node, 2], weight, starts[b], alone, table)
                bound = bound * least
                if bound < SMALLEST:
                    for i in range(rows):
                        for c in range(classes):
                            if product[i, c] < LEAST:
                                out[network, i, c] += log(product[i, c])
                                product[i, c] = 1.0
                    bound = LEAST * least
                a = program[r + HEAD] if program[r + PARENTS] else b
                if program[r + PARENTS] == 0:
                    slots = 0
                for i in range(rows):
                    k = (codes[a, begin + i] * slots + codes[b, begin + i]) * 2 * classes
                    o = own[begin + i] - 1
                    mine = product[i, o] * table[k + classes + o]
                    c = 0
                    while c + 4 <= classes:  # four at once: nothing is stored before all are read
                        x0 = product[i, c] * table[k + c]
                        x1 = product[i, c + 1] * table[k + c + 1]
                        x2 = product[i, c + 2] * table[k + c + 2]
                        x3 = product[i, c + 3] * table[k + c + 3]
                        product[i, c] = x0
                        product[i, c + 1] = x1
                        product[i, c + 2] = x2
                        product[i, c + 3] = x3
                        c += 4
                    while c + 2 <= classes:
                        x0 = product[i, c] * table[k + c]
                        x1 = product[i, c + 1] * table[k + c + 1]
                        product[i, c] = x0
                        product[i, c + 1] = x1
                        c += 2
                    if c < classes:
                        product[i, c] = product[i, c] * table[k + c]
                    product[i, o] = mine
            for i in range(rows):
                for c in range(classes):
                    out[network, i, c] += log(product[i, c])


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def fill(
    program: cython.const[cython.Py_ssize_t][::1],
    r: cython.Py_ssize_t,
    cells: cython.const[cython.double][::1],
    totals: cython.const[cython.double][::1],
    inverse: cython.const[cython.double][::1],
    m: cython.double,
    weight: cython.double,
    start: cython.Py_ssize_t,
    alone: cython.const[cython.double][:, :, ::1],
    table: cython.double[::1],
) -> cython.double:
    """The least of table[(u * slots + x, of another class or of c, c)] = P(x | parent u, c), which is filled."""
    u: cython.Py_ssize_t
    x: cython.Py_ssize_t
    c: cython.Py_ssize_t
    at: cython.Py_ssize_t
    under: cython.Py_ssize_t
    k: cython.Py_ssize_t = 0
    classes: cython.Py_ssize_t = alone.shape[2]
    slots: cython.Py_ssize_t = program[r + SLOTS]
    parents: cython.Py_ssize_t = program[r + HEAD + 1] if program[r + PARENTS] else 1
    p: cython.double
    q: cython.double
    least: cython.double = 1.0
    for u in range(parents):
        for x in range(slots):
            at = program[r + HEAD + 3] + (u * slots + x) * (classes + 1) + 1 if u else 0
            under = program[r + HEAD + 4] + u * (classes + 1) + 1 if u else 0
            for c in range(classes):
                p = alone[start + x, 0, c]
                q = alone[start + x, 1, c]
                if u and x:
                    p = (cells[at + c] + m * p) * inverse[under + c]
                    q = (max(cells[at + c] - weight, 0.0) + m * q) / (max(totals[under + c] - weight, 0.0) + m)
                p = p if p > FLOOR else FLOOR
                q = q if q > FLOOR else FLOOR
                table[k + c] = p
                table[k + classes + c] = q
                least = p if p < least else least
                least = q if q < least else least
            k += 2 * classes
    return least
