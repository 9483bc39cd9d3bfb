# Runs of bytes, eight at a time: what kernels that tell text apart call.
from libc.string cimport memcpy

cdef extern from *:
    """
    #if defined(__GNUC__) || defined(__clang__)
    #define bayesfold_fetch(p) __builtin_prefetch((const void *)(p))
    #else
    #define bayesfold_fetch(p) ((void)(p))
    #endif
    """
    void fetch "bayesfold_fetch"(const void* p) noexcept nogil  # begin to bring what stands at p into the cache


# Eight bytes from p on, the first lowest (on the little-endian machines that Arrow's buffers are for).
cdef inline unsigned long long load(const unsigned char* p) noexcept nogil:
    cdef unsigned long long w
    memcpy(&w, p, 8)
    return w


# Whether n bytes are the same; none behind them is read.
cdef inline bint equal(const unsigned char* p, const unsigned char* q, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i = 0
    while i + 8 <= n:
        if load(p + i) != load(q + i):
            return False
        i += 8
    if n >= 8:
        return i == n or load(p + n - 8) == load(q + n - 8)
    while i < n:
        if p[i] != q[i]:
            return False
        i += 1
    return True


# The same two of one buffer: eight bytes, and whether the `size` bytes at a and at b are the same.
cdef inline unsigned long long eight(const unsigned char[::1] data, Py_ssize_t at) noexcept nogil:
    return load(&data[at])


cdef inline bint same(const unsigned char[::1] data, Py_ssize_t a, Py_ssize_t b, Py_ssize_t size) noexcept nogil:
    return equal(&data[a], &data[b], size)
