# What other kernels may call: the bits of the double nearest to w * 10^q, 0 where that is not plain.
cdef unsigned long long nearest(unsigned long long w, Py_ssize_t q, const unsigned long long[:, ::1] fives) noexcept nogil
