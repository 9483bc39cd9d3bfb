# What the plan of a bucket tree calls: the order in which variables go, and sets of them.
from bayesfold.kernels.inference.moral cimport Moral

cdef Py_ssize_t elements(unsigned long long[::1] sets, Py_ssize_t which, Py_ssize_t words, Py_ssize_t[::1] out) noexcept nogil

cdef class Elimination(Moral):
    cdef double noise, dear
    cdef Py_ssize_t patience
    cdef bint filled
    cdef Py_ssize_t[::1] known
    cdef unsigned long long chance
    cdef double price(self, Py_ssize_t v, Py_ssize_t rule) noexcept nogil
    cdef double seeming(self, Py_ssize_t v, Py_ssize_t rule) noexcept nogil
    cdef double greedy(self, Py_ssize_t rule, bint asked_last, double bound) noexcept nogil
    cdef double order(self, bint asked_last) noexcept nogil
    cdef void take(self) noexcept nogil
