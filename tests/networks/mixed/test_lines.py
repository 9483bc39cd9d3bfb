"""Lines as people write them, in print, and what is refused."""

import numpy as np
import pytest

from bayesfold.networks.mixed.lines import LinearGaussian, Lines, has_lines, read_lines

AXES = {"sex": ("f", "m"), "town": (1, 2, 3)}
ABOVE = ["height", "age"]


def line(i, j=0):
    return LinearGaussian(10 * i + j, 1 + i, {"height": 0.5 + j} if j else {})


NESTED = {s: {t: line(i, j) for j, t in enumerate((1, 2, 3))} for i, s in enumerate("fm")}


@pytest.mark.parametrize("way", ["pairs", "nested"])
def test_lines_by_states_of_the_categories_above(way):
    given = NESTED if way == "nested" else {(s, t): inner for s, row in NESTED.items() for t, inner in row.items()}
    found = read_lines(given, "mass", AXES, ABOVE)
    assert found.intercept.tolist() == [[0, 1, 2], [10, 11, 12]]
    assert found.sd.tolist() == [[1, 1, 1], [2, 2, 2]]
    assert found.slopes.shape == (2, 3, 2)
    assert found.slopes[..., 0].tolist() == [[0, 1.5, 2.5], [0, 1.5, 2.5]]
    assert not found.slopes[..., 1].any()
    assert read_lines(found, "mass", AXES, ABOVE) is found
    assert found.at((1, 2), ABOVE) == LinearGaussian(12, 2, {"height": 2.5, "age": 0.0})
    words = list(found.words("mass", AXES, ABOVE))
    assert len(words) == 6
    assert words[4] == "mass | sex=m, town=2 ~ N(11 + 1.5 height + 0 age, 2^2)"
    assert not found.sd.flags.writeable


@pytest.mark.parametrize(
    ("made", "shown"),
    [
        (LinearGaussian(1.5, 2), "N(1.5, 2^2)"), (LinearGaussian(0, 1, {"a": 2}), "N(2 a, 1^2)"),
        (LinearGaussian(0, 1, {"a": -2, "b": 3}), "N(-2 a + 3 b, 1^2)"),
        (LinearGaussian(4, 1, {"a": -2, "b": 0.25}), "N(4 - 2 a + 0.25 b, 1^2)"), (LinearGaussian(0, 0), "N(0, 0^2)"),
    ],
)  # fmt: skip
def test_a_line_in_print(made, shown):
    assert str(made) == shown


@pytest.mark.parametrize(
    ("given", "error", "said"),
    [
        ({"f": NESTED["f"]}, ValueError, r"P\(mass \| sex=m, town=1\) is not given: each state needs a line"),
        ({"f": NESTED["f"], "m": line(0)}, TypeError, "the lines of 'mass' need the states of 'town' as keys"),
        ({("f", 1, 2): line(0)}, ValueError, r"have the key \('f', 1, 2\); the categories above are 'sex', 'town'"),
        ({"f": {1: 0.5}}, TypeError, r"the line of 'mass' is a LinearGaussian\(intercept, sd, slopes\), not 0.5"),
        ({"x": NESTED["f"]}, ValueError, "'sex' has no state 'x'"),
        ({"f": {1: LinearGaussian(1, 1, {"width": 1})}}, ValueError, "there is no number above 'mass' 'width'"),
        (
            Lines(np.zeros(2), np.zeros((2, 2)), np.ones(2)),
            ValueError,
            r"have the shape \(2, 2\) instead of \(2, 3, 2\)",
        ),
        (Lines(np.zeros((2, 3)), np.zeros((2, 3, 1)), np.ones((2, 3))), ValueError, r"instead of \(2, 3, 2\)"),
    ],
)
def test_what_are_no_lines_is_said(given, error, said):
    with pytest.raises(error, match=said):
        read_lines(given, "mass", AXES, ABOVE)


def test_numbers_of_a_line_are_finite_and_its_spread_is_none_below_zero():
    for intercept, sd, slopes in ((np.nan, 1, {}), (0, np.inf, {}), (0, 1, {"a": np.nan}), (0, -1, {})):
        with pytest.raises(ValueError, match="a line has finite numbers and a standard deviation of at least 0"):
            LinearGaussian(intercept, sd, slopes)
    assert LinearGaussian(0, 0).sd == 0.0
    with pytest.raises(ValueError, match="the slopes of a line must be finite numbers"):
        Lines(np.zeros(2), np.full((2, 1), np.inf), np.ones(2))
    with pytest.raises(ValueError, match="are not of the same categories"):
        Lines(np.zeros(2), np.zeros((3, 1)), np.ones(2))
    with pytest.raises(ValueError, match="are not of the same categories"):
        Lines(np.zeros(3), np.zeros((2, 1)), np.ones(2))
    with pytest.raises(ValueError, match="a standard deviation is at least 0, not -2"):
        Lines(np.zeros(2), np.zeros((2, 1)), np.array([1.0, -2.0]))
    assert has_lines({"f": {1: line(0)}})
    assert has_lines(line(0))
    assert not has_lines({"f": {1: 0.5}})
    assert not has_lines({})
