"""Networks with other arcs and tables are networks, and what was not changed stays."""

import numpy as np
import pytest

import bayesfold as bf
from bayesfold.web.server.editing import with_arc, with_table, without_arc

NET = bf.read_network("smoking")


def test_a_new_arc_changes_no_belief():
    more = with_arc(NET, "bronchitis", "xray")
    assert more.parents("xray") == ("cancer", "smoking", "bronchitis")
    for v in NET.nodes:
        assert np.allclose(more.query(v).values, NET.query(v).values, rtol=0, atol=1e-12)


def test_an_arc_that_goes_leaves_the_childs_own_probability():
    less = without_arc(NET, "smoking", "bronchitis")
    assert less.parents("bronchitis") == ()
    assert np.allclose(less.query("bronchitis").values, NET.query("bronchitis").values, rtol=0, atol=1e-12)


def test_a_table_is_replaced():
    other = with_table(NET, "cancer", [[0.5, 0.5], [0.25, 0.75]])
    assert other.query("cancer", smoking="no")["yes"] == 0.25


@pytest.mark.parametrize(
    ("work", "said"),
    [
        (lambda: with_arc(NET, "dyspnoea", "smoking"), "cycle"),
        (lambda: with_arc(NET, "smoking", "cancer"), "already"),
        (lambda: with_arc(NET, "smokin", "cancer"), "smokin"),
        (lambda: without_arc(NET, "cancer", "smoking"), "no arc"),
        (lambda: with_table(NET, "smoking", [[0.5, 0.6]]), "sums to 1.1"),
        (lambda: with_table(NET, "cancer", [[0.5, 0.5]]), "2 lines"),
    ],
)
def test_what_makes_no_network_is_refused(work, said):
    with pytest.raises(ValueError, match=said):
        work()
