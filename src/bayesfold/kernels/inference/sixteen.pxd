# Sixteen rows side by side, along the last axis of a clique and over its messages.
#
#     run    the product along the axis, where the product of the tables is `base`, goes where it goes. Of the records,
#            the first are factors that stay the same, then such as move by their steps, then sums that stay and that
#            move; `apart` is how far the steps of two records are.
#     share  each lane divided by its sum, which is left in `sums`; a lane of zeros stays.
from bayesfold.kernels.inference.widths cimport width as _

cdef extern from *:
    """
    #define BAYESFOLD_SIXTEEN(W) \
    BAYESFOLD_INLINE void bayesfold_run_##W( \
        int width, double *lanes, const double *base, Py_ssize_t n, const Py_ssize_t *place, const Py_ssize_t *step, \
        Py_ssize_t apart, Py_ssize_t still, Py_ssize_t factors, Py_ssize_t sums, Py_ssize_t records \
    ) { \
        Py_ssize_t j, u; \
        for (double *lane = lanes; lane < lanes + 16; lane += 2 * W) { \
            bayesfold_##W p, q, *at, sum = {0}, more = {0}, stay = {0}, too = {0}; \
            stay += 1.0; \
            too += 1.0; \
            for (j = 0; j < still; j++) { \
                at = (bayesfold_##W *)(lane + place[j]); \
                stay *= at[0]; \
                too *= at[1]; \
            } \
            for (u = 0; u < n; u++) { \
                if (base[u] == 0.0) continue; \
                p = stay * base[u]; \
                q = too * base[u]; \
                for (j = still; j < factors; j++) { \
                    at = (bayesfold_##W *)(lane + place[j] + u * step[j * apart]); \
                    p *= at[0]; \
                    q *= at[1]; \
                } \
                sum += p; \
                more += q; \
                for (j = sums; j < records; j++) { \
                    at = (bayesfold_##W *)(lane + place[j] + u * step[j * apart]); \
                    at[0] += p; \
                    at[1] += q; \
                } \
            } \
            for (j = factors; j < sums; j++) { \
                at = (bayesfold_##W *)(lane + place[j]); \
                at[0] += sum; \
                at[1] += more; \
            } \
        } \
    } \
    BAYESFOLD_INLINE void bayesfold_share_##W(int width, double *lanes, Py_ssize_t entries, double *sums) { \
        double over[16]; \
        for (int lane = 0; lane < 16; lane += W) { \
            bayesfold_##W sum = {0}; \
            for (Py_ssize_t i = lane; i < 16 * entries; i += 16) sum += *(const bayesfold_##W *)(lanes + i); \
            *(bayesfold_##W *)(sums + lane) = sum; \
        } \
        for (int lane = 0; lane < 16; lane++) over[lane] = sums[lane] > 0.0 ? 1.0 / sums[lane] : 0.0; \
        for (int lane = 0; lane < 16; lane += W) \
            for (Py_ssize_t i = lane; i < 16 * entries; i += 16) \
                *(bayesfold_##W *)(lanes + i) *= *(const bayesfold_##W *)(over + lane); \
    }
    BAYESFOLD_EACH_WIDTH(BAYESFOLD_SIXTEEN)
    BAYESFOLD_WIDE(bayesfold_run, (
        int width, double *lanes, const double *base, Py_ssize_t n, const Py_ssize_t *place, const Py_ssize_t *step,
        Py_ssize_t apart, Py_ssize_t still, Py_ssize_t factors, Py_ssize_t sums, Py_ssize_t records
    ), (width, lanes, base, n, place, step, apart, still, factors, sums, records))
    BAYESFOLD_WIDE(bayesfold_share, (int width, double *lanes, Py_ssize_t entries, double *sums),
        (width, lanes, entries, sums))
    """
    void _run "bayesfold_run"(
        int width, double *lanes, const double *base, Py_ssize_t n, const Py_ssize_t *place, const Py_ssize_t *step,
        Py_ssize_t apart, Py_ssize_t still, Py_ssize_t factors, Py_ssize_t sums, Py_ssize_t records
    ) noexcept nogil
    void _share "bayesfold_share"(int width, double *lanes, Py_ssize_t entries, double *sums) noexcept nogil


cdef inline void run(
    int width, double[::1] lanes, double[::1] base, Py_ssize_t e, Py_ssize_t n, Py_ssize_t[::1] place,
    Py_ssize_t[::1] step, Py_ssize_t apart, Py_ssize_t still, Py_ssize_t factors, Py_ssize_t sums, Py_ssize_t records
) noexcept nogil:
    _run(width, &lanes[0], &base[e], n, &place[0], &step[apart - 1], apart, still, factors, sums, records)


cdef inline void share(
    int width, double[::1] lanes, Py_ssize_t begin, Py_ssize_t entries, double[::1] sums
) noexcept nogil:
    _share(width, &lanes[begin], entries, &sums[0])
