"""Points that add up to the model's own probability."""

import numpy as np
import pytest

import bayesfold as bf
from bayesfold.plots import nomogram

from .sources import CLF, TWO, X, Y, drawn


def points(numbers, row):
    """The sum of a row's points, each read off its line as a person would."""
    total = 0.0
    for line in numbers.lines:
        value = row[line.name]
        if line.is_number:
            total += np.interp(value, line.values, line.points)
        else:
            total += line.points[line.values.index(value)]
    return total


@pytest.mark.parametrize("ends", [{}, {"of": "ward", "against": "home"}, {"against": "intensive"}])
def test_points_give_the_probability(ends):
    numbers = nomogram.data(CLF, **ends)
    assert max(line.points.max() for line in numbers.lines) == pytest.approx(100)
    classes = CLF.classes_.tolist()
    a, b = classes.index(numbers.of), classes.index(numbers.against)
    for k in (3, 20, 77):
        row = {line.name: line.values[k % len(line.values)] for line in numbers.lines}
        joint = CLF.predict_joint_log_proba(row)[0]
        expected = 1 / (1 + np.exp(joint[b] - joint[a]))
        assert numbers.probability(points(numbers, row)) == pytest.approx(expected, abs=1e-9)


def test_counts_have_lines_too():
    clf = bf.MultinomialNB().fit(X[["dose"]].assign(other=3, more=X.dose % 2), TWO)
    numbers = nomogram.data(clf)
    row = {"dose": 4, "other": 3, "more": 1}
    joint = clf.predict_joint_log_proba([row])[0]
    expected = 1 / (1 + np.exp(joint[0] - joint[1]))
    assert numbers.probability(points(numbers, row)) == pytest.approx(expected, abs=1e-6)


def test_the_figure_holds_the_numbers():
    numbers = nomogram.data(CLF)
    figure = drawn(nomogram, numbers)
    names = list(figure.layout.yaxis.ticktext)
    assert names[1:-2] == [line.name for line in numbers.lines]
    assert names[0] == "points"
    spans = [float(np.ptp(line.points)) for line in numbers.lines]
    assert spans == sorted(spans, reverse=True)
    for n, line in enumerate(numbers.lines):
        np.testing.assert_allclose(np.sort(figure.data[1 + 2 * n].x), np.sort(line.points))
    chance = figure.data[-1]
    shown = [(x, float(t)) for x, t in zip(chance.x, chance.text, strict=True) if t]
    low, high = nomogram.shown_range(numbers)
    for x, p in shown:
        assert numbers.probability(low + x / 100 * (high - low)) == pytest.approx(p, rel=1e-6)


def test_what_cannot_be_drawn_is_said():
    with pytest.raises(ValueError, match="'attic' is not a class"):
        nomogram.data(CLF, of="attic")
    with pytest.raises(ValueError, match="this model knows only one; fit it"):
        nomogram.data(bf.NaiveBayes().fit(X, ["home"] * len(Y)))
