# What other kernels may call: one smoothed ratio, one variance.
cdef double log_ratio(double n, double total, double levels, double alpha) noexcept nogil
cdef double variance_of(double w, double spread, double v, double pseudo_rows, double ddof, double added) noexcept nogil
