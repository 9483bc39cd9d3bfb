# What answers queries calls: whether evidence that was left out can happen.
from bayesfold.kernels.inference.remaining cimport Remaining

cdef class Witness(Remaining):
    cdef Py_ssize_t guesses
    cdef unsigned long long chance
    cdef Py_ssize_t[::1] order
    cdef bint quick(self) noexcept nogil
    cdef bint careful(self) noexcept nogil
    cdef bint holds(self) noexcept nogil
    cdef double likely(self, Py_ssize_t v, Py_ssize_t at, Py_ssize_t s) noexcept nogil
    cdef double weight(self, Py_ssize_t v, Py_ssize_t at, Py_ssize_t s) noexcept nogil
    cdef Py_ssize_t place(self, Py_ssize_t v) noexcept nogil
    cdef bint suits(self, Py_ssize_t v) noexcept nogil
