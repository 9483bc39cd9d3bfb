"""Tables of evidence: both ways of answering many rows against one query for each row, and against enumeration."""

import numpy as np
import pytest

from bayesfold.networks.inference import ContradictoryEvidence, Engine, InferenceProblem, TooLarge, lanes, rows

from . import brute
from .test_engine import CASES, CLOSE, chain

WAYS = ["one plan", "groups", "row by row"]


@pytest.fixture(params=WAYS)
def way(request, monkeypatch):
    """Every network by the same way, whatever it costs."""
    monkeypatch.setattr(lanes, "find_cheapest", lambda costs: request.param)
    return request.param


def worlds(rng, problem, rows, missing):
    """Rows sampled from the joint distribution, with cells missing."""
    table = brute.joint(problem)
    codes = np.stack(np.unravel_index(rng.choice(table.size, rows, p=table.ravel() / table.sum()), table.shape), 1)
    return np.where(rng.random(codes.shape) < missing, -1, codes)


@pytest.mark.parametrize("missing", [0.0, 0.2, 0.5, 0.8, 1.0])
@pytest.mark.parametrize("zeros", [0.0, 0.5])
def test_rows_equal_queries(way, missing, zeros):
    rng = np.random.default_rng(6)
    for _ in range(CASES // 10):
        problem = brute.network(rng, int(rng.integers(1, 9)), zeros=zeros)
        n = len(problem.cards)
        codes = worlds(rng, problem, 40, missing)
        soft = {v: rng.random((40, problem.cards[v])) + 0.1 for v in range(n) if rng.random() < 0.2}
        engine = Engine(problem)
        found = engine.posteriors(codes, soft)
        target = int(rng.integers(n))
        predicted = engine.predict(codes, target, soft)
        for i, row in enumerate(codes):
            evidence = {v: int(code) for v, code in enumerate(row) if code >= 0}
            weights = {v: w[i] for v, w in soft.items()}
            for values, expected in zip(found, engine.marginals(evidence, weights), strict=True):
                np.testing.assert_allclose(values[i], expected, **CLOSE)
            evidence.pop(target, None)
            np.testing.assert_allclose(predicted[i], engine.marginal(target, evidence, weights), **CLOSE)


def test_threads_and_pieces_do_not_change_a_bit(way, monkeypatch):
    rng = np.random.default_rng(7)
    problem = brute.network(rng, 8)
    codes = worlds(rng, problem, 2000, 0.4)
    whole = Engine(problem).predict(codes, 3)
    for begin in range(0, 2000, 500):
        piece = Engine(problem).predict(codes[begin : begin + 500], 3)
        if way == "groups":  # which rows share a plan depends on the table
            np.testing.assert_allclose(piece, whole[begin : begin + 500], **CLOSE)
        else:
            np.testing.assert_array_equal(piece, whole[begin : begin + 500])
    for count in (1, 3):
        monkeypatch.setattr(lanes, "workers", lambda count=count: count)
        monkeypatch.setattr(rows, "workers", lambda count=count: count)
        np.testing.assert_array_equal(Engine(problem).predict(codes, 3), whole)


def test_no_rows(way):
    found = Engine(chain(3)).posteriors(np.empty((0, 3), int))
    assert [values.shape for values in found] == [(0, 3)] * 3


def test_an_impossible_row_is_named_with_what_contradicts(way):
    copy = np.eye(2)
    engine = Engine(InferenceProblem((2, 2, 2), ((), (0,), (1,)), (np.full(2, 0.5), copy, np.full((2, 2), 0.5))))
    codes = np.zeros((1000, 3), int)
    codes[700:, 1] = 1
    with pytest.raises(ContradictoryEvidence, match="row 700 has probability zero: variables 0, 1") as error:
        engine.posteriors(codes)
    assert (error.value.row, error.value.variables) == (700, (0, 1))
    with pytest.raises(ContradictoryEvidence, match="row 700"):
        engine.predict(codes, 2)
    np.testing.assert_array_equal(engine.predict(codes, 0)[[0, 999]], np.eye(2))  # the target's own cells do not count


@pytest.mark.parametrize(
    ("codes", "says"), [([[0, 3]], "row 0 says 3 for variable 1"), ([[-2, 0]], "row 0 says -2"), ([[0]], "shape")]
)
def test_codes_off_their_axis_are_refused(codes, says):
    with pytest.raises(ValueError, match=says):
        Engine(chain(2)).posteriors(codes)


def test_a_likelihood_that_is_not_one_is_refused():
    with pytest.raises(ValueError, match="likelihood of variable 1"):
        Engine(chain(2)).posteriors([[0, -1]], {1: [[1.0, np.nan, 1.0]]})


def test_rows_too_large_are_refused_with_their_size():
    with pytest.raises(TooLarge, match=r"216 bytes, above the limit of 100"):
        Engine(chain(4), limit=100.0).posteriors([[-1, -1, -1, -1]])


@pytest.mark.parametrize("way", ["one plan", "groups"])
def test_tables_of_hundreds_of_entries_are_answered_side_by_side(way, monkeypatch):
    """A plan that has no room would be given up, and rows answered one by one: slower, and the same."""
    monkeypatch.setattr(lanes, "find_cheapest", lambda costs: way)
    monkeypatch.setattr(rows, "answer_by_row", None)
    rng = np.random.default_rng(3)
    parents = ((), (), (0, 1), (2, 0))
    tables = [rng.random((7,) * (len(above) + 1)) + 0.01 for above in parents]
    problem = InferenceProblem((7,) * 4, parents, tuple(t / t.sum(-1, keepdims=True) for t in tables))
    codes = worlds(rng, problem, 40, 0.6)
    engine = Engine(problem)
    found = engine.posteriors(codes)
    for i, row in enumerate(codes):
        evidence = {v: int(code) for v, code in enumerate(row) if code >= 0}
        for values, expected in zip(found, engine.marginals(evidence), strict=True):
            np.testing.assert_allclose(values[i], expected, **CLOSE)
