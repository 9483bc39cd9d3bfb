"""Evidence of any probability above zero: every answer against enumeration in logs, however small the numbers are."""

import math

import numpy as np
import pytest

from bayesfold.networks.inference import ContradictoryEvidence, Engine, InferenceProblem, lanes

from . import brute
from .test_rows import WAYS

CLOSE = {"rtol": 1e-9, "atol": 1e-12}


def log_joint(problem, evidence, likelihood):
    """log P(states, evidence) of all states together."""
    n = len(problem.cards)
    total = np.zeros(problem.cards)
    with np.errstate(divide="ignore"):
        for family, values in zip(problem.families, problem.tables, strict=True):
            shape = [problem.cards[u] if u in family else 1 for u in range(n)]
            total = total + np.log(values).transpose(np.argsort(family)).reshape(shape)
        for v, state in evidence.items():
            total = total + brute.along(np.log(np.eye(problem.cards[v])[state]), v, n)
        for v, weights in likelihood.items():
            total = total + brute.along(np.log(weights), v, n)
    return total


def log_sum(values, axis=None):
    """log sum exp."""
    top = values.max()
    with np.errstate(divide="ignore"):
        return top + np.log(np.exp(values - top).sum(axis))


def extreme(rng, n):
    """A network with entries down to 1e-300, and zeros: observations may be as rare as they like."""
    problem = brute.network(rng, n, most_states=3, zeros=0.1)
    tables = []
    for table in problem.tables:
        small = table * 10.0 ** -rng.choice([0, 0, 90, 180, 290], table.shape)
        small[..., 0] += 1 - small.sum(-1)
        tables.append(np.maximum(small, 0.0))
    return InferenceProblem(problem.cards, problem.parents, tuple(tables))


def cases(count, seed=0):
    rng = np.random.default_rng(seed)
    found = 0
    while found < count:
        problem = extreme(rng, int(rng.integers(3, 10)))
        n = len(problem.cards)
        evidence = {v: int(rng.integers(problem.cards[v])) for v in range(n) if rng.random() < 0.5}
        soft = {v: 10.0 ** -rng.choice([0, 100, 310], problem.cards[v]) for v in range(n) if rng.random() < 0.3}
        logs = log_joint(problem, evidence, soft)
        if logs.max() > -np.inf:
            found += 1
            yield problem, evidence, soft, logs


def test_the_cases_are_beyond_doubles():
    rare = [logs.max() for *_, logs in cases(200)]
    assert sum(top < -745 for top in rare) > 30


def over(logs, v):
    """P(v | evidence)."""
    along = log_sum(logs, tuple(u for u in range(logs.ndim) if u != v)) if logs.ndim > 1 else logs
    return np.exp(along - log_sum(along))


@pytest.mark.slow
def test_every_answer_equals_enumeration_in_logs():
    for problem, evidence, soft, logs in cases(400):
        engine, n = Engine(problem), len(problem.cards)
        np.testing.assert_allclose(engine.log_evidence(evidence, soft), log_sum(logs), **CLOSE)
        for v, values in enumerate(engine.marginals(evidence, soft)):
            np.testing.assert_allclose(values, over(logs, v), **CLOSE)
            np.testing.assert_allclose(engine.marginal(v, evidence, soft), over(logs, v), **CLOSE)
        two = engine.joint((n - 1, 0), evidence, soft)
        whole = log_sum(logs, tuple(range(1, n - 1)))
        np.testing.assert_allclose(two, np.exp(whole - log_sum(whole)).T, **CLOSE)
        states, log_p = engine.mpe(evidence, soft)
        np.testing.assert_allclose(log_p, logs.max(), **CLOSE)
        np.testing.assert_allclose(logs[tuple(states)], logs.max(), **CLOSE)
        states, log_p = engine.map((0, 1), evidence, soft)
        some = log_sum(logs, tuple(range(2, n)))
        np.testing.assert_allclose([log_p, some[tuple(states)]], some.max(), **CLOSE)


@pytest.mark.parametrize("way", WAYS)
def test_rows_equal_enumeration_in_logs(way, monkeypatch):
    monkeypatch.setattr(lanes, "find_cheapest", lambda costs: way)
    rng = np.random.default_rng(3)
    for _ in range(30):
        problem = extreme(rng, int(rng.integers(3, 9)))
        n = len(problem.cards)
        codes = np.array([[rng.integers(-1, k) for k in problem.cards] for _ in range(60)])
        soft = {0: 10.0 ** -rng.choice([0.0, 100.0, 310.0], (60, problem.cards[0]))}
        logs = [
            log_joint(problem, {v: int(c) for v, c in enumerate(row) if c >= 0}, {0: soft[0][i]})
            for i, row in enumerate(codes)
        ]
        possible = [i for i, values in enumerate(logs) if values.max() > -np.inf]
        engine = Engine(problem)
        found = engine.posteriors(codes[possible], {0: soft[0][possible]})
        for place, i in enumerate(possible):
            for v in range(n):
                np.testing.assert_allclose(found[v][place], over(logs[i], v), **CLOSE)
        if len(possible) < 60:
            with pytest.raises(ContradictoryEvidence) as error:
                engine.posteriors(codes, soft)
            assert logs[error.value.row].max() == -np.inf


def naive(rows, prior):
    """A class and a child for each row of P(seen | class), all of them observed."""
    tables = [np.stack([row, 1 - row], 1) for row in rows]
    n = len(rows)
    return InferenceProblem((len(prior),) + (2,) * n, ((),) + ((0,),) * n, (np.asarray(prior), *tables))


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("children", [100, 330, 340, 350, 800])
def test_many_children_of_one_class(children, way, monkeypatch):
    """Also between e^-745 and e^-709, where a sum of products is no longer zero and its inverse is infinite."""
    monkeypatch.setattr(lanes, "find_cheapest", lambda costs: way)
    rng = np.random.default_rng(children)
    rows = rng.uniform(0.05, 0.25, (children, 2))
    problem, seen = naive(rows, [0.3, 0.7]), {v + 1: 0 for v in range(children)}
    logs = np.log([0.3, 0.7]) + np.log(rows).sum(0)
    expected = np.exp(logs - log_sum(logs))
    engine = Engine(problem)
    np.testing.assert_allclose(engine.marginal(0, seen), expected, **CLOSE)
    np.testing.assert_allclose(engine.log_evidence(seen), log_sum(logs), **CLOSE)
    np.testing.assert_allclose(engine.predict([[-1] + [0] * children] * 3, 0), [expected] * 3, **CLOSE)
    np.testing.assert_allclose(engine.posteriors([[-1] + [0] * children] * 3)[0], [expected] * 3, **CLOSE)
    assert engine.mpe(seen)[0][0] == logs.argmax()


def test_a_state_that_seemed_lost_may_win():
    """A chain of copies, first 1e-400 against one state, then 1e-600 against the other, far apart in the chain."""
    copies, cards, parents, tables = 9, [2], [()], [np.array([0.5, 0.5])]
    for k in range(copies):
        cards.append(2)
        parents.append((k,))
        tables.append(np.eye(2))
    evidence = {}
    for k, (a, b) in [(0, (1e-200, 1.0)), (0, (1e-200, 1.0)), (4, (1.0, 1e-300)), (8, (1.0, 1e-300))]:
        evidence[len(cards)] = 0
        cards.append(2)
        parents.append((k,))
        tables.append(np.array([[a, 1 - a], [b, 1 - b]]))
    engine = Engine(InferenceProblem(tuple(cards), tuple(parents), tuple(tables)))
    for v in range(copies):
        np.testing.assert_allclose(engine.marginal(v, evidence), [1.0, 0.0], atol=1e-190)
        np.testing.assert_allclose(engine.marginals(evidence)[v], [1.0, 0.0], atol=1e-190)
    np.testing.assert_allclose(engine.log_evidence(evidence), math.log(0.5) + 2 * math.log(1e-200), rtol=1e-12)


def test_impossible_evidence_is_still_impossible():
    rows = np.full((800, 2), 0.1)
    problem = naive(rows, [0.3, 0.7])
    tables = (*problem.tables[:-1], np.array([[0.0, 1.0], [0.0, 1.0]]))
    engine = Engine(InferenceProblem(problem.cards, problem.parents, tables))
    seen = dict.fromkeys(range(1, 801), 0)
    for ask in (engine.log_evidence, engine.marginals, engine.mpe, lambda e: engine.marginal(0, e)):
        with pytest.raises(ContradictoryEvidence, match="variables 800 contradict"):
            ask(seen)
