"""Sixteen rows at a time through one plan of the whole network: the rows are the innermost axis of every table.

What a row shows is a likelihood of zeros and ones, so the plan does not depend on it, and every loop runs over the
sixteen lanes side by side. Small networks gain; in large ones it is better to cut out what a row observes.
"""

import cython
from cython.cimports.bayesfold.kernels.walk import walk

HEADER = cython.declare(cython.Py_ssize_t, 9)
CLIQUE = cython.declare(cython.Py_ssize_t, 18)
RECORD = cython.declare(cython.Py_ssize_t, 5)
TABLE = cython.declare(cython.Py_ssize_t, 0)
LIKELIHOOD = cython.declare(cython.Py_ssize_t, 1)
MESSAGE = cython.declare(cython.Py_ssize_t, 2)
SET = cython.declare(cython.Py_ssize_t, 0)
TIMES = cython.declare(cython.Py_ssize_t, 1)
ADD = cython.declare(cython.Py_ssize_t, 2)


def multiply_tables(
    program: cython.Py_ssize_t[::1],
    begins: cython.Py_ssize_t[::1],
    values: cython.double[::1],
    index: cython.Py_ssize_t[::1],
    base: cython.double[::1],
) -> None:
    """base: the product of the network's tables in each clique, one clique after another."""
    _: cython.Py_ssize_t
    c: cython.Py_ssize_t
    j: cython.Py_ssize_t
    r: cython.Py_ssize_t
    at: cython.Py_ssize_t
    place: cython.Py_ssize_t = 0
    for j in range(base.shape[0]):
        base[j] = 1.0
    for c in range(program[1]):
        at = HEADER + c * CLIQUE
        r = program[at + 4]
        for _ in range(program[at + 5]):
            if program[r] == TABLE and program[r + 4] > 0:
                j = begins[program[r + 1]]
                walk(TIMES, base, place, 0, program, r + RECORD, program[r + 4], values, j, 1.0, index)
            r += RECORD + 2 * program[r + 4]
        place += program[at + 3]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def walk_lanes(
    verb: cython.Py_ssize_t,
    table: cython.double[::1],
    p: cython.Py_ssize_t,
    program: cython.Py_ssize_t[::1],
    record: cython.Py_ssize_t,
    entries: cython.Py_ssize_t,
    factor: cython.double[::1],
    o: cython.Py_ssize_t,
    base: cython.double[::1],
    q: cython.Py_ssize_t,
    index: cython.Py_ssize_t[::1],
) -> cython.void:
    """One verb over a whole table beside a factor, sixteen lanes an entry; SET begins with the base from q on."""
    _: cython.Py_ssize_t
    j: cython.Py_ssize_t
    lane: cython.Py_ssize_t
    f: cython.Py_ssize_t
    t: cython.Py_ssize_t
    x: cython.double
    rank: cython.Py_ssize_t = program[record + 4]
    sizes: cython.Py_ssize_t = record + 5
    steps: cython.Py_ssize_t = sizes + rank
    n: cython.Py_ssize_t = entries
    s: cython.Py_ssize_t = 0
    turns: cython.Py_ssize_t = 1
    if rank > 0:
        n = program[sizes + rank - 1]
        s = 16 * program[steps + rank - 1]
        turns = entries // n
    for j in range(rank):
        index[j] = 0
    t = 16 * p
    o = 16 * o
    for _ in range(turns):
        f = o
        if verb == SET:
            for _ in range(n):
                x = base[q]
                q += 1
                for lane in range(16):
                    table[t + lane] = x * factor[f + lane]
                t += 16
                f += s
        elif verb == TIMES:
            for _ in range(n):
                for lane in range(16):
                    table[t + lane] *= factor[f + lane]
                t += 16
                f += s
        else:
            for _ in range(n):
                for lane in range(16):
                    factor[f + lane] += table[t + lane]
                t += 16
                f += s
        j = rank - 2
        while j >= 0:
            index[j] += 1
            o += 16 * program[steps + j]
            if index[j] < program[sizes + j]:
                break
            o -= 16 * program[steps + j] * program[sizes + j]
            index[j] = 0
            j -= 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def scale(
    values: cython.double[::1], begin: cython.Py_ssize_t, end: cython.Py_ssize_t, sums: cython.double[::1]
) -> cython.void:
    """Divide each lane of values[begin:end] by its sum, which is left in `sums`; a lane of zeros stays."""
    i: cython.Py_ssize_t
    lane: cython.Py_ssize_t
    for lane in range(16):
        sums[lane] = 0.0
    for i in range(begin, end):
        for lane in range(16):
            sums[lane] += values[16 * i + lane]
    for lane in range(16):
        sums[16 + lane] = 1.0 / sums[lane] if sums[lane] > 0.0 else 0.0
    for i in range(begin, end):
        for lane in range(16):
            values[16 * i + lane] *= sums[16 + lane]


def answer(
    program: cython.Py_ssize_t[::1],
    states: cython.Py_ssize_t[::1],
    base: cython.double[::1],
    codes: cython.const[cython.Py_ssize_t][:, ::1],
    weights: cython.const[cython.double][:, ::1],
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    target: cython.Py_ssize_t,
    buffers: tuple,
    index: cython.Py_ssize_t[::1],
    out: cython.double[:, ::1],
) -> int:
    """Marginals of the target, or (target -1) of every variable, of rows begin to end; the first impossible row or -1.

    buffers: tables, messages, returns, likelihoods and marginals of sixteen lanes, and 48 sums.
    """
    row: cython.Py_ssize_t
    lane: cython.Py_ssize_t
    lanes: cython.Py_ssize_t
    v: cython.Py_ssize_t
    i: cython.Py_ssize_t
    state: cython.Py_ssize_t
    n: cython.Py_ssize_t = codes.shape[1]
    bad: cython.Py_ssize_t = -1
    tables: cython.double[::1] = buffers[0]
    messages: cython.double[::1] = buffers[1]
    returns: cython.double[::1] = buffers[2]
    likelihood: cython.double[::1] = buffers[3]
    marginals: cython.double[::1] = buffers[4]
    sums: cython.double[::1] = buffers[5]
    with cython.nogil:
        row = begin
        while row < end and bad < 0:
            lanes = end - row if end - row < 16 else 16
            for v in range(n):
                for i in range(states[v], states[v + 1]):
                    for lane in range(16):
                        likelihood[16 * i + lane] = 1.0
                if v == target:
                    continue
                for lane in range(lanes):
                    state = codes[row + lane, v]
                    if state >= 0:
                        for i in range(states[v], states[v + 1]):
                            if i != states[v] + state:
                                likelihood[16 * i + lane] = 0.0
            if weights.shape[0] > 0:
                for i in range(weights.shape[1]):
                    for lane in range(lanes):
                        likelihood[16 * i + lane] *= weights[row + lane, i]
            collect(program, base, tables, messages, likelihood, sums, index, target < 0)
            i = program[4] - (program[HEADER + CLIQUE * (program[1] - 1) + 10])
            for lane in range(lanes):
                if not sums[32 + lane] > 0.0:
                    bad = row + lane
                    break
            if bad >= 0:
                break
            if target < 0:
                distribute(program, states, tables, messages, returns, marginals, sums, index)
                for v in range(states[n]):
                    for lane in range(lanes):
                        out[row + lane, v] = marginals[16 * v + lane]
            else:
                for v in range(out.shape[1]):
                    for lane in range(lanes):
                        out[row + lane, v] = messages[16 * (i + v) + lane]
            row += 16
    return bad


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def collect(
    program: cython.Py_ssize_t[::1],
    base: cython.double[::1],
    tables: cython.double[::1],
    messages: cython.double[::1],
    likelihood: cython.double[::1],
    sums: cython.double[::1],
    index: cython.Py_ssize_t[::1],
    keep: cython.bint,
) -> cython.void:
    """Messages to the roots, each lane summing to one; sums[32 + lane] is zero where evidence is impossible."""
    _: cython.Py_ssize_t
    c: cython.Py_ssize_t
    i: cython.Py_ssize_t
    r: cython.Py_ssize_t
    at: cython.Py_ssize_t
    lane: cython.Py_ssize_t
    entries: cython.Py_ssize_t
    place: cython.Py_ssize_t
    verb: cython.Py_ssize_t
    total: cython.Py_ssize_t = 0
    for lane in range(16):
        sums[32 + lane] = 1.0
    for c in range(program[1]):
        at = HEADER + c * CLIQUE
        entries = program[at + 3]
        place = total if keep else 0
        verb = SET
        r = program[at + 4]
        for _ in range(program[at + 5]):
            if program[r] == LIKELIHOOD:
                walk_lanes(verb, tables, place, program, r, entries, likelihood, program[r + 2], base, total, index)
                verb = TIMES
            elif program[r] == MESSAGE:
                walk_lanes(verb, tables, place, program, r, entries, messages, program[r + 2], base, total, index)
                verb = TIMES
            r += RECORD + 2 * program[r + 4]
        if verb == SET:
            for i in range(entries):
                for lane in range(16):
                    tables[16 * (place + i) + lane] = base[total + i]
        for i in range(program[at + 9], program[at + 9] + program[at + 10]):
            for lane in range(16):
                messages[16 * i + lane] = 0.0
        r = program[at + 8]
        walk_lanes(ADD, tables, place, program, r, entries, messages, program[at + 9], base, total, index)
        scale(messages, program[at + 9], program[at + 9] + program[at + 10], sums)
        for lane in range(16):
            if not sums[lane] > 0.0:
                sums[32 + lane] = 0.0
        total += entries


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def distribute(
    program: cython.Py_ssize_t[::1],
    states: cython.Py_ssize_t[::1],
    tables: cython.double[::1],
    messages: cython.double[::1],
    returns: cython.double[::1],
    marginals: cython.double[::1],
    sums: cython.double[::1],
    index: cython.Py_ssize_t[::1],
) -> cython.void:
    """Back from the roots, and every marginal, each lane summing to one."""
    _: cython.Py_ssize_t
    c: cython.Py_ssize_t
    i: cython.Py_ssize_t
    r: cython.Py_ssize_t
    at: cython.Py_ssize_t
    begin: cython.Py_ssize_t
    end: cython.Py_ssize_t
    place: cython.Py_ssize_t
    entries: cython.Py_ssize_t
    for i in range(16 * program[4]):
        returns[i] = 0.0
    for i in range(16 * states[states.shape[0] - 1]):
        marginals[i] = 0.0
    c = program[1] - 1
    while c >= 0:
        at = HEADER + c * CLIQUE
        begin = program[at + 9]
        end = begin + program[at + 10]
        place = program[at + 12]
        entries = program[at + 3]
        if program[at + 11] >= 0:
            scale(returns, begin, end, sums)
            r = program[at + 14]
            for _ in range(program[at + 15]):
                walk_lanes(ADD, returns, begin, program, r, end - begin, marginals, program[r + 2], sums, 0, index)
                r += RECORD + 2 * program[r + 4]
            for i in range(16 * begin, 16 * end):
                returns[i] = returns[i] / messages[i] if messages[i] > 0.0 else 0.0
            r = program[at + 8]
            walk_lanes(TIMES, tables, place, program, r, entries, returns, begin, sums, 0, index)
        r = program[at + 6]
        for _ in range(program[at + 7]):
            if program[r] == MESSAGE:
                walk_lanes(ADD, tables, place, program, r, entries, returns, program[r + 2], sums, 0, index)
            else:
                walk_lanes(ADD, tables, place, program, r, entries, marginals, program[r + 2], sums, 0, index)
            r += RECORD + 2 * program[r + 4]
        c -= 1
    for i in range(states.shape[0] - 1):
        scale(marginals, states[i], states[i + 1], sums)
