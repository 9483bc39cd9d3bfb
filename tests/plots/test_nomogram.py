"""Points that add up to the model's own probability."""

from itertools import pairwise

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


def test_long_values_do_not_stand_on_each_other():
    """Labels were taken to be as wide as their letters are many, whatever letters and whatever stands on the left."""
    line = nomogram.NomogramLine("C" * 60, tuple(f"{'W' * 13}{k}" for k in range(7)), False, np.arange(7) * 16.0)
    numbers = nomogram.Nomogram("late", "on time", (line,), -1.0, 0.02)
    figure = nomogram.draw(numbers)
    room = nomogram.WIDTH - 30 - 26 * 0.7 * 13  # beside 26 capitals: so wide is a name at most
    labels = 0
    for trace in figure["data"]:
        for side in ("top center", "bottom center"):
            where = trace.get("textposition", side)
            places = [where] * len(trace["x"]) if isinstance(where, str) else where
            there = [
                (x / 114 * room, 9.8 * text.count("W"))
                for x, text, place in zip(trace["x"], trace["text"], places, strict=True)
                if place == side and text and "W" in text and trace["mode"] != "lines"
            ]
            ends = sorted((x - w / 2, x + w / 2) for x, w in there)
            labels += len(ends)
            assert all(one[1] <= other[0] for one, other in pairwise(ends))
    assert labels > 3
    hover = next(trace["text"] for trace in figure["data"] if trace["mode"] == "lines")
    assert any("C" * 60 + " = " + "W" * 12 in text for text in hover)
