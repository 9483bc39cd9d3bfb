"""Loops that a header holds in C, in plain Python: number by number, in the order in which C takes them."""

from typing import Any

import numpy as np

Places = Any  # an array of integers
Numbers = Any  # an array of numbers


def contract(
    width: int, t: Numbers, a: int, row: int, step: int, b: int, c: int, rows: int, inner: int, columns: int
) -> None:
    """C[r, j] = sum over k of A[r, k] B[k, j]."""
    for r in range(rows):
        total = np.zeros(columns)
        for k in range(inner):
            total += t[a + r * row + k * step] * t[b + k * columns : b + (k + 1) * columns]
        t[c + r * columns : c + (r + 1) * columns] = total


def run(
    width: int,
    lanes: Numbers,
    base: Numbers,
    e: int,
    n: int,
    place: Places,
    step: Places,
    apart: int,
    still: int,
    factors: int,
    sums: int,
    records: int,
) -> None:
    """The last axis of a clique, sixteen rows side by side."""
    stay, total = np.ones(16), np.zeros(16)
    for j in range(still):
        stay *= lanes[place[j] : place[j] + 16]
    for u in range(n):
        product = stay * base[e + u]
        for j in range(still, factors):
            at = place[j] + u * step[(j + 1) * apart - 1]
            product *= lanes[at : at + 16]
        total += product
        for j in range(sums, records):
            at = place[j] + u * step[(j + 1) * apart - 1]
            lanes[at : at + 16] += product
    for j in range(factors, sums):
        lanes[place[j] : place[j] + 16] += total


def share(width: int, lanes: Numbers, begin: int, entries: int, sums: Numbers) -> None:
    """Each lane divided by its sum."""
    some = lanes[begin : begin + 16 * entries].reshape(-1, 16)
    total = np.zeros(16)
    for entry in some:
        total += entry
    sums[:16] = total
    some *= np.divide(1.0, total, out=np.zeros(16), where=total > 0)
