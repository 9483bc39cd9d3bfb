# What runs a plan calls: the layout of its cliques.
from bayesfold.kernels.bucket_tree cimport BucketTree

cdef class Layout(BucketTree):
    cdef Py_ssize_t lead, same
    cdef void shape(self, Py_ssize_t c, Py_ssize_t count) noexcept nogil
    cdef void thin_first(self, Py_ssize_t axes, Py_ssize_t k, Py_ssize_t count) noexcept nogil
    cdef void one_last(self, Py_ssize_t axes, Py_ssize_t outer, Py_ssize_t count) noexcept nogil
    cdef bint stays(self, Py_ssize_t kind, Py_ssize_t which, Py_ssize_t axes, Py_ssize_t outer) noexcept nogil
    cdef double share_of(self, Py_ssize_t i) noexcept nogil
    cdef void set_strides(self, Py_ssize_t kind, Py_ssize_t which, bint on) noexcept nogil
    cdef void record(
        self, Py_ssize_t kind, Py_ssize_t which, Py_ssize_t axes, Py_ssize_t rank, Py_ssize_t outer
    ) noexcept nogil
    cdef void inputs(self, Py_ssize_t c) noexcept nogil
    cdef void outputs(self, Py_ssize_t c) noexcept nogil
    cdef void finish(self) noexcept nogil
