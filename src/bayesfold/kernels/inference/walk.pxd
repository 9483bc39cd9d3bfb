# What walks a clique calls: one verb over one tile.
cdef void walk(
    Py_ssize_t verb, double[::1] tile, Py_ssize_t p, Py_ssize_t away, Py_ssize_t[::1] program, Py_ssize_t sizes,
    Py_ssize_t rank, double[::1] factor, Py_ssize_t o, double scale, Py_ssize_t[::1] index
) noexcept nogil
