"""Sums of blocks of counts: rows that are taken out leave what was there, to the last bit."""

import numpy as np
import pytest

import bayesfold as bf
from bayesfold.tally.block_counter import BLOCK

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
