"""Every answer of the engine against enumeration of all states."""

import itertools
import math
import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from bayesfold.kernels.inference import queries
from bayesfold.networks.inference import ContradictoryEvidence, Engine, InferenceProblem, TooLarge, workspace

from . import brute

CASES = 1000 if os.environ.get("BAYESFOLD_SOAK") == "1" else 100
CLOSE = {"rtol": 1e-12, "atol": 1e-12}


@pytest.fixture(params=[2, 1024], autouse=True)
def tile(request, monkeypatch):
    """Small networks in tiles so small that their outer axes are walked too, and zeros skipped."""
    monkeypatch.setattr(workspace, "TILE", request.param)


def cases(seed, **kind):
    rng = np.random.default_rng(seed)
    for _ in range(CASES):
        yield brute.case(rng, **kind), rng


KINDS = [{"observed": observed, "zeros": zeros} for observed in (0.0, 0.2, 0.5, 0.8) for zeros in (0.0, 0.5)]


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_marginals_equal_enumeration(kind):
    for case, _ in cases(1, **kind):
        found = Engine(case.problem).marginals(case.evidence, case.likelihood)
        for v, values in enumerate(found):
            expected = case.over(v)
            np.testing.assert_allclose(values, expected / expected.sum(), **CLOSE)


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_one_target_equals_enumeration(kind):
    for case, rng in cases(2, **kind):
        v = int(rng.integers(len(case.problem.cards)))
        expected = case.over(v)
        found = Engine(case.problem).marginal(v, case.evidence, case.likelihood)
        np.testing.assert_allclose(found, expected / expected.sum(), **CLOSE)


def matrix_products(work):
    """How many cliques of the plan just run are one: the last but two of a clique's levels is then above zero."""
    program, found = work.program, 0
    for c in range(program[1]):
        outer, levels = program[9 + 18 * c + 2], program[9 + 18 * c + 16]
        found += int(program[levels + 2 * outer + 9] > 0)
    return found


@pytest.mark.parametrize("zeros", [0.0, 0.5])
def test_matrix_products_equal_enumeration(zeros, monkeypatch):
    monkeypatch.setattr(workspace, "TILE", 64)
    rng, found = np.random.default_rng(4), 0
    for _ in range(CASES // 20):
        engine = Engine(brute.woven(rng, rng.integers(3, 6, 8).tolist(), zeros))
        table = brute.joint(engine.problem)[..., 0]  # the last one is seen in its first state
        expected = [table.sum(tuple(u for u in range(7) if u != v)) / table.sum() for v in range(7)]
        for v, values in enumerate(engine.marginals({7: 0})[:7]):
            np.testing.assert_allclose(values, expected[v], **CLOSE)
            np.testing.assert_allclose(engine.marginal(v, {7: 0}), expected[v], **CLOSE)
        with engine.workspace() as work:
            found += matrix_products(work)
    assert found > 0


@pytest.mark.parametrize("zeros", [0.0, 0.5])
def test_soft_evidence_of_everything_equals_enumeration_where_tiles_are_short_and_where_they_are_not(zeros):
    """What is said of a variable is a factor of one axis, which is read in every way in which a tile can be run."""
    rng = np.random.default_rng(6)
    for _ in range(CASES // 20):
        engine = Engine(brute.woven(rng, rng.integers(2, 5, 8).tolist(), zeros))
        cards = engine.problem.cards
        soft = {v: rng.random(cards[v]) + 0.1 for v in range(8)}
        table = brute.joint(engine.problem)
        for v, weights in soft.items():
            table = table * brute.along(weights, v, 8)
        for v, values in enumerate(engine.marginals({}, soft)):
            expected = table.sum(tuple(u for u in range(8) if u != v)) / table.sum()
            np.testing.assert_allclose(values, expected, **CLOSE)
            np.testing.assert_allclose(engine.marginal(v, {}, soft), expected, **CLOSE)
        states, log_p = engine.mpe({}, soft)
        np.testing.assert_allclose([log_p, math.log(table[tuple(states)])], math.log(table.max()), **CLOSE)


@pytest.mark.parametrize("many", [9, 12])
@pytest.mark.parametrize("soft", [False, True])
@pytest.mark.parametrize("short", [2, 4, 16, 64])
def test_tables_that_are_nearly_all_zeros_equal_enumeration(many, soft, short, monkeypatch):
    """One variable is the sum of two others, so that few entries lead; others are told along the tile."""
    monkeypatch.setattr(workspace, "TILE", short)
    rng = np.random.default_rng(9)
    parents = ((), (), (0, 1), (0,), (0, 3), (1, 3), (2, 3))
    for _ in range(CASES // 50):
        cards = (many, many, many, *(int(c) for c in rng.integers(2, 5, 4)))
        tables = [rng.random([*(cards[u] for u in above), cards[v]]) + 0.01 for v, above in enumerate(parents)]
        tables[2] = np.eye(many)[np.add.outer(np.arange(many), np.arange(many)) % many]
        tables = [table / table.sum(-1, keepdims=True) for table in tables]
        engine = Engine(InferenceProblem(cards, parents, tuple(tables)))
        said = {v: rng.random(cards[v]) + 0.1 for v in range(7)} if soft else {}
        table = brute.joint(engine.problem)
        for v, weights in said.items():
            table = table * brute.along(weights, v, 7)
        for evidence in ({}, {4: 0}, {5: 1, 6: 0}):
            agreeing = table
            for v, state in evidence.items():
                agreeing = agreeing * brute.along(np.eye(cards[v])[state], v, 7)
            for v, values in enumerate(engine.marginals(evidence, said)):
                expected = agreeing.sum(tuple(u for u in range(7) if u != v)) / agreeing.sum()
                np.testing.assert_allclose(values, expected, **CLOSE)
                np.testing.assert_allclose(engine.marginal(v, evidence, said), expected, **CLOSE)
            free = [v for v in range(7) if v not in evidence]
            for targets in (free[:2], free[1:3], free[-3:]):
                expected = agreeing.sum(tuple(v for v in range(7) if v not in targets))
                np.testing.assert_allclose(engine.joint(targets, evidence, said), expected / expected.sum(), **CLOSE)
                states, log_p = engine.map(targets, evidence, said)
                np.testing.assert_allclose(np.exp([log_p, math.log(expected[tuple(states)])]), expected.max(), **CLOSE)
            states, log_p = engine.mpe(evidence, said)
            np.testing.assert_allclose(np.exp([log_p, math.log(agreeing[tuple(states)])]), agreeing.max(), **CLOSE)
            np.testing.assert_allclose(engine.log_evidence(evidence, said), math.log(agreeing.sum()), **CLOSE)


def halves(rng, cards):
    """A network of eight variables in which every row has two states of the same probability, and no others."""
    woven = brute.woven(rng, cards)
    tables = [np.zeros(table.shape) for table in woven.tables]
    for table in tables:
        for row in table.reshape(-1, table.shape[-1]):
            row[rng.choice(len(row), 2, replace=False)] = 0.5
    return InferenceProblem(woven.cards, woven.parents, tuple(tables))


def test_zeros_are_told_from_entries_that_are_equal():
    rng = np.random.default_rng(9)
    for _ in range(CASES // 20):
        engine = Engine(halves(rng, [2, 2, 3, 8, 9, 2, 3, 2]))
        table = brute.joint(engine.problem)
        for v, values in enumerate(engine.marginals({})):
            expected = table.sum(tuple(u for u in range(8) if u != v))
            np.testing.assert_allclose(values, expected, **CLOSE)
            np.testing.assert_allclose(engine.marginal(v, {}), expected, **CLOSE)
        states, log_p = engine.mpe({})
        np.testing.assert_allclose(np.exp(log_p), [table.max(), table[tuple(states)]], **CLOSE)


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_joints_equal_enumeration(kind):
    for case, rng in cases(3, **kind):
        n = len(case.problem.cards)
        targets = [int(v) for v in rng.permutation(n)[: rng.integers(1, 5)]]
        expected = case.over(*targets)
        found = Engine(case.problem).joint(targets, case.evidence, case.likelihood)
        np.testing.assert_allclose(found, expected / expected.sum(), **CLOSE)


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_the_probability_of_evidence_equals_enumeration(kind):
    for case, _ in cases(4, **kind):
        found = Engine(case.problem).log_evidence(case.evidence, case.likelihood)
        np.testing.assert_allclose(found, math.log(case.table.sum()), **CLOSE)


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_the_most_probable_states_equal_enumeration(kind):
    for case, rng in cases(5, **kind):
        engine = Engine(case.problem)
        states, log_p = engine.mpe(case.evidence, case.likelihood)
        np.testing.assert_allclose([log_p, math.log(case.table[tuple(states)])], math.log(case.table.max()), **CLOSE)
        targets = [int(v) for v in rng.permutation(len(case.problem.cards))[: rng.integers(1, 5)]]
        over = case.over(*targets)
        states, log_p = engine.map(targets, case.evidence, case.likelihood)
        np.testing.assert_allclose([log_p, math.log(over[tuple(states)])], math.log(over.max()), **CLOSE)


def chain(length, states=3):
    """A long chain that changes state once in a while."""
    step = np.full((states, states), 0.01) + np.eye(states) * (1 - 0.01 * states)
    return InferenceProblem(
        (states,) * length,
        ((), *((i,) for i in range(length - 1))),
        (np.full(states, 1 / states), *(step for _ in range(length - 1))),
    )


def test_evidence_of_vanishing_probability_does_not_underflow():
    engine = Engine(chain(2000))
    evidence = {v: v // 2 % 3 for v in range(0, 2000, 2)}
    assert engine.log_evidence(evidence) < -2000
    for values in engine.marginals(evidence):
        assert np.isfinite(values).all()
        np.testing.assert_allclose(values.sum(), 1)


def test_impossible_evidence_is_an_error():
    never = InferenceProblem((2, 2), ((), (0,)), (np.array([1.0, 0.0]), np.eye(2)))
    engine = Engine(never)
    for ask in (engine.marginals, engine.log_evidence, engine.mpe):
        with pytest.raises(ContradictoryEvidence, match="probability zero"):
            ask({1: 1})
    with pytest.raises(ContradictoryEvidence, match="probability zero"):
        engine.marginal(0, {1: 1})
    with pytest.raises(ContradictoryEvidence, match="probability zero"):
        engine.joint([0, 1], {1: 1})
    np.testing.assert_array_equal(engine.marginal(0, {1: 0}), [1, 0])  # and the engine still works


def test_evidence_that_says_nothing_about_the_target_must_be_possible_too():
    rng = np.random.default_rng(11)
    raised = answered = doubted = 0
    for _ in range(CASES):
        problem = brute.network(rng, 9, zeros=0.5)
        table, engine = brute.joint(problem), Engine(problem)
        for _ in range(6):
            target, *seen = (int(v) for v in rng.permutation(9)[:5])
            evidence = {v: int(rng.integers(problem.cards[v])) for v in seen}
            soft = {8: (rng.random(problem.cards[8]) < 0.7) * 1.0} if rng.random() < 0.3 and target != 8 else {}
            agrees = table[tuple(evidence.get(v, slice(None)) for v in range(9))]
            if soft:
                rest = [v for v in range(9) if v not in evidence]
                over = agrees.sum(tuple(k for k, v in enumerate(rest) if v != 8))
                agrees = over @ soft[8] if 8 in rest else agrees * soft[8][evidence[8]]
            if agrees.sum() > 0:
                engine.marginal(target, evidence, soft)
                answered += 1
            else:
                with pytest.raises(ContradictoryEvidence, match="probability zero"):
                    engine.marginal(target, evidence, soft)
                with pytest.raises(ContradictoryEvidence, match="probability zero"):
                    engine.joint([target, (target + 1) % 9], evidence, soft)
                raised += 1
            with engine.workspace() as work:
                work.observe(evidence, soft)
                work.plan(targets=(target,))
                doubted += work.witness.doubts() and agrees.sum() > 0
    assert min(raised, answered) > CASES  # both sides were tried,
    assert doubted == 0  # and a witness was found wherever there is one


def test_evidence_that_contradicts_itself_in_a_circle_is_impossible_though_every_pair_of_it_agrees():
    """Of three coins, the first two are alike, the last two are, and the first and the last are not; the first two are
    compared only where `watched` is 0, which is rare, so that what is likely would be possible."""
    weather, watched = np.array([0.5, 0.5]), np.array([[0.1, 0.9], [0.2, 0.8]])
    alike = np.array([[[1.0, 0.0], [0.0, 1.0]], [[0.0, 1.0], [1.0, 0.0]]])
    compared = np.stack([alike, np.full((2, 2, 2), 0.5)])
    coin = np.array([[0.5, 0.5], [0.4, 0.6]])
    parents = ((), (0,), (1,), (1,), (1,), (1, 2, 3), (3, 4), (2, 4), ())
    tables = (weather, watched, coin, coin, coin, compared, alike, alike, weather)
    engine = Engine(InferenceProblem((2,) * 9, parents, tables))
    for pairs in itertools.product((0, 1), repeat=3):
        evidence = dict(zip((5, 6, 7), pairs, strict=True))
        np.testing.assert_array_equal(engine.marginal(8, {1: 1, **evidence}), weather)
        if sum(pairs) % 2:
            with pytest.raises(ContradictoryEvidence, match="probability zero"):
                engine.marginal(8, {1: 0, **evidence})
        else:
            np.testing.assert_array_equal(engine.marginal(8, {1: 0, **evidence}), weather)


def test_a_state_that_does_not_exist_is_refused():
    with pytest.raises(ValueError, match="variable 1 has the states 0 to 2; evidence says 3"):
        Engine(chain(3)).marginal(0, {1: 3})


def test_a_query_too_large_is_refused_with_its_size():
    n = 60  # every pair of causes has an effect: one clique of 60 variables
    pairs = [(i, j) for i in range(n) for j in range(i)]
    cause, effect = np.full(2, 0.5), np.full((2, 2, 2), 0.5)
    problem = InferenceProblem((2,) * (n + len(pairs)), ((),) * n + tuple(pairs), (cause,) * n + (effect,) * len(pairs))
    everything = {n + k: 0 for k in range(len(pairs))}
    with pytest.raises(TooLarge, match="bytes") as error:
        Engine(problem).marginal(0, everything)
    assert 1e15 < error.value.size < 1e30
    assert "inf" not in str(error.value)
    with pytest.raises(TooLarge, match=r"e\+\d\d bytes"):
        Engine(problem).predict([[-1] * n + [0] * len(pairs)] * 3, 0)
    assert len(Engine(problem).marginal(0, {})) == 2  # the effects are barren


def test_tables_whose_product_underflows_are_no_contradiction():
    """Three observations of probability about 1e-200 each: only their ratios matter."""
    seen = np.array([[1e-200, 1.0], [3e-200, 1.0]])
    never = np.array([[0.0, 1.0], [0.0, 1.0]])
    tables = (np.array([0.25, 0.75]), seen, seen, seen, never)
    engine = Engine(InferenceProblem((2,) * 5, ((), (0,), (0,), (0,), (0,)), tables))
    evidence = {1: 0, 2: 0, 3: 0}
    expected = np.array([0.25, 0.75 * 27]) / (0.25 + 0.75 * 27)
    np.testing.assert_allclose(engine.marginal(0, evidence), expected, **CLOSE)
    np.testing.assert_allclose(engine.marginals(evidence)[0], expected, **CLOSE)
    np.testing.assert_allclose(
        engine.log_evidence(evidence), 3 * math.log(1e-200) + math.log(0.25 + 0.75 * 27), **CLOSE
    )
    states, log_p = engine.mpe(evidence)
    assert states[0] == 1
    np.testing.assert_allclose(log_p, math.log(0.75) + 3 * math.log(3e-200), **CLOSE)
    rows = [[-1, 1, 1, 1, -1], [-1, 0, 0, 0, -1], [-1, 1, 0, 1, -1]]
    np.testing.assert_allclose(engine.predict(rows, 0)[1], expected, **CLOSE)
    np.testing.assert_allclose(engine.posteriors(rows)[0][1], expected, **CLOSE)
    soft = {v: np.full(2, 1e-200) for v in range(5)}
    np.testing.assert_allclose(engine.marginal(0, {}, soft), [0.25, 0.75], **CLOSE)
    with pytest.raises(ContradictoryEvidence, match="variables 4 contradict"):
        engine.marginals({**evidence, 4: 0})


@pytest.mark.parametrize("zeros", [0.0, 0.5])
def test_a_plan_is_no_longer_than_it_was_said_to_be(zeros, monkeypatch):
    """It is written without a look at where it ends, so what comes behind it must stay as it was."""
    behind, written = 1 << 14, []

    def grow(self, length):
        whole = np.full(length + behind, -7, np.intp)
        written.append(whole)
        self.program = whole[:length]
        self.tree.grow(self.program)

    monkeypatch.setattr(workspace.Workspace, "grow", grow)
    for case, rng in itertools.islice(cases(7, observed=0.2, zeros=zeros), CASES // 4):
        engine = Engine(case.problem)
        with engine.workspace() as work:
            work.grow(0)
        engine.marginals(case.evidence, case.likelihood)
        engine.joint([int(v) for v in rng.permutation(len(case.problem.cards))[:3]], case.evidence, case.likelihood)
        engine.mpe(case.evidence, case.likelihood)
    assert any(len(whole) > behind for whole in written)
    assert all((whole[-behind:] == -7).all() for whole in written)


def test_a_plan_that_has_run_may_run_again():
    """Nothing is written past the end of a program, whether its first run succeeded or not."""
    case = brute.case(np.random.default_rng(9), softly=0.0)
    with Engine(case.problem).workspace() as work:
        work.observe(case.evidence, {})
        work.plan()
        first = queries.up(work.tree, work.propagation)
        assert [queries.up(work.tree, work.propagation) for _ in range(1000)] == [first] * 1000
    with Engine(InferenceProblem((2, 2), ((), (0,)), (np.array([1.0, 0.0]), np.eye(2)))).workspace() as work:
        work.observe({1: 1}, {})
        work.plan()
        assert {queries.up(work.tree, work.propagation) for _ in range(1000)} == {-math.inf}


def test_threads_share_an_engine():
    problem = chain(30)
    engine = Engine(problem)
    asked = [{v % 30: v % 3, (v * 7) % 30: v % 2} for v in range(200)]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda evidence: engine.marginals(evidence)[11], asked))
    for evidence, values in zip(asked, found, strict=True):
        np.testing.assert_array_equal(values, Engine(problem).marginals(evidence)[11])


@pytest.mark.parametrize("unit", [1e200, 1e-200, 2.0**-1070])
def test_likelihoods_may_be_in_any_unit(unit):
    """Their product is not worked out: that of three would be infinite, or nothing."""
    for case, rng in itertools.islice(cases(12, observed=0.2, zeros=0.0), 8):
        free = [v for v in range(len(case.problem.cards)) if v not in case.evidence][:4]
        plain = {v: rng.choice([0.25, 0.5, 1.0, 2.0], case.problem.cards[v]) for v in free}
        scaled = {v: unit * weights for v, weights in plain.items()}
        engine = Engine(case.problem)
        shift = len(free) * math.log(unit)
        expected = engine.log_evidence(case.evidence, plain)
        assert engine.log_evidence(case.evidence, scaled) == pytest.approx(expected + shift, rel=1e-9)
        for mine, theirs in zip(
            engine.marginals(case.evidence, scaled), engine.marginals(case.evidence, plain), strict=True
        ):
            np.testing.assert_allclose(mine, theirs, rtol=1e-9, atol=1e-12)
        for v in free:
            np.testing.assert_allclose(
                engine.marginal(v, case.evidence, scaled), engine.marginal(v, case.evidence, plain), rtol=1e-9
            )
        np.testing.assert_allclose(
            engine.joint(free[:2], case.evidence, scaled), engine.joint(free[:2], case.evidence, plain), rtol=1e-9
        )
