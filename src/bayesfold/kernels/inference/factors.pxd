# What multiplies cliques calls: the factors of one.
cdef class Factors:
    cdef Py_ssize_t n, wanted, inputs, best_at
    cdef double best
    cdef public int width  # of registers: see `widths`
    cdef Py_ssize_t[::1] program, starts, members, strides, begins, states, code, at, shift, index, turn, best_turn
    cdef double[::1] values, likelihood, tables, messages, returns, partial, out
    cdef Py_ssize_t base(self, Py_ssize_t family) noexcept nogil
    cdef double value(self, Py_ssize_t kind, Py_ssize_t at) noexcept nogil
    cdef void multiply(
        self, Py_ssize_t verb, Py_ssize_t outer, Py_ssize_t first, Py_ssize_t inputs, Py_ssize_t place,
        Py_ssize_t entries, double scale
    ) noexcept nogil
    cdef void run(
        self, Py_ssize_t verb, Py_ssize_t record, Py_ssize_t outer, Py_ssize_t place, double[::1] factor,
        Py_ssize_t shift, double scale
    ) noexcept nogil
    cdef void spill(
        self, Py_ssize_t verb, Py_ssize_t record, Py_ssize_t outer, Py_ssize_t place, Py_ssize_t entries,
        double[::1] target, Py_ssize_t shift
    ) noexcept nogil
    cdef void give(
        self, Py_ssize_t outer, Py_ssize_t begin, Py_ssize_t end, Py_ssize_t place, Py_ssize_t entries
    ) noexcept nogil
