"""What each column says in a mixture of networks."""

import numpy as np
import pytest

import bayesfold as bf
from bayesfold.models.scoring.mixture import AVERAGING

DRAW = np.random.default_rng(0)
LABELS = DRAW.choice([*"pq"], 80)
TABLE = {name: np.where(DRAW.random(80) < 0.8, LABELS, "r") for name in "abc"}
ROW = {"a": ["p"], "b": ["q"], "c": ["p"]}


@pytest.mark.parametrize("combine", ["mean", "pool"])
def test_where_no_network_has_a_say_columns_speak_as_naive_bayes_does(combine: str) -> None:
    clf = bf.AODE(minimum=1e9, combine=combine).fit(TABLE, LABELS)
    said = {reason.part: reason.contribution for reason in clf.explain(ROW, of="p", against="q")[0].reasons}
    assert said.get(AVERAGING, 0.0) == pytest.approx(0.0, abs=1e-12)
    assert said["a"] > 0 > said["b"]
    assert said["c"] > 0
    p = clf.predict_proba(ROW)[0]
    assert sum(said.values()) == pytest.approx(np.log(p[0] / p[1]))


def test_a_single_network_is_in_the_answer_as_a_whole() -> None:
    clf = bf.TAN().fit(TABLE, LABELS)
    said = {reason.part: reason.contribution for reason in clf.explain(ROW, of="p", against="q")[0].reasons}
    assert said.get(AVERAGING, 0.0) == pytest.approx(0.0, abs=1e-12)
    p = clf.predict_proba(ROW)[0]
    assert sum(said.values()) == pytest.approx(np.log(p[0] / p[1]))
