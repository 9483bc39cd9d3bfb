# A vocabulary as loops see it: a table of keys, and the terms' bytes one behind the other.
#
# Up to 7 bytes a term is its own key; a longer one is hashed and compared. What holds a term has eight bytes to spare.
from bayesfold.kernels.runs cimport equal, load

cdef struct Lexicon:
    unsigned long long* table  # of each slot the key, 0 where there is none, and the term's number + 2^32 x its place
    unsigned long long mask  # slots - 1, their number being a power of two
    long long* ends  # term j is arena[ends[j] : ends[j + 1]]
    unsigned char* arena
    long long* top  # how many terms there are


cdef inline Lexicon lexicon(
    unsigned long long[:, ::1] table, long long[::1] ends, unsigned char[::1] arena, long long[::1] top
) noexcept nogil:
    return Lexicon(&table[0, 0], <unsigned long long>(table.shape[0] - 1), &ends[0], &arena[0], &top[0])


# Spreads what two numbers differ in to all higher bits.
cdef inline unsigned long long mixed(unsigned long long h) noexcept nogil:
    return h * <unsigned long long>0x9E3779B97F4A7C15


# The n lowest bytes of a number, n below 8.
cdef inline unsigned long long lowest(unsigned long long w, Py_ssize_t n) noexcept nogil:
    return w & ((<unsigned long long>1 << (8 * n)) - 1)


# The key of the n bytes at p: the bytes and their number, or above 7 bytes a hash with the top bit set.
cdef inline unsigned long long key_of(const unsigned char* p, Py_ssize_t n) noexcept nogil:
    cdef unsigned long long h = 0
    if n < 8:
        return lowest(load(p), n) | (<unsigned long long>n << 56)
    while n >= 8:
        h = mixed(h ^ load(p))
        h ^= h >> 32
        p += 8
        n -= 8
    if n > 0:
        h = mixed(h ^ lowest(load(p), n))
        h ^= h >> 32
    return h | (<unsigned long long>1 << 63)


# The place of a key in a vocabulary that is hashed to so many, a power of two.
cdef inline Py_ssize_t bucket_of(unsigned long long key, unsigned long long buckets) noexcept nogil:
    cdef unsigned long long h = mixed(key ^ (key >> 29))
    return <Py_ssize_t>((mixed(h ^ (h >> 32)) >> 33) & (buckets - 1))


# The key as the table has it: its top byte says how long the term is, 255 of 127 bytes or more.
cdef inline unsigned long long stamped(unsigned long long key, Py_ssize_t n) noexcept nogil:
    return key if n < 8 else lowest(key, 7) | (<unsigned long long>(n | 128 if n < 127 else 255) << 56)


# Where the search for a key begins.
cdef inline unsigned long long slot_of(unsigned long long key, unsigned long long mask) noexcept nogil:
    return (mixed(key) >> 32) & mask


# What stands beside a key: the term's number, and where its bytes begin.
cdef inline long long number_in(unsigned long long entry) noexcept nogil:
    return <unsigned int>entry


cdef inline long long place_in(unsigned long long entry) noexcept nogil:
    return <long long>(entry >> 32)


# The number of the term of n bytes at p, -1 if it is new and may not be added. There is room for it. The search for
# its key, which is stamped, begins at slot q.
cdef inline long long number_of(
    Lexicon* v, const unsigned char* p, Py_ssize_t n, unsigned long long key, unsigned long long q, bint grow
) noexcept nogil:
    cdef unsigned long long stored
    cdef long long j, start
    cdef Py_ssize_t i
    cdef Py_ssize_t last = 0 if n < 8 else n - 8
    cdef const unsigned char* known
    while True:
        stored = v.table[2 * q]
        if stored == key:
            j = number_in(v.table[2 * q + 1])
            start = place_in(v.table[2 * q + 1])
            known = p if n < 8 else v.arena + start  # a short term is its key: compared with itself, without a branch
            if load(p) == load(known) and load(p + last) == load(known + last):
                if n <= 16 or (equal(p, known, n) and (n < 127 or v.ends[j + 1] - start == n)):
                    return j
        elif stored == 0:
            if not grow:
                return -1
            j = v.top[0]
            start = v.ends[j]
            v.table[2 * q] = key
            v.table[2 * q + 1] = <unsigned long long>j | (<unsigned long long>start << 32)
            for i in range(n):
                v.arena[start + i] = p[i]
            v.ends[j + 1] = start + n
            v.top[0] = j + 1
            return j
        q = (q + 1) & v.mask
