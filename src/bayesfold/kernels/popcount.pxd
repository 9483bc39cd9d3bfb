# How many bits two bitmaps share, by the processor's own instruction where it has one. A header in C alone: the
# instructions are compiled into functions of their own and called only after the processor was asked for them, so that
# the rest stays code for any processor. `best_way` is 0 where there is no such instruction.
cdef extern from *:
    """
    #if defined(__GNUC__) && defined(__x86_64__)
    #include <cpuid.h>
    #include <immintrin.h>

    static int bayesfold_best_way(void) {
        unsigned a, b, c, d, low, high;
        if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & (1u << 23))) return 0;  /* POPCNT */
        if (!(c & (1u << 27))) return 1;  /* the system saves no wide registers */
        __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
        if ((low & 0xE6) != 0xE6 || !__get_cpuid_count(7, 0, &a, &b, &c, &d)) return 1;
        return (b & (1u << 16)) && (c & (1u << 14)) ? 2 : 1;  /* AVX512F and AVX512_VPOPCNTDQ */
    }

    __attribute__((target("popcnt")))
    static long long bayesfold_by_words(const unsigned long long *a, const unsigned long long *b, Py_ssize_t words) {
        long long total = 0;
        for (Py_ssize_t w = 0; w < words; w++) total += __builtin_popcountll(a[w] & b[w]);
        return total;
    }

    __attribute__((target("avx512f,avx512vpopcntdq")))
    static long long bayesfold_by_eight(const unsigned long long *a, const unsigned long long *b, Py_ssize_t words) {
        __m512i total = _mm512_setzero_si512();
        Py_ssize_t w = 0;
        for (; w + 8 <= words; w += 8) {
            __m512i both = _mm512_and_si512(_mm512_loadu_si512(a + w), _mm512_loadu_si512(b + w));
            total = _mm512_add_epi64(total, _mm512_popcnt_epi64(both));
        }
        if (w < words) {
            __mmask8 rest = (__mmask8)((1u << (words - w)) - 1);
            __m512i x = _mm512_maskz_loadu_epi64(rest, a + w), y = _mm512_maskz_loadu_epi64(rest, b + w);
            total = _mm512_add_epi64(total, _mm512_popcnt_epi64(_mm512_and_si512(x, y)));
        }
        return _mm512_reduce_add_epi64(total);
    }

    static inline long long bayesfold_counted(
        const unsigned long long *a, const unsigned long long *b, Py_ssize_t words, int way
    ) {
        return way == 2 ? bayesfold_by_eight(a, b, words) : bayesfold_by_words(a, b, words);
    }
    #else
    #if defined(__GNUC__) && defined(__aarch64__)
    static int bayesfold_best_way(void) { return 1; }  /* every such processor counts bits */
    static int bayesfold_bits(unsigned long long x) { return __builtin_popcountll(x); }
    #else
    static int bayesfold_best_way(void) { return 0; }
    static int bayesfold_bits(unsigned long long x) {
        int n = 0;
        for (; x; x &= x - 1) n++;
        return n;
    }
    #endif
    static long long bayesfold_counted(
        const unsigned long long *a, const unsigned long long *b, Py_ssize_t words, int way
    ) {
        long long total = 0;
        for (Py_ssize_t w = 0; w < words; w++) total += bayesfold_bits(a[w] & b[w]);
        return total;
    }
    #endif
    """
    int best_way "bayesfold_best_way"() noexcept nogil
    long long counted "bayesfold_counted"(
        const unsigned long long *a, const unsigned long long *b, Py_ssize_t words, int way
    ) noexcept nogil
