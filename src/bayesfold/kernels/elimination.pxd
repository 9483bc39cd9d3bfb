# What the plan of a bucket tree calls: the variables that a query leaves, and the order in which they go.
cdef Py_ssize_t elements(unsigned long long[::1] sets, Py_ssize_t which, Py_ssize_t words, Py_ssize_t[::1] out) noexcept nogil

cdef class Elimination:
    cdef Py_ssize_t n, left, words
    cdef Py_ssize_t[::1] card, starts, members, code, live, place, sequence, trial, near, far, root, stack
    cdef double[::1] logs, cost
    cdef double noise
    cdef unsigned long long chance
    cdef unsigned char[::1] soft, asked, kept, touched
    cdef unsigned long long[::1] links, graph, bags, trial_bags
    cdef void relevant(self, bint everything, Py_ssize_t targets) noexcept nogil
    cdef Py_ssize_t find(self, Py_ssize_t v) noexcept nogil
    cdef void moralise(self, bint together) noexcept nogil
    cdef double price(self, Py_ssize_t v, Py_ssize_t rule) noexcept nogil
    cdef double seeming(self, Py_ssize_t v, Py_ssize_t rule) noexcept nogil
    cdef double greedy(self, Py_ssize_t rule, bint asked_last, double bound) noexcept nogil
    cdef double order(self, bint asked_last) noexcept nogil
    cdef void take(self) noexcept nogil
