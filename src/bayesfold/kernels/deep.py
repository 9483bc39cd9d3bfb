"""Tables with several parents: counting their cells, looking log probabilities up, and scoring rows left out.

Codes stand column by column, codes[column, row]; 0 is missing. A cell's place is sum_k stride_k code_k + class.
"""

import cython
from cython.cimports.libc.math import log

SMALL: cython.double = 1e-150


def joint_counts(
    codes: cython.const[cython.int][:, ::1],
    columns: cython.const[cython.Py_ssize_t][::1],
    strides: cython.const[cython.Py_ssize_t][::1],
    group: cython.const[cython.int][::1],
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    counts: cython.longlong[::1],
) -> None:
    """counts[sum_k strides[k] codes[columns[k], i] + group[i]] += 1."""
    i: cython.Py_ssize_t
    k: cython.Py_ssize_t
    at: cython.Py_ssize_t
    m: cython.Py_ssize_t = columns.shape[0]
    a: cython.Py_ssize_t
    b: cython.Py_ssize_t
    with cython.nogil:
        if m == 2:
            a = columns[0]
            b = columns[1]
            for i in range(begin, end):
                counts[strides[0] * codes[a, i] + strides[1] * codes[b, i] + group[i]] += 1
        else:
            for i in range(begin, end):
                at = group[i]
                for k in range(m):
                    at += strides[k] * codes[columns[k], i]
                counts[at] += 1


def pair_counts(
    codes: cython.const[cython.int][:, ::1],
    pairs: cython.const[cython.Py_ssize_t][:, ::1],
    group: cython.const[cython.int][::1],
    counts: cython.longlong[::1],
) -> None:
    """counts[first + over a code_a + over b code_b + group] += 1 for each pair (a, b, over a, over b, first).

    All pairs of some rows before the next rows, so that their codes stay in the cache.
    """
    i: cython.Py_ssize_t
    p: cython.Py_ssize_t
    a: cython.Py_ssize_t
    b: cython.Py_ssize_t
    over_a: cython.Py_ssize_t
    over_b: cython.Py_ssize_t
    first: cython.Py_ssize_t
    begin: cython.Py_ssize_t = 0
    end: cython.Py_ssize_t
    rows: cython.Py_ssize_t = group.shape[0]
    with cython.nogil:
        while begin < rows:
            end = min(begin + 2048, rows)
            for p in range(pairs.shape[0]):
                a = pairs[p, 0]
                b = pairs[p, 1]
                over_a = pairs[p, 2]
                over_b = pairs[p, 3]
                first = pairs[p, 4]
                for i in range(begin, end):
                    counts[first + over_a * codes[a, i] + over_b * codes[b, i] + group[i]] += 1
            begin = end


def joint_weights(
    codes: cython.const[cython.int][:, ::1],
    columns: cython.const[cython.Py_ssize_t][::1],
    strides: cython.const[cython.Py_ssize_t][::1],
    group: cython.const[cython.int][::1],
    weight: cython.const[cython.double][::1],
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    sums: cython.double[::1],
) -> None:
    """As `joint_counts`, adding the rows' weights."""
    i: cython.Py_ssize_t
    k: cython.Py_ssize_t
    at: cython.Py_ssize_t
    with cython.nogil:
        for i in range(begin, end):
            at = group[i]
            for k in range(columns.shape[0]):
                at += strides[k] * codes[columns[k], i]
            sums[at] += weight[i]


def look_up(
    codes: cython.const[cython.int][:, ::1],
    columns: cython.const[cython.Py_ssize_t][::1],
    strides: cython.const[cython.Py_ssize_t][::1],
    table: cython.const[cython.double][:, ::1],
    power: cython.double,
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    out: cython.double[:, ::1],
) -> None:
    """out[i - begin] += power * table[sum_k strides[k] codes[columns[k], i]]."""
    i: cython.Py_ssize_t
    k: cython.Py_ssize_t
    c: cython.Py_ssize_t
    at: cython.Py_ssize_t
    a: cython.Py_ssize_t
    b: cython.Py_ssize_t
    m: cython.Py_ssize_t = columns.shape[0]
    classes: cython.Py_ssize_t = table.shape[1]
    with cython.nogil:
        if m == 2 and power == 1.0:
            a = columns[0]
            b = columns[1]
            for i in range(begin, end):
                at = strides[0] * codes[a, i] + strides[1] * codes[b, i]
                for c in range(classes):
                    out[i - begin, c] += table[at, c]
        else:
            for i in range(begin, end):
                at = 0
                for k in range(m):
                    at += strides[k] * codes[columns[k], i]
                for c in range(classes):
                    out[i - begin, c] += power * table[at, c]


def look_up_networks(
    codes: cython.const[cython.int][:, ::1],
    begins: cython.const[cython.Py_ssize_t][::1],
    nodes: cython.const[cython.Py_ssize_t][:, ::1],
    table: cython.const[cython.double][::1],
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    out: cython.double[:, :, ::1],
) -> None:
    """out[network, i - begin] = sum of the rows of `table` that row i chooses, over nodes begins[network], ...

    A node (p, q, child, over p, over q, first) chooses the row over_p code_p + over_q code_q + code_child of its table,
    which begins at `first`; a parent that is not there is over 0.
    """
    i: cython.Py_ssize_t
    k: cython.Py_ssize_t
    c: cython.Py_ssize_t
    at: cython.Py_ssize_t
    network: cython.Py_ssize_t
    classes: cython.Py_ssize_t = out.shape[2]
    a: cython.double
    b: cython.double
    d: cython.double
    e: cython.double
    with cython.nogil:
        for network in range(out.shape[0]):
            for i in range(begin, end):
                if classes <= 4:  # in registers; what is read past a row of the table is not used
                    a = b = d = e = 0.0
                    for k in range(begins[network], begins[network + 1]):
                        at = nodes[k, 3] * codes[nodes[k, 0], i] + nodes[k, 4] * codes[nodes[k, 1], i]
                        at = nodes[k, 5] + (at + codes[nodes[k, 2], i]) * classes
                        a = a + table[at]
                        b = b + table[at + 1]
                        d = d + table[at + 2]
                        e = e + table[at + 3]
                    out[network, i - begin, 0] = a
                    if classes > 1:
                        out[network, i - begin, 1] = b
                    if classes > 2:
                        out[network, i - begin, 2] = d
                    if classes > 3:
                        out[network, i - begin, 3] = e
                    continue
                for c in range(classes):
                    out[network, i - begin, c] = 0.0
                for k in range(begins[network], begins[network + 1]):
                    at = nodes[k, 3] * codes[nodes[k, 0], i] + nodes[k, 4] * codes[nodes[k, 1], i]
                    at = nodes[k, 5] + (at + codes[nodes[k, 2], i]) * classes
                    for c in range(classes):
                        out[network, i - begin, c] += table[at + c]


def left_out(
    codes: cython.const[cython.int][:, ::1],
    child: cython.Py_ssize_t,
    parents: cython.const[cython.Py_ssize_t][::1],
    slots: cython.const[cython.Py_ssize_t][::1],
    levels: cython.double,
    actual: cython.const[cython.int][:, ::1],
    own: cython.const[cython.int][::1],
    weight: cython.const[cython.double][::1],
    cells: cython.const[cython.double][::1],
    totals: cython.const[cython.double][::1],
    first_cell: cython.const[cython.Py_ssize_t][::1],
    first_total: cython.const[cython.Py_ssize_t][::1],
    smoothing: cython.const[cython.double][::1],
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    logs: cython.double[:, ::1],
) -> None:
    """logs[i - begin, c] = log P(child | parents, class c) with row i's weight out of every table it is in.

    slots[0] are the child's slots, slots[k] those of parent k. Level 0 of `cells` counts the child alone, level 1 the
    child by class, level k + 1 with the first k parents, each [parents..., child, class]; `totals` are their sums over
    the child. A row's chain ends at its first missing parent. smoothing[0] is Laplace's alpha where smoothing[1] < 0:
    only the last level counts; else smoothing[1], smoothing[2] are the pseudo rows that level 1, and deeper levels,
    take from the level before. `actual` are the rows' codes as they were learned: where `codes` fills a hole in, the
    row is not in the table.
    """
    i: cython.Py_ssize_t
    k: cython.Py_ssize_t
    c: cython.Py_ssize_t
    x: cython.Py_ssize_t
    u: cython.Py_ssize_t
    at: cython.Py_ssize_t
    under: cython.Py_ssize_t
    classes: cython.Py_ssize_t = logs.shape[1]
    width: cython.Py_ssize_t = classes + 1
    m: cython.double
    n: cython.double
    total: cython.double
    whole: cython.double
    w: cython.double
    alpha: cython.double = smoothing[0]
    laplace: cython.bint = smoothing[1] < 0
    with cython.nogil:
        for i in range(begin, end):
            x = codes[child, i]
            if x == 0:
                for c in range(classes):
                    logs[i - begin, c] = 0.0
                continue
            w = weight[i] if actual[child, i] != 0 else 0.0
            whole = (cells[first_cell[0] + x] - w + 1.0) / (totals[first_total[0]] - w + levels)
            u = 0
            k = 0
            while True:
                at = first_cell[k + 1] + (u * slots[0] + x) * width + 1
                under = first_total[k + 1] + u * width + 1
                if not laplace:
                    m = smoothing[1] if k == 0 else smoothing[2]
                    for c in range(classes):
                        n = cells[at + c]
                        total = totals[under + c]
                        if own[i] == c + 1:
                            n = n - w
                            total = total - w
                        if n < 0.0:
                            n = 0.0
                        if total < 0.0:
                            total = 0.0
                        logs[i - begin, c] = (n + m * (whole if k == 0 else logs[i - begin, c])) / (total + m)
                if k == parents.shape[0] or codes[parents[k], i] == 0:
                    break
                u = u * slots[k + 1] + codes[parents[k], i]
                if actual[parents[k], i] == 0:
                    w = 0.0
                k += 1
            for c in range(classes):
                if laplace:
                    n = cells[at + c]
                    total = totals[under + c]
                    if own[i] == c + 1:
                        n = n - w
                        total = total - w
                    if n < 1e-9:  # what rounding of weights can leave
                        n = 0.0
                    if total < 1e-9:
                        total = 0.0
                    total = total + levels * alpha
                    logs[i - begin, c] = (n + alpha) / total if total > 0.0 else 1.0 / levels
                if logs[i - begin, c] > 0.0:
                    logs[i - begin, c] = log(logs[i - begin, c])
                else:
                    logs[i - begin, c] = -693.1471805599453
