"""Student's t: how many standard errors an interval reaches, without the second that scipy takes to load.

P(|T| > t) = I_x(d/2, 1/2),   x = d / (d + t^2),   I the regularised incomplete beta function

>>> round(quantile(0.975, 9), 6), round(quantile(0.975, math.inf), 6)
(2.262157, 1.959964)
"""

import math
from functools import cache

CLOSE = 4e-16
MOST_STEPS, MOST_TERMS = 100, 1_000
MANY = 1_000
"""From so many degrees of freedom on, four terms of the expansion about the normal quantile have 12 digits."""


@cache
def quantile(p: float, freedom: float) -> float:
    """The t with P(T <= t) = p, by Newton's steps on log P(T > t): it is nearly straight in log t, however far out."""
    if not 0 < p < 1 or not freedom > 0:
        raise ValueError(f"a quantile needs 0 < p < 1 and degrees of freedom above 0, not {p} and {freedom}")
    if p == 0.5:
        return 0.0
    if p < 0.5:
        return -quantile(1 - p, freedom)
    from statistics import NormalDist  # it loads much, and is asked when there are scores to show

    z = NormalDist().inv_cdf(p)
    if freedom >= MANY:
        return expanded(z, freedom)
    out, t = 1 - p, z
    for _ in range(MOST_STEPS):
        beyond = tail(t, freedom)
        step = math.log(beyond / out) * beyond / (t * density(t, freedom))
        t *= math.exp(min(step, 50.0))
        if abs(step) <= CLOSE * 8:
            break
    return t


def expanded(z: float, freedom: float) -> float:
    """The quantile as the normal one and terms in 1 / freedom (Abramowitz and Stegun 26.7.5)."""
    y = z * z
    terms = (
        (y + 1) / 4,
        ((5 * y + 16) * y + 3) / 96,
        (((3 * y + 19) * y + 17) * y - 15) / 384,
        ((((79 * y + 776) * y + 1482) * y - 1920) * y - 945) / 92_160,
    )
    return z * (1 + sum(term / freedom**k for k, term in enumerate(terms, 1)))


def tail(t: float, freedom: float) -> float:
    """P(T > t) of a t above 0."""
    return incomplete_beta(freedom / (freedom + t * t), t * t / (freedom + t * t), freedom / 2, 0.5) / 2


def density(t: float, freedom: float) -> float:
    """P(t) dt."""
    return math.exp(-(freedom + 1) / 2 * math.log1p(t * t / freedom) - log_beta(freedom / 2, 0.5)) / math.sqrt(freedom)


def log_beta(a: float, b: float) -> float:
    """log B(a, b)."""
    return math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)


def incomplete_beta(x: float, rest: float, a: float, b: float) -> float:
    """I_x(a, b), by its continued fraction on the side where that is short; `rest` is 1 - x, told without rounding."""
    if x > (a + 1) / (a + b + 2):
        return 1 - incomplete_beta(rest, x, b, a)
    front = math.exp(a * math.log(x) + b * math.log(rest) - log_beta(a, b)) / a
    # Lentz's method for 1 / (1 + d1 / (1 + d2 / (1 + ...)))
    c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1))
    value = d
    for m in range(1, MOST_TERMS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for coefficient in (even, odd):
            d = 1 / (1 + coefficient * d)
            c = 1 + coefficient / c
            value *= d * c
        if abs(d * c - 1) < CLOSE:
            break
    return front * value
