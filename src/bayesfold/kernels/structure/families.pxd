# What a search for arcs calls: what a node's parents are worth, and what one parent more or less would be.
cdef class Families:
    cdef Py_ssize_t rows, words, columns, kind, most_cells, most_bitmaps
    cdef bint weighted, prepared
    cdef double size, price, share
    cdef int way
    cdef const unsigned short[:, ::1] codes
    cdef const double[::1] weight, powers
    cdef const Py_ssize_t[::1] cards, bitmap, margin
    cdef const unsigned long long[:, ::1] bits
    cdef const double[::1] margins
    cdef const unsigned long long[::1] hashes, below
    cdef unsigned long long[::1] keys
    cdef double[::1] values, many
    cdef public Py_ssize_t known, counted
    cdef int[::1] label, order, stamp, fresh, cell
    cdef Py_ssize_t[::1] begin, members
    cdef unsigned long long[:, ::1] base
    cdef double[::1] table, sums
    cdef Py_ssize_t groups, states, large, shown
    cdef double node(
        self, Py_ssize_t v, const unsigned char[:, ::1] parents, const unsigned char[:, ::1] allowed, Py_ssize_t most,
        double[:, ::1] gain
    ) noexcept nogil
    cdef double ceiling(self, Py_ssize_t v, unsigned long long members) noexcept nogil
    cdef double worth(self, double count, double a, double begin) noexcept nogil
    cdef double beginning(self, double a) noexcept nogil
    cdef Py_ssize_t find(self, unsigned long long key) noexcept nogil
    cdef void keep(self, unsigned long long key, double value, double many) noexcept nogil
    cdef Py_ssize_t tell_apart(self, Py_ssize_t members) noexcept nogil
    cdef Py_ssize_t compact(self, Py_ssize_t kinds, Py_ssize_t column) noexcept nogil
    cdef double alone(self, unsigned long long key, Py_ssize_t members, double a) noexcept nogil
    cdef void prepare(self, Py_ssize_t v, Py_ssize_t members) noexcept nogil
    cdef void join(self, Py_ssize_t u) noexcept nogil
    cdef double difference(
        self, Py_ssize_t v, Py_ssize_t u, Py_ssize_t members, unsigned long long upper, unsigned long long lower,
        double above, double under
    ) noexcept nogil
