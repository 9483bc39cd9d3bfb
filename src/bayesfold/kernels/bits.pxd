# The element i of a bitset within its word of 64.
cdef inline unsigned long long bit(Py_ssize_t i) noexcept nogil:
    return <unsigned long long>1 << (i & 63)
