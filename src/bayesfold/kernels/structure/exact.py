"""The best network of all: parent sets that can be in one, and the best order of the nodes by dynamic programming.

best(W) = max over v in W of best(W without v) + the best parents of v within W without v, for every set W of nodes
(Silander and Myllymaki 2006). Sets are bitsets. A parent set is listed where it scores more than all its subsets, and
extended while what includes it might (de Campos and Ji 2011).
"""

import cython
from cython.cimports.bayesfold.kernels.bits import bit
from cython.cimports.bayesfold.kernels.structure.families import Families

NEVER = cython.declare(cython.double, -1e299)
SETS = cython.declare(cython.Py_ssize_t, 16)  # sets that are extended between two looks for an interrupt
LEAST = cython.declare(cython.double, 1e-6)  # parents more must gain so much: less is rounding, or a tie
TIE = cython.declare(cython.double, 1e-7)  # orders that score less apart tie: the first is taken


def list_parents(
    families: Families,
    v: cython.Py_ssize_t,
    allowed: cython.const[cython.uchar][:, ::1],
    required: cython.ulonglong,
    most: cython.Py_ssize_t,
    state: cython.uchar[:, :, ::1],
    gain: cython.double[:, ::1],
    queue: cython.ulonglong[::1],
    highest: cython.double[::1],
    slots: cython.int[::1],
    sets: cython.ulonglong[::1],
    scores: cython.double[::1],
    pause: object,
) -> cython.Py_ssize_t:
    """List parent sets of v that include the required ones: how many; minus 1 if there is no room for them.

    allowed[v, u]; state: scratch for what is there and what may come; queue: sets to extend, the small ones first, each
    with the highest score of itself and its subsets, and where each stands (slots, empty: -1, a power of two); pause:
    called now and then, so that Python can see an interrupt.
    """
    u: cython.Py_ssize_t
    stop: cython.Py_ssize_t
    n: cython.Py_ssize_t = allowed.shape[0]
    first: cython.Py_ssize_t = 0
    last: cython.Py_ssize_t = 1
    listed: cython.Py_ssize_t = 1
    members: cython.ulonglong
    more: cython.ulonglong
    top: cython.double
    score: cython.double
    queue[0] = required
    slots[slot(queue, slots, required)] = 0
    while first < last and listed > 0:
        pause()
        with cython.nogil:
            stop = first + SETS
            while first < last and first < stop and listed > 0:
                members = queue[first]
                for u in range(n):
                    state[0, v, u] = (members & bit(u)) != 0
                    more = members | bit(u)
                    state[1, v, u] = (
                        allowed[v, u] != 0
                        and (members ^ (members & required)) >> u == 0
                        and highest_below(queue, highest, slots, more, required, members, n) > NEVER
                    )
                score = families.node(v, state[0], state[1], most, gain)
                if first == 0:
                    sets[0] = members
                    scores[0] = highest[0] = score
                for u in range(n):
                    if state[0, v, u] or gain[v, u] < NEVER:
                        continue
                    more = members | bit(u)
                    top = highest_below(queue, highest, slots, more, required, more, n)  # no subset aside
                    if score + gain[v, u] > top + LEAST:
                        top = score + gain[v, u]
                        if listed == sets.shape[0]:
                            listed = -1
                            break
                        sets[listed] = more
                        scores[listed] = top
                        listed += 1
                    if families.ceiling(v, more) > top:
                        if last == queue.shape[0]:
                            listed = -1
                            break
                        queue[last] = more
                        highest[last] = top
                        slots[slot(queue, slots, more)] = cython.cast(cython.int, last)
                        last += 1
                first += 1
    return listed


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def slot(
    queue: cython.const[cython.ulonglong][::1], slots: cython.const[cython.int][::1], members: cython.ulonglong
) -> cython.Py_ssize_t:
    """Where a set is to be looked up."""
    mask: cython.Py_ssize_t = slots.shape[0] - 1
    at: cython.Py_ssize_t = cython.cast(cython.Py_ssize_t, members ^ (members >> 11) ^ (members >> 5)) & mask
    while slots[at] >= 0 and queue[slots[at]] != members:
        at = (at + 1) & mask
    return at


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def highest_below(
    queue: cython.const[cython.ulonglong][::1],
    highest: cython.const[cython.double][::1],
    slots: cython.const[cython.int][::1],
    members: cython.ulonglong,
    required: cython.ulonglong,
    known: cython.ulonglong,
    n: cython.Py_ssize_t,
) -> cython.double:
    """The highest score of a subset; far below all where one, `known` aside, was not to be extended."""
    u: cython.Py_ssize_t
    at: cython.Py_ssize_t
    top: cython.double = NEVER / 2.0
    for u in range(n):
        if members & bit(u) and not required & bit(u) and members ^ bit(u) != known:
            at = slots[slot(queue, slots, members ^ bit(u))]
            if at < 0:
                return 2.0 * NEVER
            top = max(top, highest[at])
    return top


def best_orders(
    begins: cython.const[cython.Py_ssize_t][::1],
    sets: cython.const[cython.ulonglong][::1],
    scores: cython.const[cython.double][::1],
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
    best: cython.double[::1],
    end: cython.schar[::1],
) -> None:
    """best[W] and the node that comes last, end[W], for each set first <= W < last; node v has the sets from begins[v].

    Each node's sets stand best first.
    """
    W: cython.Py_ssize_t
    v: cython.Py_ssize_t
    k: cython.Py_ssize_t
    n: cython.Py_ssize_t = begins.shape[0] - 1
    others: cython.ulonglong
    score: cython.double
    with cython.nogil:
        for W in range(first, last):
            best[W] = 2.0 * NEVER
            end[W] = -1
            for v in range(n):
                if not (W >> v) & 1:
                    continue
                others = cython.cast(cython.ulonglong, W ^ (1 << v))
                k = begins[v]
                while k < begins[v + 1] and sets[k] & others != sets[k]:
                    k += 1
                if k == begins[v + 1]:
                    continue
                score = best[others] + scores[k]
                if score > best[W] + TIE:
                    best[W] = score
                    end[W] = cython.cast(cython.schar, v)
