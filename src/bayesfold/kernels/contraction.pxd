# What multiplies panels calls: one matrix product.
cdef void contract(
    double[::1] t, Py_ssize_t a, Py_ssize_t row, Py_ssize_t step, Py_ssize_t b, Py_ssize_t c, Py_ssize_t rows,
    Py_ssize_t inner, Py_ssize_t columns
) noexcept nogil
