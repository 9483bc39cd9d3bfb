# What multiplies tiles calls: one that is a matrix product.
from bayesfold.kernels.inference.factors cimport Factors

cdef class Pair(Factors):
    cdef void pair(self, Py_ssize_t c, Py_ssize_t phase, Py_ssize_t records, double scale) noexcept nogil
