# What lays a plan out calls: the tree, whose program it writes on.
from bayesfold.kernels.inference.elimination cimport Elimination

cdef class BucketTree:
    cdef Elimination graph
    cdef Py_ssize_t n, end, cliques, tile
    cdef bint marginals, sparse
    cdef public double entries  # of all tables, as the last order was weighed
    cdef Py_ssize_t[::1] strides, states, program
    cdef Py_ssize_t[::1] position, parent, size, clique, factors, children
    cdef Py_ssize_t[::1] first, last, above, rank, head, child, sibling
    cdef Py_ssize_t[::1] step, stride, where, order, run_size, run_step
    cdef Py_ssize_t[::1] family, following, kinds, ids, levels
    cdef double[::1] density, thin, least
    cdef Py_ssize_t prepare(
        self, bint everything, Py_ssize_t targets, bint asked_last, bint maximise, bint marginals, Py_ssize_t tile
    ) noexcept nogil
    cdef void join(self, bint asked_last) noexcept nogil
    cdef void arrange(self, bint asked_last, Py_ssize_t targets) noexcept nogil
    cdef void measure(self, Py_ssize_t c, Py_ssize_t targets) noexcept nogil
    cdef bint comes_before(self, Py_ssize_t u, Py_ssize_t v) noexcept nogil
