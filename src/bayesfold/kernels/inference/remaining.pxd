# What looks for a witness calls: the states that remain.
from bayesfold.kernels.inference.factors cimport Factors
from bayesfold.kernels.inference.moral cimport Moral

cdef class Remaining:
    cdef Moral graph
    cdef Factors run
    cdef Py_ssize_t waiting, gone, looks
    cdef Py_ssize_t[::1] begins, children, state, turn, queue, left, some, stands, struck
    cdef unsigned char[::1] seen, queued, suspect
    cdef bint start(self) noexcept nogil
    cdef void look(self, Py_ssize_t c) noexcept nogil
    cdef void changed(self, Py_ssize_t v) noexcept nogil
    cdef void strike(self, Py_ssize_t v, Py_ssize_t s) noexcept nogil
    cdef void restore(self, Py_ssize_t gone) noexcept nogil
    cdef bint consistent(self) noexcept nogil
    cdef bint narrow(self, Py_ssize_t c) noexcept nogil
    cdef bint supported(self, Py_ssize_t c) noexcept nogil
    cdef void see(self, Py_ssize_t c) noexcept nogil
