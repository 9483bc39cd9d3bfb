"""Probabilities from tables with several parents: of every cell, of rows left out, summed over missing parents.

Codes stand column by column, codes[column, row]; 0 is missing. record.pxd says what is in a node's record. All loops
here call `chain`, which is worth having in line: called from another kernel it took several times as long.
"""

import cython
from cython.cimports.bayesfold.kernels.scoring.record import CELLS, CHILD, HEAD, PARENT, PARENTS, ROOT, ROW, SLOTS
from cython.cimports.libc.math import exp, log

ZERO = cython.declare(cython.double, -693.1471805599453)  # the log of no probability, ...
NOTHING = cython.declare(cython.double, 2.0**-1000)  # ... and what it is the log of
LEAST = cython.declare(cython.double, 1e-140)  # two such factors are still a number


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def chain(
    program: cython.const[cython.Py_ssize_t][::1],
    r: cython.Py_ssize_t,
    codes: cython.const[cython.int][:, ::1],
    actual: cython.const[cython.int][:, ::1],
    i: cython.Py_ssize_t,
    own: cython.Py_ssize_t,
    weight: cython.double,
    cells: cython.const[cython.double][::1],
    totals: cython.const[cython.double][::1],
    inverse: cython.const[cython.double][::1],
    smoothing: cython.const[cython.double][:, ::1],
    node: cython.Py_ssize_t,
    p: cython.double[::1],
) -> cython.void:
    """p[c] = P(child | parents, class c) for row i, whose child is not missing, with its weight out of every table.

    A chain of levels ends at the row's first missing parent. smoothing[node, 0] is Laplace's alpha where
    smoothing[node, 1] < 0: only the last level counts; else smoothing[node, 1], smoothing[node, 2] are the pseudo rows
    that level 1, and deeper levels, take from the level before. `actual` are the codes as they were learned: where
    `codes` fills a hole in, the row is not in the table. `own` is the row's class, from 1; 0: the row is in no table.
    """
    k: cython.Py_ssize_t = 0
    c: cython.Py_ssize_t
    q: cython.Py_ssize_t
    u: cython.Py_ssize_t = 0
    x: cython.Py_ssize_t = codes[program[r + CHILD], i]
    slots: cython.Py_ssize_t = program[r + SLOTS]
    classes: cython.Py_ssize_t = p.shape[0]
    width: cython.Py_ssize_t = classes + 1
    at: cython.Py_ssize_t = program[r + CELLS + 2] + x * width + 1
    under: cython.Py_ssize_t = program[r + CELLS + 3] + 1
    levels: cython.double = slots - 1
    alpha: cython.double = smoothing[node, 0]
    m: cython.double = smoothing[node, 1]
    w: cython.double = weight if actual[program[r + CHILD], i] != 0 else 0.0
    n: cython.double
    total: cython.double
    whole: cython.double
    mine: cython.double = 0.0
    if m < 0.0:
        while k < program[r + PARENTS]:
            q = r + HEAD + PARENT * k
            if codes[program[q], i] == 0:
                break
            u = u * program[q + 1] + codes[program[q], i]
            if actual[program[q], i] == 0:
                w = 0.0
            at = program[q + 3] + (u * slots + x) * width + 1
            under = program[q + 4] + u * width + 1
            k += 1
        if program[r + ROOT]:  # P(class, x) / P(class)
            whole = 0.0
            for c in range(classes):
                total = totals[under + c] - (w if own == c + 1 else 0.0)
                whole += total if total > 1e-9 else 0.0
            for c in range(classes):
                n = cells[at + c] - (w if own == c + 1 else 0.0)
                total = totals[under + c] - (w if own == c + 1 else 0.0)
                n = alpha + n if n > 1e-9 else alpha
                total = alpha + total if total > 1e-9 else alpha
                n = n / (whole + classes * levels * alpha) if n > 0.0 else NOTHING
                p[c] = n / (total / (whole + classes * alpha)) if total > 0.0 else n
            return
        for c in range(classes):
            n = cells[at + c] if cells[at + c] > 1e-9 else 0.0  # what rounding of weights can leave
            p[c] = (n + alpha) * inverse[under + c] if inverse[under + c] > 0.0 else 1.0 / levels
        if own > 0:
            n = cells[at + own - 1] - w
            total = totals[under + own - 1] - w
            n = alpha + n if n > 1e-9 else alpha
            total = levels * alpha + total if total > 1e-9 else levels * alpha
            p[own - 1] = n / total if total > 0.0 else 1.0 / levels
        return
    whole = m * (cells[program[r + CELLS] + x] - w + 1.0) / (totals[program[r + CELLS + 1]] - w + levels)
    for c in range(classes):
        p[c] = (cells[at + c] + whole) * inverse[under + c]
    if own > 0:
        p[own - 1] = (max(cells[at + own - 1] - w, 0.0) + whole) / (max(totals[under + own - 1] - w, 0.0) + m)
    m = smoothing[node, 2]
    while k < program[r + PARENTS]:
        q = r + HEAD + PARENT * k
        if codes[program[q], i] == 0:
            break
        u = u * program[q + 1] + codes[program[q], i]
        if actual[program[q], i] == 0:
            w = 0.0
        at = program[q + 3] + (u * slots + x) * width + 1
        under = program[q + 4] + u * width + 1
        if own > 0:
            mine = p[own - 1]
        for c in range(classes):
            p[c] = (cells[at + c] + m * p[c]) * inverse[under + c]
        if own > 0:
            n, total = max(cells[at + own - 1] - w, 0.0), max(totals[under + own - 1] - w, 0.0)
            p[own - 1] = (n + m * mine) / (total + m)
        k += 1


def logs(
    program: cython.const[cython.Py_ssize_t][::1],
    begins: cython.const[cython.Py_ssize_t][::1],
    cells: cython.const[cython.double][::1],
    totals: cython.const[cython.double][::1],
    inverse: cython.const[cython.double][::1],
    smoothing: cython.const[cython.double][:, ::1],
    codes: cython.int[:, ::1],
    p: cython.double[::1],
    out: cython.double[:, ::1],
) -> None:
    """Every node's log P(child | parents, class), a row a cell of (parents, child); 0 where the child is missing.

    `codes` [column, 1] and `p` are scratch.
    """
    node: cython.Py_ssize_t
    r: cython.Py_ssize_t
    k: cython.Py_ssize_t
    c: cython.Py_ssize_t
    u: cython.Py_ssize_t
    v: cython.Py_ssize_t
    many: cython.Py_ssize_t
    row: cython.Py_ssize_t
    with cython.nogil:
        for node in range(begins.shape[0]):
            r = begins[node]
            many = program[r + SLOTS]
            for k in range(program[r + PARENTS]):
                many = many * program[r + HEAD + PARENT * k + 1]
            for u in range(many):
                row = program[r + ROW] + u
                codes[program[r + CHILD], 0] = u % program[r + SLOTS]
                if codes[program[r + CHILD], 0] == 0:
                    for c in range(p.shape[0]):
                        out[row, c] = 0.0
                    continue
                v = u // program[r + SLOTS]
                for k in range(program[r + PARENTS] - 1, -1, -1):
                    codes[program[r + HEAD + PARENT * k], 0] = v % program[r + HEAD + PARENT * k + 1]
                    v = v // program[r + HEAD + PARENT * k + 1]
                chain(program, r, codes, codes, 0, 0, 0.0, cells, totals, inverse, smoothing, node, p)
                for c in range(p.shape[0]):
                    out[row, c] = max(log(p[c]), ZERO) if p[c] > 0.0 else ZERO


def left_out(
    program: cython.const[cython.Py_ssize_t][::1],
    begins: cython.const[cython.Py_ssize_t][::1],
    networks: cython.const[cython.Py_ssize_t][::1],
    powers: cython.const[cython.double][::1],
    cells: cython.const[cython.double][::1],
    totals: cython.const[cython.double][::1],
    inverse: cython.const[cython.double][::1],
    smoothing: cython.const[cython.double][:, ::1],
    codes: cython.const[cython.int][:, ::1],
    actual: cython.const[cython.int][:, ::1],
    own: cython.const[cython.int][::1],
    weight: cython.const[cython.double][::1],
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    scratch: cython.double[:, ::1],
    out: cython.double[:, :, ::1],
) -> None:
    """out[network, i - begin, c] = sum of power log P(child | parents, class c), row i's weight out of every table.

    Network n has the nodes networks[n] to networks[n + 1]. Probabilities are multiplied as long as that does not come
    near 0, so that there is one log for many of them.
    """
    network: cython.Py_ssize_t
    node: cython.Py_ssize_t
    r: cython.Py_ssize_t
    i: cython.Py_ssize_t
    c: cython.Py_ssize_t
    classes: cython.Py_ssize_t = out.shape[2]
    p: cython.double[::1] = scratch[0]
    product: cython.double[::1] = scratch[1]
    with cython.nogil:
        for network in range(out.shape[0]):
            for i in range(begin, end):
                for c in range(classes):
                    out[network, i - begin, c] = 0.0
                    product[c] = 1.0
                for node in range(networks[network], networks[network + 1]):
                    r = begins[node]
                    if codes[program[r + CHILD], i] == 0:
                        continue
                    chain(program, r, codes, actual, i, own[i], weight[i], cells, totals, inverse, smoothing, node, p)
                    for c in range(classes):
                        if p[c] < LEAST or powers[node] != 1.0:
                            out[network, i - begin, c] += powers[node] * (max(log(p[c]), ZERO) if p[c] > 0.0 else ZERO)
                        else:
                            product[c] = product[c] * p[c]
                            if product[c] < LEAST:
                                out[network, i - begin, c] += log(product[c])
                                product[c] = 1.0
                for c in range(classes):
                    out[network, i - begin, c] += log(product[c])


def sum_out(
    program: cython.const[cython.Py_ssize_t][::1],
    begins: cython.const[cython.Py_ssize_t][::1],
    slots: cython.const[cython.Py_ssize_t][::1],
    table: cython.const[cython.double][:, ::1],
    cells: cython.const[cython.double][::1],
    totals: cython.const[cython.double][::1],
    inverse: cython.const[cython.double][::1],
    smoothing: cython.const[cython.double][:, ::1],
    codes: cython.const[cython.int][:, ::1],
    own: cython.const[cython.int][::1],
    weight: cython.const[cython.double][::1],
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    most: cython.double,
    row: cython.int[:, ::1],
    actual: cython.int[:, ::1],
    summed: cython.Py_ssize_t[::1],
    touched: cython.Py_ssize_t[::1],
    scratch: cython.double[:, ::1],
    out: cython.double[:, ::1],
) -> None:
    """out[i - begin] = log of the sum, over the values of row i's missing parents, of the product of all nodes.

    Rows without a missing parent that an observed column depends on, by way of missing ones, and rows with more than
    `most` terms are left as they are. Without `own` the logs are read from `table`; else each row is left out of the
    tables that it is in. `row`, `actual` [column, 1], `summed` [column], `touched` [node] and `scratch` [4, class]
    are scratch.
    """
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    k: cython.Py_ssize_t
    c: cython.Py_ssize_t
    r: cython.Py_ssize_t
    q: cython.Py_ssize_t
    at: cython.Py_ssize_t
    node: cython.Py_ssize_t
    many: cython.Py_ssize_t
    changed: cython.Py_ssize_t
    again: cython.bint
    leaving: cython.bint = own.shape[0] > 0
    terms: cython.double
    x: cython.double
    columns: cython.Py_ssize_t = codes.shape[0]
    classes: cython.Py_ssize_t = out.shape[1]
    p: cython.double[::1] = scratch[0]
    said: cython.double[::1] = scratch[1]
    top: cython.double[::1] = scratch[2]
    total: cython.double[::1] = scratch[3]
    with cython.nogil:
        for i in range(begin, end):
            for j in range(columns):
                row[j, 0] = actual[j, 0] = codes[j, i]
            many = 0
            terms = 1.0
            again = True
            while again:  # a column to be summed is marked by -1 until all are found
                again = False
                for node in range(begins.shape[0]):
                    r = begins[node]
                    if row[program[r + CHILD], 0] == 0:
                        continue
                    for k in range(program[r + PARENTS]):
                        q = program[r + HEAD + PARENT * k]
                        if row[q, 0] == 0 and slots[q] > 1:  # a column without a level has nothing to sum over
                            row[q, 0] = -1
                            summed[many] = q
                            many += 1
                            terms = terms * (slots[q] - 1)
                            again = True
            if many == 0 or terms > most:
                continue
            changed = 0  # the nodes that the values of the summed columns change; the others are the same in each term
            for c in range(classes):
                out[i - begin, c] = 0.0
                total[c] = 0.0
            for node in range(begins.shape[0]):
                r = begins[node]
                again = row[program[r + CHILD], 0] == -1
                for k in range(program[r + PARENTS]):
                    again = again or row[program[r + HEAD + PARENT * k], 0] == -1
                if again and row[program[r + CHILD], 0] != 0:
                    touched[changed] = node
                    changed += 1
            for j in range(many):
                row[summed[j], 0] = 1
            for node in range(begins.shape[0]):
                r = begins[node]
                again = False
                for j in range(changed):
                    again = again or touched[j] == node
                if again or row[program[r + CHILD], 0] == 0:
                    continue
                term(
                    program, r, node, table, cells, totals, inverse, smoothing, row, actual, leaving, own, weight, i, p
                )
                for c in range(classes):
                    out[i - begin, c] += p[c]
            while True:
                for c in range(classes):
                    said[c] = 0.0
                for j in range(changed):
                    node = touched[j]
                    r = begins[node]
                    term(
                        program,
                        r,
                        node,
                        table,
                        cells,
                        totals,
                        inverse,
                        smoothing,
                        row,
                        actual,
                        leaving,
                        own,
                        weight,
                        i,
                        p,
                    )
                    for c in range(classes):
                        said[c] += p[c]
                for c in range(classes):
                    if total[c] == 0.0 or said[c] > top[c]:
                        x = exp(top[c] - said[c]) if total[c] > 0.0 else 0.0
                        total[c] = total[c] * x + 1.0
                        top[c] = said[c]
                    else:
                        total[c] += exp(said[c] - top[c])
                at = 0
                while at < many:  # the next term, as an odometer turns
                    row[summed[at], 0] += 1
                    if row[summed[at], 0] < slots[summed[at]]:
                        break
                    row[summed[at], 0] = 1
                    at += 1
                if at == many:
                    break
            for c in range(classes):
                out[i - begin, c] += top[c] + log(total[c])


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def term(
    program: cython.const[cython.Py_ssize_t][::1],
    r: cython.Py_ssize_t,
    node: cython.Py_ssize_t,
    table: cython.const[cython.double][:, ::1],
    cells: cython.const[cython.double][::1],
    totals: cython.const[cython.double][::1],
    inverse: cython.const[cython.double][::1],
    smoothing: cython.const[cython.double][:, ::1],
    row: cython.int[:, ::1],
    actual: cython.int[:, ::1],
    leaving: cython.bint,
    own: cython.const[cython.int][::1],
    weight: cython.const[cython.double][::1],
    i: cython.Py_ssize_t,
    p: cython.double[::1],
) -> cython.void:
    """p[c] = log P(child | parents, class c) of a filled row, from the table or with row i left out of it."""
    at: cython.Py_ssize_t = 0
    c: cython.Py_ssize_t
    k: cython.Py_ssize_t
    q: cython.Py_ssize_t
    if leaving:
        chain(program, r, row, actual, 0, own[i], weight[i], cells, totals, inverse, smoothing, node, p)
        for c in range(p.shape[0]):
            p[c] = max(log(p[c]), ZERO) if p[c] > 0.0 else ZERO
        return
    for k in range(program[r + PARENTS]):
        q = r + HEAD + PARENT * k
        at = at * program[q + 1] + row[program[q], 0]
    at = program[r + ROW] + at * program[r + SLOTS] + row[program[r + CHILD], 0]
    for c in range(p.shape[0]):
        p[c] = table[at, c]
