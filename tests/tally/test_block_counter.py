"""Sums of blocks of counts: rows that are taken out leave what was there, to the last bit."""

from fractions import Fraction

import numpy as np
import pytest

import bayesfold as bf
from bayesfold.data.batch import Batch, Panel
from bayesfold.data.encodings import Categories, Counts
from bayesfold.data.schema import Schema
from bayesfold.data.vector import Scaled, Vector
from bayesfold.tally.block_counter import BLOCK, FAR
from bayesfold.tally.counter import FEW, count
from bayesfold.tally.layout import Clique

TEXTS = ["ham and eggs", "eggs", "ham ham", "spam"]
LABELS = [*"ppqq"]
LIGHT, HEAVY = [0.1, 0.7, 1.3, 0.9], [1e15, 3e14, 7e15, 1e13]


@pytest.mark.parametrize("rows", [4, 4_000, 70_000])
def test_heavy_texts_that_are_forgotten_leave_the_light_ones_as_they_were(rows: int) -> None:
    texts, labels, heavy = ((some * (rows // 4)) for some in (TEXTS, LABELS, HEAVY))
    clf = bf.TextClassifier(model="multinomial", weights=None).fit(TEXTS, LABELS, sample_weight=LIGHT)
    before = clf.model_.tally.sums.sum(axis=0)
    clf.partial_fit(texts, labels, sample_weight=heavy)
    clf.forget(texts, labels, sample_weight=heavy)
    np.testing.assert_allclose(clf.model_.tally.sums.sum(axis=0), before, rtol=1e-12, atol=0)


def test_weighted_texts_are_summed_in_blocks_so_that_no_bit_depends_on_how_they_came() -> None:
    draw = np.random.default_rng(0)
    texts, labels = TEXTS * 20_000, LABELS * 20_000
    weights = draw.random(len(texts))
    clf = bf.TextClassifier(model="multinomial", weights=None).fit(TEXTS, LABELS, sample_weight=[1.0] * 4).blank()
    again = clf.blank()
    clf.partial_fit(texts, labels, sample_weight=weights)
    for begin in (0, BLOCK):
        rows = slice(begin, begin + BLOCK)
        again.partial_fit(texts[rows], labels[rows], sample_weight=weights[rows])
    np.testing.assert_array_equal(clf.model_.tally.sums, again.model_.tally.sums)


def batch_of(values: np.ndarray) -> Batch:
    """Rows of one class with a block of these numbers."""
    return Batch(len(values), counts=(Panel(("v",), values),), labels=np.ones(len(values), np.int32))


def schema_of(block: Vector | Counts) -> Schema:
    return Schema(Categories("y", ("p",)), (block,))


def test_one_number_far_out_makes_the_products_of_its_row_exact() -> None:
    draw = np.random.default_rng(0)
    values = draw.normal(size=(FEW, 2))
    values[::3, 0] *= FAR * 1e9
    clique = Clique(("y",), ("v",), 2)
    tally = count(schema_of(Vector("v", (Scaled("a"), Scaled("b")))), (clique,), batch_of(values))
    high, low = (half.reshape(-1, 6)[1] for half in tally.sums)
    exact = [[Fraction(float(x)) for x in row] for row in values[::3]]
    near = values[np.arange(FEW) % 3 > 0]
    for k, (i, j) in enumerate([(0, 0), (0, 1), (1, 0), (1, 1)], start=2):
        far = sum(row[i] * row[j] for row in exact)
        error = float(far - Fraction(float(high[k])) - Fraction(float(low[k]))) + (near[:, i] * near[:, j]).sum()
        assert abs(error) <= 1e-6  # one double of such sums holds no fraction


def test_the_products_of_few_rows_are_exact() -> None:
    values = np.random.default_rng(1).normal(size=(9, 1))
    tally = count(schema_of(Vector("v", (Scaled("a"),))), (Clique(("y",), ("v",), 2),), batch_of(values))
    high, low = (Fraction(float(half.reshape(-1, 2)[1, 1])) for half in tally.sums)
    assert abs(sum(Fraction(float(x)) ** 2 for x in values[:, 0]) - high - low) <= Fraction(1, 2**90)


def test_the_row_that_holds_an_infinite_number_is_named() -> None:
    values = np.zeros((5, 2))
    values[3, 1], values[4, 0] = np.inf, np.nan
    with pytest.raises(ValueError, match="row 3 holds an infinite number"):
        count(schema_of(Vector("v", (Scaled("a"), Scaled("b")))), (Clique(("y",), ("v",), 2),), batch_of(values))


@pytest.mark.parametrize(("row", "column"), [(0, 0), (0, 1), (4, 1)])
def test_the_row_and_column_of_a_count_that_is_none_are_named(row: int, column: int) -> None:
    values = np.ones((5, 3))
    values[row, column] = -1.0
    with pytest.raises(ValueError, match=f"row {row}, column {column} is not"):
        count(schema_of(Counts("v", ("a", "b", "c"))), (Clique(("y",), ("v",), 1),), batch_of(values))
