# What orders an elimination calls: the variables that a query leaves, and their graph.
cdef class Moral:
    cdef Py_ssize_t n, left, words
    cdef Py_ssize_t[::1] card, starts, members, code, live, place, sequence, trial, near, far, root, stack
    cdef double[::1] logs, cost
    cdef unsigned char[::1] soft, asked, kept, touched, cut, zeros
    cdef bint doubt
    cdef unsigned long long[::1] links, graph, bags, trial_bags
    cdef void relevant(self, bint everything, Py_ssize_t targets) noexcept nogil
    cdef Py_ssize_t find(self, Py_ssize_t v) noexcept nogil
    cdef void moralise(self, bint together) noexcept nogil
