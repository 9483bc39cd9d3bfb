# What runs a plan calls: the layout of its cliques.
from bayesfold.kernels.inference.shape cimport Shape

cdef class Layout(Shape):
    cdef bint in_first(
        self, Py_ssize_t kind, Py_ssize_t which, Py_ssize_t axes, Py_ssize_t rank, Py_ssize_t outer
    ) noexcept nogil
    cdef void inputs(self, Py_ssize_t c) noexcept nogil
    cdef void outputs(self, Py_ssize_t c) noexcept nogil
    cdef void finish(self) noexcept nogil
