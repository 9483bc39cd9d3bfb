# Whether a number became too small or too large for a double since `forget` was called: the processor notes it by
# itself, so that loops pay nothing for it. Each thread has its own notes. On x86 they are read directly, because the
# standard's functions also look after an older unit that no loop of ours uses, and take a tenth of a small query for it.
cdef extern from *:
    """
    #if defined(__SSE2__) || defined(_M_X64)
    #include <xmmintrin.h>
    #define BAYESFOLD_LOSSES 0x1D /* invalid, divided by zero, too large, too small */
    static inline void bayesfold_forget(void) { _mm_setcsr(_mm_getcsr() & ~BAYESFOLD_LOSSES); }
    static inline int bayesfold_happened(void) { return (_mm_getcsr() & BAYESFOLD_LOSSES) != 0; }
    #else
    #include <fenv.h>
    #define BAYESFOLD_LOSSES (FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW | FE_UNDERFLOW)
    static inline void bayesfold_forget(void) { feclearexcept(BAYESFOLD_LOSSES); }
    static inline int bayesfold_happened(void) { return fetestexcept(BAYESFOLD_LOSSES) != 0; }
    #endif
    """
    void forget "bayesfold_forget"() noexcept nogil
    bint happened "bayesfold_happened"() noexcept nogil
