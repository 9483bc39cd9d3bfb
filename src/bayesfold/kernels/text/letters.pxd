# What reads documents calls: text as lowered bytes, and where its words or characters begin.
ctypedef struct Letters:
    const unsigned short* stage  # the block of 256 characters that a character's is kept as
    const int* fold  # of each of its characters 4 x (lower case - itself) + 2 if white space + 1 if a word's

cdef void plain_words(const unsigned char* p, Py_ssize_t size, unsigned char lower, unsigned char* out) noexcept nogil
cdef Py_ssize_t any_words(
    const unsigned char* p, Py_ssize_t size, bint ready, unsigned char lower, Letters letters, unsigned char* out
) noexcept nogil
cdef Py_ssize_t characters(
    const unsigned char* p, Py_ssize_t size, bint ready, bint bounded, Letters letters, unsigned char* out
) noexcept nogil
cdef Py_ssize_t compact(unsigned char* b, Py_ssize_t size, Py_ssize_t* starts) noexcept nogil
cdef Py_ssize_t begins(const unsigned char* b, Py_ssize_t size, Py_ssize_t* starts) noexcept nogil
