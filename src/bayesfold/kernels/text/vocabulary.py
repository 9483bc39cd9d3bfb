"""Two vocabularies become one, terms get other numbers, a table of keys becomes larger (see `lexicon.pxd`)."""

import cython
from cython.cimports.bayesfold.kernels.text.lexicon import (
    Lexicon,
    bucket_of,
    key_of,
    lexicon,
    number_of,
    slot_of,
    stamped,
)


def adopt(
    theirs: cython.const[cython.uchar][::1],
    their_ends: cython.const[cython.longlong][::1],
    grow: cython.bint,
    table: cython.ulonglong[:, ::1],
    ends: cython.longlong[::1],
    arena: cython.uchar[::1],
    top: cython.longlong[::1],
    numbers: cython.int[::1],
) -> None:
    """The numbers of another vocabulary's terms in this one, -1 where they are not; or add them: there is room."""
    j: cython.Py_ssize_t
    n: cython.Py_ssize_t
    p: cython.Py_ssize_t
    key: cython.ulonglong
    ours: Lexicon = lexicon(table, ends, arena, top)
    with cython.nogil:
        for j in range(numbers.shape[0]):
            p = their_ends[j]
            n = their_ends[j + 1] - p
            key = stamped(key_of(cython.address(theirs[p]), n), n)
            numbers[j] = cython.cast(
                cython.int,
                number_of(cython.address(ours), cython.address(theirs[p]), n, key, slot_of(key, ours.mask), grow),
            )


def buckets_of(
    letters: cython.const[cython.uchar][::1],
    ends: cython.const[cython.longlong][::1],
    buckets: cython.ulonglong,
    places: cython.Py_ssize_t[::1],
) -> None:
    """Where a hashed vocabulary has each term."""
    j: cython.Py_ssize_t
    with cython.nogil:
        for j in range(places.shape[0]):
            places[j] = bucket_of(key_of(cython.address(letters[ends[j]]), ends[j + 1] - ends[j]), buckets)


def renumber(
    old: cython.const[cython.int][::1], numbers: cython.const[cython.int][::1], fresh: cython.int[::1]
) -> None:
    """fresh[i] = numbers[old[i]]."""
    i: cython.Py_ssize_t
    with cython.nogil:
        for i in range(old.shape[0]):
            fresh[i] = numbers[old[i]]


def rehash(old: cython.const[cython.ulonglong][:, ::1], table: cython.ulonglong[:, ::1]) -> None:
    """Move every entry to a larger table."""
    i: cython.Py_ssize_t
    q: cython.ulonglong
    mask: cython.ulonglong = cython.cast(cython.ulonglong, table.shape[0] - 1)
    with cython.nogil:
        for i in range(old.shape[0]):
            if old[i, 0] != 0:
                q = slot_of(old[i, 0], mask)
                while table[q, 0] != 0:
                    q = (q + 1) & mask
                table[q, 0] = old[i, 0]
                table[q, 1] = old[i, 1]
