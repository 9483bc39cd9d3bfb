# What other kernels may call: one smoothed ratio, one variance, one rate and its log density.
cdef double log_ratio(double n, double total, double levels, double alpha) noexcept nogil
cdef double variance_of(double w, double spread, double v, double pseudo_rows, double ddof, double added) noexcept nogil
cdef double poisson_rate(double total, double w, double pseudo_rows, double mean) noexcept nogil
cdef double log_poisson(double rate, double x) noexcept nogil
