# Numbers m 2^(512 k), and the buffers of a query in them.
from bayesfold.kernels.inference.propagation cimport Propagation

cdef class Unbounded:
    cdef double m, best
    cdef Py_ssize_t k, best_k
    cdef double[::1] message, back, out
    cdef Py_ssize_t[::1] program, message_k, back_k, out_k, at, shift, turn, best_turn
    cdef void to_range(self) noexcept nogil
    cdef void times(self, double m, Py_ssize_t k) noexcept nogil
    cdef void add(self, double[::1] to, Py_ssize_t[::1] to_k, Py_ssize_t i) noexcept nogil
    cdef void larger(self, double[::1] to, Py_ssize_t[::1] to_k, Py_ssize_t i) noexcept nogil
    cdef void sweep(self, Propagation run, Py_ssize_t c, Py_ssize_t phase, Py_ssize_t wanted) noexcept nogil
    cdef double collect(self, Propagation run) noexcept nogil
    cdef void distribute(self, Propagation run) noexcept nogil
    cdef void off_separator(self, Py_ssize_t at) noexcept nogil
    cdef void share(
        self, double[::1] values, Py_ssize_t[::1] scales, Py_ssize_t begin, double[::1] out, Py_ssize_t at,
        Py_ssize_t size
    ) noexcept nogil
