# What answers queries calls: whether evidence that was left out can happen.
from bayesfold.kernels.factors cimport Factors
from bayesfold.kernels.moral cimport Moral

cdef class Witness:
    cdef Moral graph
    cdef Factors run
    cdef Py_ssize_t[::1] order, begins, children, state
    cdef bint found(self) noexcept nogil
    cdef double weight(self, Py_ssize_t v, Py_ssize_t at, Py_ssize_t s) noexcept nogil
    cdef Py_ssize_t place(self, Py_ssize_t v) noexcept nogil
    cdef bint suits(self, Py_ssize_t v) noexcept nogil
