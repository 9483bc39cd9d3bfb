"""What is taken out must have been there; what was there can be taken out, zeros too."""

import numpy as np
import pytest

import bayesfold as bf


@pytest.mark.parametrize("weight", [None, [2.0, 1.0, 0.5, 3.0]])
def test_rows_of_zeros_can_be_forgotten(weight: list[float] | None) -> None:
    table, labels = {"x": [0.0, 0.0, 0.0, 0.0]}, [*"ppqq"]
    clf = bf.NaiveBayes(families={"x": "gaussian"}).fit(table, labels, sample_weight=weight)
    clf.forget({"x": [0.0]}, ["p"], sample_weight=None if weight is None else weight[:1])
    np.testing.assert_array_equal(clf.model_.tally.sums, 0.0)
    assert clf.model_.tally.table(clf.schema_.target.name).sum() == 3


def test_squares_that_no_rows_could_have_left_are_refused() -> None:
    """1, 2 and 3 were learned; without a 6 their sum would be 0, and their squares below 0."""
    clf = bf.NaiveBayes(families={"x": "gaussian"}).fit({"x": [1.0, 2.0, 3.0]}, [*"ppp"])
    with pytest.raises(ValueError, match="no numbers have the sums that would be left of 'x'"):
        clf.forget({"x": [6.0]}, ["p"])


@pytest.mark.parametrize("weight", [None, 0.25])
def test_rows_that_a_vector_of_numbers_and_levels_cannot_have_summed_are_refused(weight: float | None) -> None:
    """No row of class p shows w, and its numbers lie around 0."""
    draw = np.random.default_rng(0)
    table = {"x": draw.normal(size=80), "c": [*"uvuw"] * 20}
    labels = [*"pppq"] * 20
    told = {} if weight is None else {"sample_weight": np.full(80, weight)}
    clf = bf.GaussianBayes().fit(table, labels, **told)
    before = clf.predict_proba(table)
    one = {} if weight is None else {"sample_weight": [weight]}
    with pytest.raises(ValueError, match="no numbers have the sums that would be left of 'c'"):
        clf.forget({"x": [0.0], "c": ["w"]}, ["p"], **one)
    few = {} if weight is None else {"sample_weight": [weight] * 9}
    with pytest.raises(ValueError, match="no numbers have the sums that would be left of 'x'"):
        clf.forget({"x": [9.0] * 9, "c": [*"uvuuvuuvu"]}, [*"ppppppppp"], **few)
    np.testing.assert_array_equal(clf.predict_proba(table), before)
    for i in range(0, 76, 4):
        rows = {name: cells[i : i + 4] for name, cells in table.items()}
        clf.forget(rows, labels[i : i + 4], **({} if weight is None else {"sample_weight": [weight] * 4}))
    assert clf.model_.class_counts().tolist() == [3, 1]


@pytest.mark.parametrize("copies", [1, 2, 5, 300])
@pytest.mark.parametrize("weight", [None, 0.1, 7.0])
def test_all_copies_of_a_row_can_be_forgotten_and_no_more(copies: int, weight: float | None) -> None:
    """Of a text and of a row that is a landmark, whose sums say how often they were learned."""
    texts = (bf.TextClassifier(), {"t": ["red fox", "blue cow"]}, {"t": ["odd owl"]})
    near = (bf.BayesClassifier(structure="parzen"), {"x": [0.0, 1.0], "z": [1.0, 5.0]}, {"x": [9.0], "z": [2.0]})
    for clf, rows, row in (texts, near):
        x = {name: [*values * 4, *row[name] * copies] for name, values in rows.items()}
        y = [*["p", "q"] * 4, *["q"] * copies]
        w = None if weight is None else np.full(len(y), weight)
        gone = {name: row[name] * copies for name in row}, ["q"] * copies, None if w is None else w[8:]
        clf.fit(x, y, w)
        one_more = {name: row[name] * (copies + 1) for name in row}, ["q"] * (copies + 1)
        with pytest.raises(ValueError, match="nothing was forgotten"):
            clf.forget(*one_more, None if w is None else w[: copies + 1])
        clf.forget(*gone)
