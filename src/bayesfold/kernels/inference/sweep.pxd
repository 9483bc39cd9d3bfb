# What propagates calls: one pass over one clique.
from bayesfold.kernels.inference.tile cimport Tile

cdef class Sweep(Tile):
    cdef void sweep(self, Py_ssize_t c, Py_ssize_t phase) noexcept nogil
    cdef bint advance(self, Py_ssize_t sizes, Py_ssize_t lead, Py_ssize_t by, Py_ssize_t records) noexcept nogil
    cdef void nest(self, Py_ssize_t c, Py_ssize_t phase, Py_ssize_t records) noexcept nogil
    cdef void keep(self, Py_ssize_t c, double scale) noexcept nogil
