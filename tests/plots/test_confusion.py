"""Rows by truth and decision."""

import numpy as np
import pytest
from sklearn.metrics import confusion_matrix

from bayesfold.plots import confusion

from .sources import LOSS, PAIR, THREE, TRUTH, TWO, Y, drawn, proba


def test_counts_with_rejected_rows():
    found = confusion.data(THREE)
    decided = THREE.decisions["NaiveBayes"][0]
    assert found.decisions == ("home", "intensive", "ward", "reject")
    assert (decided < 0).any()
    expected = [[((t == TRUTH) & (decided == d)).sum() for d in (0, 1, 2, -1)] for t in range(3)]
    np.testing.assert_array_equal(found.rows, expected)
    np.testing.assert_array_equal(found.costs, np.column_stack([LOSS.T, np.full(3, 0.6)]))


def test_counts_without_rejecting_beside_scikit_learn():
    found = confusion.data((Y, proba(THREE), THREE.classes))
    theirs = confusion_matrix(TRUTH, proba(THREE).argmax(1))
    np.testing.assert_array_equal(found.rows, theirs)
    assert found.rows.sum() == len(Y)
    pair = confusion.data(PAIR)
    assert pair.rows.sum() == len(TWO)


def test_what_is_left_to_classes_never_seen_rejects_more():
    rows = (Y, proba(THREE), THREE.classes)
    found = confusion.data(rows, reject_cost=0.5, unseen_share=0.3)
    np.testing.assert_array_equal(found.rows[:, -1].sum(), (1 - 0.7 * proba(THREE).max(axis=1) > 0.5).sum())
    assert found.rows[:, -1].sum() > confusion.data(rows, reject_cost=0.5).rows[:, -1].sum()
    assert (found.costs[:, -1] == 0.5).all()


def test_the_figure_holds_the_numbers():
    found = confusion.data(THREE)
    figure = drawn(confusion, found)
    np.testing.assert_allclose(np.array(figure.data[0].z).sum(1), 1.0)
    words = [note.text for note in figure.layout.annotations]
    assert [int(w.split("<")[0]) for w in words] == found.rows.astype(int).ravel().tolist()
    assert list(figure.layout.xaxis.ticktext) == ["home", "intensive", "ward", "reject"]


def test_many_classes_have_small_cells_and_no_words():
    k = 56
    found = confusion.Confusion(tuple(range(k)), tuple(range(k)), np.ones((k, k)), np.zeros((k, k)))
    figure = drawn(confusion, found)
    assert figure.layout.width <= 1200
    assert figure.layout.height <= 1200
    assert not figure.layout.annotations
    assert figure.data[0].hovertext[3][4] == "3 decided 4"
    assert len(figure.layout.xaxis.ticktext) in (k // 2, k)


def test_large_counts_are_written_out():
    rows = np.array([[1_234_567.0, 12_345.0], [0.25, 3.0]])
    found = confusion.Confusion(("a", "b"), ("a", "b"), rows, np.zeros((2, 2)))
    words = [note.text.split("<")[0] for note in drawn(confusion, found).layout.annotations]
    assert words == ["1,234,567", "12,345", "0.25", "3"]


def luminance(colour):
    """That of #RRGGBB, or of three shares of 255, as WCAG defines it."""
    rgb = [int(colour[i : i + 2], 16) for i in (1, 3, 5)] if isinstance(colour, str) else colour
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in np.array(rgb) / 255]
    return float(np.dot([0.2126, 0.7152, 0.0722], linear))


@pytest.mark.parametrize("dark", [False, True])
def test_words_can_be_read_on_every_shade(dark):
    """White on light blue had a contrast of 2."""
    paper, full = (np.array([int(c[i : i + 2], 16) for i in (1, 3, 5)]) for c in confusion.SHADES[dark])
    for share in np.linspace(0, 1, 51):
        cell, word = luminance(paper + share * (full - paper)), luminance(confusion.cell_ink(float(share), dark))
        assert (max(cell, word) + 0.05) / (min(cell, word) + 0.05) >= 3.7, share
