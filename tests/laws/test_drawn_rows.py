"""How many rows are drawn is a whole number, of whatever rows are drawn."""

import numpy as np
import pytest

import bayesfold as bf
from bayesfold.networks.markov import MarkovChain

X, Y = {"a": [*"xyxzyxzz"] * 3}, [*"ppnnpnpn"] * 3
ROWS = {"x": np.arange(6.0), "y": np.arange(6.0) % 3}
DRAWN = {
    "classifier": bf.NaiveBayes().fit(X, Y),
    "network classifier": bf.NetworkClassifier().fit(X, Y),
    "network": bf.NetworkClassifier().fit(X, Y).to_network(),
    "numbers": bf.MixedNetwork.from_edges([("x", "y")], numbers=["x", "y"]).fit(ROWS),
    "chain": MarkovChain.fit(["abab", "ba"]),
}


@pytest.mark.parametrize("drawn", DRAWN.values(), ids=DRAWN)
@pytest.mark.parametrize(
    ("rows", "why"), [(-1, "at least 0, not -1"), (2.5, "a whole number, not 2.5"), ("3", "a whole number, not '3'")]
)
def test_what_is_no_number_of_rows_is_refused(drawn, rows, why):
    with pytest.raises(ValueError, match=f"must be {why}"):
        drawn.sample(rows)
