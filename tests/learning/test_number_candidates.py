"""Which densities a column of numbers could have: by its values, how many rows there are, and their weights."""

import numpy as np
import pytest

from bayesfold.data.encodings import Real
from bayesfold.data.frame import Frame
from bayesfold.learning import number_candidates as module
from bayesfold.learning.number_candidates import (
    EXACT,
    Sample,
    candidates,
    compared,
    family_of,
    levels_of,
    may_be,
    read_number,
    spread_within,
)


def sample_of(x, labels=None, weight=None, copies=False, most=10_000):
    labels = np.arange(len(x)) % 2 + 1 if labels is None else np.asarray(labels)
    return Sample.of(Frame.of({"x": x}), labels.astype(np.int32), weight, 2, most, copies)


def hows(x, **more):
    tried = {how: family_of(how, 1.0) for how in compared()}
    return [reading.how for reading in candidates("x", frozenset(), sample_of(x, **more), tried)]


ROUND = np.arange(40.0) % 5


@pytest.mark.parametrize(
    ("x", "possible", "impossible"),
    [
        (ROUND + 1, {"gaussian", "lognormal", "poisson", "categorical", "mdl", "kde"}, set()),
        (ROUND, {"gaussian", "poisson", "categorical"}, {"lognormal"}),  # zero has no logarithm
        (ROUND - 1, {"gaussian", "categorical"}, {"lognormal", "poisson"}),  # nor are there -1 events
        (ROUND + 0.5, {"gaussian", "lognormal", "mdl"}, {"poisson", "categorical"}),
        (np.arange(40.0), {"gaussian", "poisson"}, {"categorical"}),  # a level has five rows
        (np.arange(40.0) // 5, {"categorical"}, set()),
        (np.arange(40.0) % 9, {"gaussian"}, {"categorical"}),
        (ROUND[:29] + 1, {"gaussian", "lognormal", "categorical"}, {"mdl", "kde", "equal_frequency"}),
        (ROUND[:30] + 1, {"mdl", "kde", "equal_frequency", "proportional"}, set()),
        (np.where(np.arange(60) % 2, np.nan, 1.0 + np.arange(60) // 2 % 5), {"mdl", "categorical"}, set()),
        (np.where(np.arange(58) % 2, np.nan, 1.0 + np.arange(58) // 2 % 5), {"categorical"}, {"mdl", "kde"}),
    ],
)
def test_values_and_how_many_there_are_say_what_is_possible(x, possible, impossible):
    found = set(hows(x))
    assert possible <= found
    assert not impossible & found


def test_a_number_that_is_constant_in_each_class_is_not_normal_there():
    labels = np.arange(40) % 2 + 1
    x = labels * 1.0
    assert "gaussian" not in hows(x)
    assert "categorical" in hows(x)
    assert "gaussian" in hows(x[:29]), "of few rows nobody knows"
    wide = x + 0.1 * (np.arange(40) // 2 % 2)
    assert "gaussian" in hows(wide)


def test_copies_are_rows_and_weights_are_not():
    x, weight = ROUND[:20] + 1, np.full(20, 3.0)
    assert "mdl" in hows(x, weight=weight, copies=True)
    assert "mdl" not in hows(x, weight=weight)
    copies, weighted = (sample_of(x, weight=weight / 6, copies=c) for c in (True, False))
    assert copies.numbers.tolist() == [1.0] * 20, "less than one row is a row"
    assert sample_of(x, weight=weight, copies=True).numbers.tolist() == [3.0] * 20
    assert weighted.numbers.tolist() == [1.0] * 20
    chosen = np.arange(20) < 4
    assert sample_of(x, weight=weight, copies=True).shown(chosen) == 12
    assert weighted.shown(chosen) == 4
    share, spread = sample_of(x[:2], weight=np.array([1.0, 3.0])).shares
    assert (share.tolist(), spread.tolist()) == ([0.25, 0.75], [0.0625, 0.5625])


def test_the_unit_of_weights_makes_no_evidence():
    x, weight = ROUND[:20], np.r_[np.ones(10), np.full(10, 3.0)]
    for unit in (1.0, 1e6):
        evidence = sample_of(x, weight=unit * weight).evidence
        assert evidence.sum() == pytest.approx(weight.sum() ** 2 / (weight**2).sum())
        assert evidence[10] / evidence[0] == pytest.approx(3.0)
    assert sample_of(x, weight=weight, copies=True).evidence.tolist() == weight.tolist()
    assert sample_of(x).evidence.tolist() == [1.0] * 20
    assert sample_of(x, weight=np.zeros(20)).evidence.tolist() == [0.0] * 20


def test_fewer_rows_are_spread_evenly_with_their_labels_and_weights():
    sample = sample_of(np.arange(100.0), weight=np.arange(100.0))
    few = sample.thinned(10)
    assert few.rows.tolist() == list(range(0, 100, 10))
    assert few.weight.tolist() == list(range(0, 100, 10))
    assert few.labels.tolist() == sample.labels[::10].tolist()
    assert len(sample.thinned(30).rows) == 25, "every fourth"
    assert len(sample.thinned(100).rows) == 100
    assert [len(sample_of(np.arange(100.0), most=m).rows) for m in (10, 40, 50, 51, 200)] == [10, 50, 50, 100, 100]
    table = sample_of(np.arange(100.0) // 50, weight=np.arange(100.0)).histogram(Real("x")).table
    assert table.shape == (2, 3)
    assert table[0].sum() < table[1].sum()


@pytest.mark.parametrize("scale", [1e-300, 1.0, 1e300])
def test_the_share_of_variance_within_classes(scale):
    x, group = scale * np.array([1.0, 2.0, 5.0, 6.0]), np.array([1, 1, 2, 2], np.int32)
    assert spread_within(x, group, np.ones(4)) == pytest.approx(1 / 17)
    weight = np.array([1.0, 3.0, 1.0, 1.0])
    mean = np.average(x / scale, weights=weight)
    within = 3 / 4 + 1 / 2
    whole = (weight * (x / scale - mean) ** 2).sum()
    assert spread_within(x, group, weight) == pytest.approx(within / whole)
    assert spread_within(np.full(4, scale), group, np.ones(4)) == 1.0
    assert spread_within(np.array([]), np.array([], np.int32), np.array([])) == 1.0
    assert spread_within(0.25 * x, group, np.ones(4)) == pytest.approx(1 / 17), "numbers below 1 too"


def test_levels_are_the_numbers_in_order_and_large_integers_as_they_stand():
    assert levels_of(Real("x"), Frame.of({"x": [3.0, 1.0, None, 3.0]})) == (1.0, 3.0)
    large = [2**53 + 1, 2**53, 2**53 + 1]
    assert levels_of(Real("x"), Frame.of({"x": large})) == (2**53, 2**53 + 1)
    small = levels_of(Real("x"), Frame.of({"x": [int(EXACT) - 1, 5]}))
    assert small == (5.0, EXACT - 1)
    assert all(isinstance(level, float) for level in small)


@pytest.mark.parametrize(
    ("how", "x", "may"),
    [
        ("lognormal", [0.1, 2.0], True),
        ("lognormal", [0.0, 2.0], False),
        ("poisson", [0.0, 2.0], True),
        ("poisson", [-1.0], False),
        ("gaussian", [-1.0], True),
    ],
)
def test_what_a_family_can_read(how, x, may):
    assert may_be(family_of(how, 1.0), np.array(x)) is may
    if not may:
        with pytest.raises(ValueError, match=r"row|x"):
            read_number("x", how, frozenset(), family_of(how, 1.0), sample_of(np.array([*x, 5.0])))


def test_a_reading_is_the_encoding_of_its_name(monkeypatch):
    monkeypatch.setattr(module, "GRID", 16)
    sample = sample_of(np.arange(40.0) % 10)
    kde, mdl, levels, log = (
        read_number("x", how, frozenset({9.0}), family_of(how, 1.0), sample)
        for how in ("kde", "mdl", "categorical", "poisson")
    )
    assert len(kde.column.cuts) == 15
    assert kde.column.family == "kde"
    assert mdl.column.cuts == () or max(mdl.column.cuts) < 9
    assert levels.column.levels == tuple(float(i) for i in range(9))
    assert log.column.family == "poisson"
    assert all(reading.column.missing == {9.0} for reading in (kde, mdl, levels, log))
