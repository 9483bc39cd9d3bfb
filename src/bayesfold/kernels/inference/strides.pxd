# What shapes a plan's cliques calls: records of how factors run.
from bayesfold.kernels.inference.bucket_tree cimport BucketTree

cdef class Strides(BucketTree):
    cdef void set_strides(self, Py_ssize_t kind, Py_ssize_t which, bint on) noexcept nogil
    cdef void record(
        self, Py_ssize_t kind, Py_ssize_t which, Py_ssize_t axes, Py_ssize_t rank, Py_ssize_t outer, Py_ssize_t gap,
        Py_ssize_t end
    ) noexcept nogil
