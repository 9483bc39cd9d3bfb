# A small matrix product, C[r, j] = sum over k of A[r, k] B[k, j]: what most of a large clique's time goes to. A has
# steps from row to row and within one; B and C lie one row after another. Where A is zero, B is left out. Four rows are
# done at a time; the last rows and columns are done together with some that have been done before.
from bayesfold.kernels.inference.widths cimport width as _

cdef extern from *:
    """
    #define BAYESFOLD_PRODUCT(W) \
    BAYESFOLD_INLINE void bayesfold_four_rows_##W( \
        const double *a, Py_ssize_t row, Py_ssize_t step, const double *b, double *c, Py_ssize_t inner, \
        Py_ssize_t columns \
    ) { \
        bayesfold_##W t, e = {0}, f = {0}, g = {0}, h = {0}; \
        for (Py_ssize_t k = 0; k < inner; k++, a += step, b += columns) { \
            if (a[0] == 0.0 && a[row] == 0.0 && a[2 * row] == 0.0 && a[3 * row] == 0.0) continue; \
            t = *(const bayesfold_##W *)b; \
            e += a[0] * t; \
            f += a[row] * t; \
            g += a[2 * row] * t; \
            h += a[3 * row] * t; \
        } \
        *(bayesfold_##W *)c = e; \
        *(bayesfold_##W *)(c + columns) = f; \
        *(bayesfold_##W *)(c + 2 * columns) = g; \
        *(bayesfold_##W *)(c + 3 * columns) = h; \
    } \
    BAYESFOLD_INLINE void bayesfold_one_row_##W( \
        const double *a, Py_ssize_t step, const double *b, double *c, Py_ssize_t inner, Py_ssize_t columns \
    ) { \
        bayesfold_##W e = {0}; \
        for (Py_ssize_t k = 0; k < inner; k++, a += step, b += columns) \
            if (*a != 0.0) e += *a * *(const bayesfold_##W *)b; \
        *(bayesfold_##W *)c = e; \
    } \
    BAYESFOLD_INLINE void bayesfold_contract_##W( \
        int width, const double *a, Py_ssize_t row, Py_ssize_t step, const double *b, double *c, Py_ssize_t rows, \
        Py_ssize_t inner, Py_ssize_t columns \
    ) { \
        for (Py_ssize_t j = 0; j < columns; j += W) { \
            if (j + W > columns) j = columns - W; \
            if (rows < 4) \
                for (Py_ssize_t r = 0; r < rows; r++) \
                    bayesfold_one_row_##W(a + r * row, step, b + j, c + r * columns + j, inner, columns); \
            else \
                for (Py_ssize_t r = 0; r < rows; r += 4) { \
                    if (r + 4 > rows) r = rows - 4; \
                    bayesfold_four_rows_##W(a + r * row, row, step, b + j, c + r * columns + j, inner, columns); \
                } \
        } \
    }
    BAYESFOLD_EACH_WIDTH(BAYESFOLD_PRODUCT)
    BAYESFOLD_WIDE(bayesfold_contract, (
        int width, const double *a, Py_ssize_t row, Py_ssize_t step, const double *b, double *c, Py_ssize_t rows,
        Py_ssize_t inner, Py_ssize_t columns
    ), (width, a, row, step, b, c, rows, inner, columns))
    """
    void product "bayesfold_contract"(
        int width, const double *a, Py_ssize_t row, Py_ssize_t step, const double *b, double *c, Py_ssize_t rows,
        Py_ssize_t inner, Py_ssize_t columns
    ) noexcept nogil


# All three lie in t: A from a on, B from b on, C from c on. A register is no wider than a row of C.
cdef inline void contract(
    int width, double[::1] t, Py_ssize_t a, Py_ssize_t row, Py_ssize_t step, Py_ssize_t b, Py_ssize_t c,
    Py_ssize_t rows, Py_ssize_t inner, Py_ssize_t columns
) noexcept nogil:
    while width > columns:
        width //= 2
    product(width, &t[a], row, step, &t[b], &t[c], rows, inner, columns)
