# What sweeps in lanes calls: sixteen rows as one question.
from bayesfold.kernels.inference.layout cimport Layout

cdef class Group:
    cdef Py_ssize_t n, still, factors, fixed, records, marginals, messages, returns, slices, end
    cdef public int width  # of registers: see `widths`
    cdef double[::1] lanes, base, values, sums
    cdef Py_ssize_t[::1] starts, members, strides, begins, states, program, shift, step, turn, offset, slice, shown
    cdef bint observe(
        self, Layout tree, const Py_ssize_t[:, ::1] codes, const Py_ssize_t[::1] rows, Py_ssize_t i, Py_ssize_t
        count, Py_ssize_t target, const unsigned char[::1] weighted
    ) noexcept nogil
    cdef void reserve(self, Layout tree) noexcept nogil
    cdef void multiply_tables(self) noexcept nogil
    cdef void open_tables(self, Py_ssize_t at) noexcept nogil
    cdef void follow(self, Py_ssize_t r, Py_ssize_t rank, Py_ssize_t place, Py_ssize_t width) noexcept nogil
    cdef void advance(self, Py_ssize_t at) noexcept nogil
    cdef void enter(
        self, Layout tree, const Py_ssize_t[:, ::1] codes, const Py_ssize_t[::1] rows, Py_ssize_t i, Py_ssize_t
        count, Py_ssize_t target, const double[:, ::1] weights
    ) noexcept nogil
    cdef Py_ssize_t place(
        self, Layout tree, const Py_ssize_t[:, ::1] codes, Py_ssize_t v, Py_ssize_t row
    ) noexcept nogil
    cdef void cut(self, Py_ssize_t at, Py_ssize_t r) noexcept nogil
