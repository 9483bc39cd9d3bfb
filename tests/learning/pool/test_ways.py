"""Which parts are tried beside others, by how many rows there are."""

import numpy as np
import pytest

from bayesfold import BayesClassifier
from bayesfold.data.frame import Frame
from bayesfold.learning.one_column import Options
from bayesfold.learning.pool.cost import Size
from bayesfold.learning.pool.ways import FEWEST, Ways, why_not


def reason(part, rows, weight=None, **options):
    frame = Frame.of({"x": np.arange(rows) % 7.0})
    ways = Ways(frame, Frame.of({"y": [*"pq"] * rows}).coded("y"), weight)
    return why_not(part, Size(rows, 2, 1, 1), ways, Options(**options))


@pytest.mark.parametrize("part", ["kdb", "parzen"])
def test_a_part_that_needs_rows_is_not_tried_on_fewer(part):
    assert reason(part, FEWEST[part] - 1) == f"fewer than {FEWEST[part]} rows"
    assert "rows" not in reason(part, FEWEST[part])
    assert "rows" not in reason(part, FEWEST[part], np.full(FEWEST[part], 0.1))  # however little they weigh


def test_other_parts_are_tried_on_any_rows():
    assert [reason(part, 2) for part in ("naive", "aode", "gaussian")] == ["", "", ""]


def test_copies_are_rows_and_a_streams_first_rows_are_not_all():
    assert reason("kdb", 10, np.full(10, 10.0), copies=True) == ""
    assert reason("kdb", 10, np.full(10, 9.0), copies=True) != ""
    assert reason("kdb", 10, np.full(10, 10.0)) != ""
    assert reason("kdb", 10, more_to_come=True) == ""


def test_the_report_says_so_and_the_part_can_be_asked_for():
    draw = np.random.default_rng(0)
    y = np.tile([0, 1], 30)
    x = draw.normal(size=(60, 3)) + y[:, None]
    clf = BayesClassifier().fit(x, y)
    what = {line.name: line.what for line in clf.report_.lines}
    assert what["kdb"] == "left out: fewer than 100 rows"
    assert tuple(BayesClassifier(structure="kdb").fit(x, y).model_.members) == ("kdb",)
