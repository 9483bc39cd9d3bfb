# What answers many rows calls: one run of a program.
from bayesfold.kernels.inference.sweep cimport Sweep

cdef class Propagation(Sweep):
    cdef double constants(self, Py_ssize_t[::1] program) noexcept nogil
    cdef double gather(self, Py_ssize_t[::1] program, Py_ssize_t c) noexcept nogil
    cdef double collect(self, Py_ssize_t[::1] program) noexcept nogil
    cdef void distribute(self, Py_ssize_t[::1] program, double[::1] out) noexcept nogil
    cdef void trace(self, Py_ssize_t[::1] program, Py_ssize_t[::1] answer) noexcept nogil
