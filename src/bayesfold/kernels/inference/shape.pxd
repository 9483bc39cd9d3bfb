# What lays a plan out calls: the shapes of its cliques.
from bayesfold.kernels.inference.strides cimport Strides

cdef class Shape(Strides):
    cdef Py_ssize_t lead, same, sums, rows, columns, rows_at, columns_at
    cdef void shape(self, Py_ssize_t c, Py_ssize_t count) noexcept nogil
    cdef void thin_first(self, Py_ssize_t axes, Py_ssize_t k, Py_ssize_t count) noexcept nogil
    cdef void owners(self, Py_ssize_t axes, Py_ssize_t rank, Py_ssize_t count) noexcept nogil
    cdef bint pair(self, Py_ssize_t c, Py_ssize_t count) noexcept nogil
    cdef bint panels(self, Py_ssize_t at) noexcept nogil
    cdef void one_last(self, Py_ssize_t axes, Py_ssize_t outer, Py_ssize_t count) noexcept nogil
    cdef double share_of(self, Py_ssize_t i) noexcept nogil
