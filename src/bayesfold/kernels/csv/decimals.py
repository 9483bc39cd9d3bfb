"""Decimals to the nearest double: a product with the upper 128 bits of a power of five decides nearly always.

D. Lemire, "Number parsing at a gigabyte per second", Software: Practice and Experience 51 (2021).
"""

import cython

LEAST_POWER = cython.declare(cython.Py_ssize_t, -342)  # of ten, in the table of powers of five
LARGEST_POWER = cython.declare(cython.Py_ssize_t, 308)


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def high_product(a: cython.ulonglong, b: cython.ulonglong) -> cython.ulonglong:
    """The upper 64 bits of a product of 128."""
    low: cython.ulonglong = 0xFFFFFFFF
    x: cython.ulonglong = (a & low) * (b & low)
    y: cython.ulonglong = (a >> 32) * (b & low)
    z: cython.ulonglong = (a & low) * (b >> 32)
    carry: cython.ulonglong = ((x >> 32) + (y & low) + (z & low)) >> 32
    return (a >> 32) * (b >> 32) + (y >> 32) + (z >> 32) + carry


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def nearest(
    w: cython.ulonglong, q: cython.Py_ssize_t, fives: cython.const[cython.ulonglong][:, ::1]
) -> cython.ulonglong:
    """The bits of the double nearest to w * 10^q, w > 0; 0 where that is not plain."""
    one: cython.ulonglong = 1
    upper: cython.ulonglong
    lower: cython.ulonglong
    more: cython.ulonglong
    mantissa: cython.ulonglong
    zeros: cython.Py_ssize_t = 0
    top: cython.Py_ssize_t
    shift: cython.Py_ssize_t
    power: cython.Py_ssize_t
    if q < LEAST_POWER or q > LARGEST_POWER:
        return 0
    while w >> 56 == 0:
        w <<= 8
        zeros += 8
    while w >> 63 == 0:
        w <<= 1
        zeros += 1
    upper = high_product(w, fives[q - LEAST_POWER, 0])
    lower = w * fives[q - LEAST_POWER, 0]
    if upper & 0x1FF == 0x1FF:
        more = high_product(w, fives[q - LEAST_POWER, 1])
        lower += more
        if more > lower:
            upper += 1
        if lower == ~(one - one):
            return 0
    top = cython.cast(cython.Py_ssize_t, upper >> 63)
    shift = top + 9
    mantissa = upper >> shift
    power = (((152170 + 65536) * q) >> 16) + 63 + top - zeros + 1023
    if power <= 0 or power >= 0x7FE:
        return 0
    if lower <= 1 and q >= -4 and q <= 23 and (mantissa & 3) == 1 and (mantissa << shift) == upper:
        mantissa &= ~one  # exactly between two: to the even one
    mantissa = (mantissa + (mantissa & 1)) >> 1
    if mantissa >= one << 53:
        mantissa = one << 52
        power += 1
    return (mantissa & ~(one << 52)) | (cython.cast(cython.ulonglong, power) << 52)
