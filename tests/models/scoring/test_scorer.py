"""Scoring does not depend on how columns happen to stand side by side."""

import numpy as np
import pytest

import bayesfold.models.left_out
from bayesfold import NaiveBayes

DRAW = np.random.default_rng(3)
X = np.column_stack([DRAW.normal(0, 1, 40), DRAW.poisson(3, 40), DRAW.integers(0, 3, 40), DRAW.normal(5, 2, 40)])
X[3, 0] = X[7, 3] = np.nan
Y = np.arange(40) % 3
FAMILIES = {"x0": "gaussian", "x1": "poisson", "x2": "categorical", "x3": "gaussian"}
COLUMNS = {f"x{j}": X[:, j] for j in range(4)}


def test_columns_of_several_families_in_one_matrix_score_as_columns_apart():
    together, apart = NaiveBayes(families=FAMILIES).fit(X, Y), NaiveBayes(families=FAMILIES).fit(COLUMNS, Y)
    np.testing.assert_array_equal(together.model_.tally.counts, apart.model_.tally.counts)
    np.testing.assert_allclose(together.predict_joint_log_proba(X), apart.predict_joint_log_proba(COLUMNS), rtol=1e-13)
    np.testing.assert_allclose(together.leave_one_out(X, Y), apart.leave_one_out(COLUMNS, Y), rtol=1e-12)
    both = ((together, X), (apart, COLUMNS))
    parts = [c.model_.contributions(c.schema_.encode(c._read(table, reset=False))) for c, table in both]
    np.testing.assert_allclose(*parts, rtol=1e-12, atol=1e-13)


def test_a_matrix_of_whole_numbers_scores_as_one_of_floats():
    whole = np.nan_to_num(X).astype(int)
    families = dict.fromkeys(FAMILIES, "gaussian")
    np.testing.assert_allclose(
        NaiveBayes(families=families).fit(whole, Y).predict_proba(whole),
        NaiveBayes(families=families).fit(whole.astype(float), Y).predict_proba(whole.astype(float)),
        rtol=1e-13,
    )


@pytest.mark.filterwarnings("ignore::bayesfold.RowWarning")  # of a column with nothing but values never learned
def test_codes_that_are_whole_numbers_score_as_text():
    codes = DRAW.integers(0, 4, (30, 3))
    labels = np.arange(30) % 2
    numbers = NaiveBayes(numeric="categorical").fit(codes, labels)
    text = NaiveBayes().fit(codes.astype(str), labels)
    np.testing.assert_allclose(numbers.predict_proba(codes), text.predict_proba(codes.astype(str)), rtol=1e-13)
    unknown = codes.copy()
    unknown[:, 1] = [-7, 99] * 15
    as_text = unknown.astype(str)
    np.testing.assert_allclose(numbers.predict_proba(unknown), text.predict_proba(as_text), rtol=1e-13)


@pytest.mark.parametrize("rows", [1, 16_384, 16_385, 70_000])
def test_rows_are_scored_alike_in_pieces_of_any_size(rows):
    clf = NaiveBayes(families=FAMILIES).fit(X, Y)
    many = np.resize(X, (rows, 4))
    once = clf.predict_proba(X)
    np.testing.assert_array_equal(clf.predict_proba(many), np.resize(once, (rows, 3)))


def test_rows_are_left_out_alike_in_pieces_of_any_size(monkeypatch):
    """A row that holds nearly all of its group's squares is left out by summing the others anew, wherever they are."""
    far = np.vstack([X, X])
    far[[0, 44]] = [1e7, 3.0, 1.0, -1e6]
    labels = np.r_[Y, Y]
    clf = NaiveBayes(families=FAMILIES).fit(far, labels)
    whole = clf.leave_one_out(far, labels)
    for entries in (1, 30, 200):
        monkeypatch.setattr(bayesfold.models.left_out, "MOST_ENTRIES", entries)
        np.testing.assert_allclose(clf.leave_one_out(far, labels), whole, rtol=1e-9, atol=1e-9)


def test_rows_of_many_pieces_are_left_out_alike():
    """More rows than are scored at a time: each row is still left out of the whole."""
    many, labels = np.resize(X, (70_000, 4)), np.resize(Y, 70_000)
    clf = NaiveBayes(families=FAMILIES).fit(many, labels)
    held_out = clf.leave_one_out(many, labels)
    some = np.array([0, 1, 3, 7, 65_535, 65_536, 69_999])
    np.testing.assert_allclose(held_out[some], clf.leave_one_out(many[some], labels[some]), rtol=1e-9)
    period = 120  # of rows and labels together
    np.testing.assert_allclose(held_out[69_960:70_000], held_out[69_960 % period : 69_960 % period + 40], rtol=1e-6)
