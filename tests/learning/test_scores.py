"""What is shown of rows held out: measures by hand, also where a class has no row outside of a fold."""

import numpy as np
import pytest

from bayesfold.data.frame import code
from bayesfold.learning.held_out import HeldOut
from bayesfold.learning.scores import scored

P = np.tile([0.5, 0.3, 0.2], (5, 1))
TRUTH = [*"aabbc"]
FOLD = np.array([0, 1, 0, 1, 1])
HELD = HeldOut(np.log(P), np.arange(5), FOLD, ("a", "b", "c"), "2 folds")


@pytest.mark.parametrize(
    ("setting", "expected"),
    [
        # as it was said: the class that only the second fold shows has a name in the models
        (None, [0.5, 0.5, 0.3, 0.3, 0.2]),
        # of three rows of three classes, and of two of two, all but half a row are left to others
        ("good-turing", [0.5 / 6, 0.625 / 4, 0.3 / 6, 0.375 / 4, 0.75]),
        (0.2, [0.4, 0.5, 0.24, 0.3, 0.2]),
    ],
)
def test_rows_are_scored_by_what_was_left_to_classes_never_seen(setting, expected):
    found = scored(HELD, code(TRUTH), None, None, None, setting, False)
    assert found.measures["log-loss"].value == pytest.approx(-np.log(expected).mean())
    assert found.measures["accuracy"].value == pytest.approx(2 / 5)
    assert (found.rows, found.how) == (5, "2 folds")
    share = np.array([2, 2, 1]) / 5
    assert found.guess == {"accuracy": 0.4, "log-loss": pytest.approx(-(share @ np.log(share)))}
    assert not any(len(measure.rows) for measure in found.measures.values()), "what rows add is not kept"
