"""Expected counts of cliques: each row's cells as far as they are known, the others by their posterior, summed.

Sixteen rows at a time go up and down one tree of cliques that serves all rows, the rows the innermost axis of
everything. A message is the sum of its clique over what the parent does not hold, divided by its own sum; the
logarithms of these sums add up to the row's log probability.
"""

import cython
from cython.cimports.libc.math import log


def fold(
    codes: cython.const[cython.int][:, ::1],
    weight: cython.const[cython.double][::1],
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    card: cython.const[cython.Py_ssize_t][::1],
    home: cython.const[cython.Py_ssize_t][:, ::1],
    starts: cython.const[cython.Py_ssize_t][:, ::1],
    parent: cython.const[cython.Py_ssize_t][::1],
    down: cython.const[cython.int][::1],
    up: cython.const[cython.int][::1],
    base: cython.const[cython.double][::1],
    belief: cython.double[:, ::1],
    message: cython.double[:, ::1],
    back: cython.double[:, ::1],
    lane: cython.double[:, ::1],
    counts: cython.double[::1],
    logs: cython.double[::1],
) -> None:
    """counts[e] += weight P(entry e | row), logs[i] = log P(row i), for the rows begin <= i < end; -1 is missing.

    home[v]: the clique where v is observed, and how far apart its states stand. starts[c]: where the entries, the
    message and `up` of clique c begin; children come before parents, the last clique is the root. down[e]: the entry of
    its clique's message that entry e is summed into; up[starts[c, 2] + k]: the same for entry k of c's parent. base:
    the product of the tables. belief, message, back, lane: scratch of 16 lanes.
    """
    i: cython.Py_ssize_t = begin
    b: cython.Py_ssize_t
    c: cython.Py_ssize_t
    e: cython.Py_ssize_t
    k: cython.Py_ssize_t
    p: cython.Py_ssize_t
    s: cython.Py_ssize_t
    v: cython.Py_ssize_t
    many: cython.Py_ssize_t
    first: cython.Py_ssize_t
    last: cython.Py_ssize_t
    step: cython.Py_ssize_t
    m: cython.Py_ssize_t = parent.shape[0]
    x: cython.double
    shown: cython.bint
    with cython.nogil:
        while i < end:
            many = min(16, end - i)
            for b in range(16):
                lane[0, b] = 0.0
            for e in range(starts[m, 0]):
                for b in range(16):
                    belief[e, b] = base[e]
            for v in range(card.shape[0]):
                shown = False
                for b in range(many):
                    shown |= codes[i + b, v] >= 0
                if not shown:
                    continue
                c = home[v, 0]
                step = home[v, 1]
                for s in range(card[v]):
                    for b in range(16):
                        lane[1, b] = 1.0
                    for b in range(many):
                        if codes[i + b, v] >= 0 and codes[i + b, v] != s:
                            lane[1, b] = 0.0
                    first = starts[c, 0] + s * step
                    while first < starts[c + 1, 0]:
                        for e in range(first, first + step):
                            for b in range(16):
                                belief[e, b] *= lane[1, b]
                        first += step * card[v]
            for c in range(m):
                first = starts[c, 1]
                last = starts[c + 1, 1]
                for k in range(first, last):
                    for b in range(16):
                        message[k, b] = 0.0
                for e in range(starts[c, 0], starts[c + 1, 0]):
                    k = first + down[e]
                    for b in range(16):
                        message[k, b] += belief[e, b]
                share(message, first, last, lane)
                for b in range(many):
                    lane[0, b] += log(lane[1, b])
                if c < m - 1:
                    p = starts[parent[c], 0]
                    for k in range(starts[parent[c] + 1, 0] - p):
                        e = first + up[starts[c, 2] + k]
                        for b in range(16):
                            belief[p + k, b] *= message[e, b]
            c = m - 2
            while c >= 0:
                first = starts[c, 1]
                last = starts[c + 1, 1] - first
                p = starts[parent[c], 0]
                for k in range(last):
                    for b in range(16):
                        back[k, b] = 0.0
                for k in range(starts[parent[c] + 1, 0] - p):
                    e = up[starts[c, 2] + k]
                    for b in range(16):
                        back[e, b] += belief[p + k, b]
                for k in range(last):
                    for b in range(16):
                        x = message[first + k, b]  # where it is zero, so is what comes back
                        back[k, b] = back[k, b] / x if x > 0.0 else 0.0
                for e in range(starts[c, 0], starts[c + 1, 0]):
                    for b in range(16):
                        belief[e, b] *= back[down[e], b]
                c -= 1
            for b in range(16):
                lane[2, b] = weight[i + b] if b < many else 0.0
            for b in range(many):
                logs[i + b] = lane[0, b]
            for c in range(m):
                add_up(belief, starts[c, 0], starts[c + 1, 0], lane)
                for b in range(16):
                    lane[1, b] = lane[2, b] / lane[1, b] if lane[1, b] > 0.0 else 0.0
                for e in range(starts[c, 0], starts[c + 1, 0]):
                    x = 0.0
                    for b in range(16):
                        x += belief[e, b] * lane[1, b]
                    counts[e] += x
            i += many


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def add_up(
    lanes: cython.double[:, ::1], begin: cython.Py_ssize_t, end: cython.Py_ssize_t, lane: cython.double[:, ::1]
) -> cython.void:
    """lane[1] = the sum of each lane."""
    k: cython.Py_ssize_t
    b: cython.Py_ssize_t
    for b in range(16):
        lane[1, b] = 0.0
    for k in range(begin, end):
        for b in range(16):
            lane[1, b] += lanes[k, b]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def share(
    lanes: cython.double[:, ::1], begin: cython.Py_ssize_t, end: cython.Py_ssize_t, lane: cython.double[:, ::1]
) -> cython.void:
    """Each lane divided by its sum, which is left in lane[1]; a lane of zeros stays."""
    k: cython.Py_ssize_t
    b: cython.Py_ssize_t
    add_up(lanes, begin, end, lane)
    for b in range(16):
        lane[3, b] = 1.0 / lane[1, b] if lane[1, b] > 0.0 else 0.0
    for k in range(begin, end):
        for b in range(16):
            lanes[k, b] *= lane[3, b]
