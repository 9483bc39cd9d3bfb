# Loops for registers and instructions that not every processor has. A header in C alone: each is compiled into a
# function of its own and called only after the processor was asked for it, so that the rest stays code for any
# processor. `widest` is 0: nothing is known, 1: it counts bits, 2: and has AVX2, 3: and AVX-512 that counts bits.
# Whatever the way, an answer has the same bits: nothing is summed in another order or rounded less often.
cdef extern from *:
    """
    #if defined(__GNUC__) && defined(__x86_64__)
    #include <cpuid.h>
    #include <immintrin.h>
    #define BAYESFOLD_FOR(features) __attribute__((target(features)))

    static int bayesfold_widest(void) {
        unsigned a, b, c, d, low, high;
        if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & (1u << 23))) return 0;  /* POPCNT */
        if (!(c & (1u << 27))) return 1;  /* the system saves no wide registers */
        __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
        if ((low & 0x06) != 0x06 || !__get_cpuid_count(7, 0, &a, &b, &c, &d) || !(b & (1u << 5))) return 1;  /* AVX2 */
        return (low & 0xE6) == 0xE6 && (b & (1u << 16)) && (c & (1u << 14)) ? 3 : 2;  /* AVX512F, VPOPCNTDQ */
    }

    BAYESFOLD_FOR("popcnt")
    static long long bayesfold_bits(const unsigned long long *a, const unsigned long long *b, Py_ssize_t words) {
        long long total = 0;
        for (Py_ssize_t w = 0; w < words; w++) total += __builtin_popcountll(a[w] & b[w]);
        return total;
    }

    BAYESFOLD_FOR("avx512f,avx512vpopcntdq")
    static long long bayesfold_bits_512(const unsigned long long *a, const unsigned long long *b, Py_ssize_t words) {
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
    #else
    #if defined(__GNUC__) && defined(__aarch64__)
    static int bayesfold_widest(void) { return 1; }  /* every such processor counts bits */
    static int bayesfold_ones(unsigned long long x) { return __builtin_popcountll(x); }
    #else
    static int bayesfold_widest(void) { return 0; }
    static int bayesfold_ones(unsigned long long x) {
        int n = 0;
        for (; x; x &= x - 1) n++;
        return n;
    }
    #endif
    static long long bayesfold_bits(const unsigned long long *a, const unsigned long long *b, Py_ssize_t words) {
        long long total = 0;
        for (Py_ssize_t w = 0; w < words; w++) total += bayesfold_ones(a[w] & b[w]);
        return total;
    }
    #endif

    #if defined(_MSC_VER)
    #define BAYESFOLD_ONLY __restrict
    #else
    #define BAYESFOLD_ONLY __restrict__
    #endif

    /* H[q, r] += s[0] v[0, q] v[0, r], then the same of v[1], v[2] and v[3], for q <= r < n. */
    #define BAYESFOLD_SQUARES(name) static void name(                                                    \\
        double *BAYESFOLD_ONLY H, Py_ssize_t step, const double *BAYESFOLD_ONLY v, Py_ssize_t n,         \\
        const double *BAYESFOLD_ONLY s                                                                   \\
    ) {                                                                                                  \\
        const double *v1 = v + n, *v2 = v1 + n, *v3 = v2 + n;                                            \\
        for (Py_ssize_t q = 0; q < n; q++) {                                                             \\
            double *h = H + q * step;                                                                    \\
            const double a0 = s[0] * v[q], a1 = s[1] * v1[q], a2 = s[2] * v2[q], a3 = s[3] * v3[q];      \\
            for (Py_ssize_t r = q; r < n; r++)                                                           \\
                h[r] = (((h[r] + a0 * v[r]) + a1 * v1[r]) + a2 * v2[r]) + a3 * v3[r];                    \\
        }                                                                                                \\
    }
    BAYESFOLD_SQUARES(bayesfold_squares)
    #if defined(__GNUC__) && defined(__x86_64__)
    BAYESFOLD_FOR("avx2") BAYESFOLD_SQUARES(bayesfold_squares_256)
    BAYESFOLD_FOR("avx512f") BAYESFOLD_SQUARES(bayesfold_squares_512)
    #endif

    static inline long long bayesfold_count_shared(
        const unsigned long long *a, const unsigned long long *b, Py_ssize_t words, int way
    ) {
    #if defined(__GNUC__) && defined(__x86_64__)
        if (way >= 3) return bayesfold_bits_512(a, b, words);
    #endif
        return bayesfold_bits(a, b, words);
    }

    static inline void bayesfold_add_squares(
        double *H, Py_ssize_t step, const double *v, Py_ssize_t n, const double *s, int way
    ) {
    #if defined(__GNUC__) && defined(__x86_64__)
        if (way >= 3) { bayesfold_squares_512(H, step, v, n, s); return; }
        if (way >= 2) { bayesfold_squares_256(H, step, v, n, s); return; }
    #endif
        bayesfold_squares(H, step, v, n, s);
    }
    """
    int widest "bayesfold_widest"() noexcept nogil
    # the bits that two bitmaps of so many words share
    long long count_shared "bayesfold_count_shared"(
        const unsigned long long *a, const unsigned long long *b, Py_ssize_t words, int way
    ) noexcept nogil
    # H[q, r] += sum_k s[k] v[k, q] v[k, r], from k = 0 to 3, for q <= r < n; a row of H has `step` entries, one of v n
    void add_squares "bayesfold_add_squares"(
        double *H, Py_ssize_t step, const double *v, Py_ssize_t n, const double *s, int way
    ) noexcept nogil
