# What sweeps over a clique calls: one tile of it.
from bayesfold.kernels.inference.pair cimport Pair

cdef class Tile(Pair):
    cdef void tile(self, Py_ssize_t c, Py_ssize_t phase, Py_ssize_t records, double scale) noexcept nogil
    cdef void line(self, Py_ssize_t c, Py_ssize_t phase, Py_ssize_t records, double scale) noexcept nogil
    cdef void note(self, Py_ssize_t sizes, Py_ssize_t rank, Py_ssize_t entries, Py_ssize_t outer) noexcept nogil
