# Registers of two, four or eight numbers: a loop in C is written once, for W of them, and compiled for each width; the
# processor is asked once which it has. No sum is taken in another order for it, and no product is fused with an
# addition, so bits do not depend on the width.
cdef extern from *:
    """
    #if defined(__GNUC__)
    #define BAYESFOLD_INLINE static inline __attribute__((always_inline))
    #define BAYESFOLD_VECTOR(W) __attribute__((vector_size(8 * W), aligned(8), may_alias))
    typedef double bayesfold_1;
    typedef double bayesfold_2 BAYESFOLD_VECTOR(2);
    typedef double bayesfold_4 BAYESFOLD_VECTOR(4);
    typedef double bayesfold_8 BAYESFOLD_VECTOR(8);
    #define BAYESFOLD_EACH_WIDTH(LOOPS) LOOPS(1) LOOPS(2) LOOPS(4) LOOPS(8)
    #else
    #define BAYESFOLD_INLINE static
    typedef double bayesfold_1, bayesfold_2, bayesfold_4, bayesfold_8;
    #define BAYESFOLD_EACH_WIDTH(LOOPS) LOOPS(1)
    #endif

    #if defined(__GNUC__) && defined(__x86_64__)
    #include <cpuid.h>
    static int bayesfold_width(void) {  /* by AVX512F, AVX2, and what the system saves of a register */
        static int width = 0;
        unsigned a, b, c, d, low, high;
        if (width) return width;
        if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & (1u << 27))) return width = 2;
        __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
        if ((low & 6) != 6 || !__get_cpuid_count(7, 0, &a, &b, &c, &d) || !(b & (1u << 5))) return width = 2;
        return width = (low & 0xE6) == 0xE6 && b & (1u << 16) ? 8 : 4;
    }
    #define BAYESFOLD_WIDE(NAME, PARAMETERS, ARGUMENTS) \
    static void NAME##_by_2 PARAMETERS { NAME##_2 ARGUMENTS; } \
    __attribute__((target("avx2"))) static void NAME##_by_4 PARAMETERS { NAME##_4 ARGUMENTS; } \
    __attribute__((target("avx512f"))) static void NAME##_by_8 PARAMETERS { NAME##_8 ARGUMENTS; } \
    static inline void NAME PARAMETERS { \
        if (width == 8) NAME##_by_8 ARGUMENTS; \
        else if (width == 4) NAME##_by_4 ARGUMENTS; \
        else if (width == 2) NAME##_by_2 ARGUMENTS; \
        else NAME##_1 ARGUMENTS; \
    }
    #elif defined(__GNUC__)
    static int bayesfold_width(void) { return 2; }
    #define BAYESFOLD_WIDE(NAME, PARAMETERS, ARGUMENTS) \
    static inline void NAME PARAMETERS { if (width == 2) NAME##_2 ARGUMENTS; else NAME##_1 ARGUMENTS; }
    #else
    static int bayesfold_width(void) { return 1; }
    #define BAYESFOLD_WIDE(NAME, PARAMETERS, ARGUMENTS) \
    static void NAME PARAMETERS { NAME##_1 ARGUMENTS; }
    #endif
    """
    int width "bayesfold_width"() noexcept nogil
