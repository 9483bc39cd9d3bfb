"""Networks with other arcs and tables are networks, and what was not changed stays."""

import numpy as np
import pytest

import bayesfold as bf
from bayesfold.web.server.editing import add_arc, remove_arc, set_table

NET = bf.read_network("smoking")


def test_a_new_arc_changes_no_belief():
    more = add_arc(NET, "bronchitis", "xray")
    assert more.parents("xray") == ("cancer", "smoking", "bronchitis")
    for v in NET.nodes:
        assert np.allclose(more.query(v).values, NET.query(v).values, rtol=0, atol=1e-12)


def test_an_arc_that_goes_leaves_the_childs_own_probability():
    less = remove_arc(NET, "smoking", "bronchitis")
    assert less.parents("bronchitis") == ()
    assert np.allclose(less.query("bronchitis").values, NET.query("bronchitis").values, rtol=0, atol=1e-12)


def test_a_table_is_replaced():
    other = set_table(NET, "cancer", [[0.5, 0.5], [0.25, 0.75]])
    assert other.query("cancer", smoking="no")["yes"] == 0.25


@pytest.mark.parametrize(
    ("work", "said"),
    [
        (lambda: add_arc(NET, "dyspnoea", "smoking"), "cycle"),
        (lambda: add_arc(NET, "smoking", "cancer"), "already"),
        (lambda: add_arc(NET, "smokin", "cancer"), "smokin"),
        (lambda: remove_arc(NET, "cancer", "smoking"), "no arc"),
        (lambda: set_table(NET, "smoking", [[0.5, 0.6]]), "sums to 1.1"),
        (lambda: set_table(NET, "cancer", [[0.5, 0.5]]), "2 lines"),
    ],
)
def test_what_makes_no_network_is_refused(work, said):
    with pytest.raises(ValueError, match=said):
        work()
