"""Text told apart by its bytes, straight from Arrow's buffers, as long as few values differ."""

import cython
from cython.cimports.bayesfold.kernels.runs import eight, same

Offset = cython.fused_type(cython.int, cython.longlong)

ODD = cython.declare(cython.ulonglong, 0x9E3779B97F4A7C15)  # 2^64 over the golden ratio
ALL = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)  # so that plain Python wraps as C does


def tell_apart(
    offsets: cython.const[Offset][::1],
    data: cython.const[cython.uchar][::1],
    valid: cython.const[cython.uchar][::1],
    offset: cython.Py_ssize_t,
    index: cython.int[::1],
    firsts: cython.longlong[::1],
    table: cython.int[::1],
) -> cython.Py_ssize_t:
    """index[i] = which distinct value row i shows, in order of appearance; -1 where its bit in `valid` is not set.

    firsts[v] is the first row with value v; `table` (-1 everywhere, a power of two long, longer than `firsts`) is
    scratch. Returns how many values there are, or -1 when there are more than `firsts` has room for.
    """
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    b: cython.Py_ssize_t
    at: cython.Py_ssize_t
    size: cython.Py_ssize_t
    first: cython.Py_ssize_t
    slot: cython.Py_ssize_t
    seen: cython.int
    distinct: cython.Py_ssize_t = 0
    mask: cython.Py_ssize_t = table.shape[0] - 1
    room: cython.Py_ssize_t = firsts.shape[0]
    holes: cython.bint = valid.shape[0] > 0
    key: cython.ulonglong
    tail: cython.ulonglong
    with cython.nogil:
        for i in range(index.shape[0]):
            if holes:
                b = i + offset
                if not (valid[b >> 3] >> (b & 7)) & 1:
                    index[i] = -1
                    continue
            at = offsets[i]
            size = offsets[i + 1] - at
            key = cython.cast(cython.ulonglong, size)
            j = 0
            while j + 8 <= size:
                key = ((key ^ eight(data, at + j)) * ODD) & ALL
                key = key ^ (key >> 32)
                j += 8
            tail = 0
            while j < size:
                tail = (tail << 8) | cython.cast(cython.ulonglong, data[at + j])
                j += 1
            key = ((key ^ tail ^ (tail >> 32)) * ODD) & ALL  # bits reach only the ones above them
            slot = cython.cast(cython.Py_ssize_t, key >> 48) & mask
            while True:
                seen = table[slot]
                if seen < 0:
                    break
                first = firsts[seen]
                if offsets[first + 1] - offsets[first] == size and same(data, offsets[first], at, size):
                    break
                slot = (slot + 1) & mask
            if seen < 0:
                if distinct == room:
                    distinct = -1
                    break
                seen = cython.cast(cython.int, distinct)
                firsts[distinct] = i
                table[slot] = seen
                distinct += 1
            index[i] = seen
    return distinct
