"""One row's log-odds, step by step."""

import numpy as np
import pytest

import bayesfold as bf
from bayesfold.explanations.explanation import Explanation, Reason
from bayesfold.plots import waterfall

from .sources import CLF, X, Y, drawn


@pytest.mark.parametrize("row", [0, 7, 31])
def test_steps_lead_from_nothing_to_the_log_odds(row):
    one = CLF.explain(X)[row]
    found = waterfall.data(one)
    assert found.parts[0] == "prior"
    np.testing.assert_allclose(found.begins + found.contributions, [*found.begins[1:], one.log_odds], atol=1e-12)
    joint = np.sort(CLF.predict_joint_log_proba(X[row : row + 1])[0])
    assert found.contributions.sum() == pytest.approx(joint[-1] - joint[-2])
    figure = drawn(waterfall, found)
    bars = figure.data[0]
    np.testing.assert_allclose(bars.x, [*found.contributions, one.log_odds])
    np.testing.assert_allclose(bars.base, [*found.begins, 0.0])
    labels = figure.layout.yaxis.ticktext
    assert any(label.startswith("sex = ") for label in labels)
    low, high = figure.layout.xaxis.range
    assert low < min(bars.base) <= max(bars.base) < high


def test_a_line_that_is_no_columns_is_drawn_where_it_says_something():
    one = bf.NaiveBayes(calibration="temperature").fit(X, Y).explain(X)[0]
    assert "class offset" in {r.part for r in one.reasons}
    found = waterfall.data(one)
    assert "class offset" not in found.parts
    assert found.contributions.sum() == pytest.approx(one.log_odds, abs=1e-9)


def test_a_missing_value_is_no_value_whatever_stands_for_it():
    """One missing column was called "arrival = -", the next "pain"."""
    for hole in (None, float("nan"), ""):  # "" stands in a file of text
        one = Explanation("p", "q", "p", (Reason("prior", None, 0.5), Reason("arrival", hole, 0.1)))
        assert waterfall.data(one).values == ("", "")
