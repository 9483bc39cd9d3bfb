# What other kernels may call: double-double arithmetic and one cell's mean and squares.
cdef (double, double) two_product(double a, double b) noexcept nogil
cdef (double, double) pair_sum(double ah, double al, double bh, double bl) noexcept nogil
cdef (double, double) pair_product(double ah, double al, double bh, double bl) noexcept nogil
cdef (double, double) mean_and_squares(double w, double wl, double h1, double l1, double h2, double l2) noexcept nogil
