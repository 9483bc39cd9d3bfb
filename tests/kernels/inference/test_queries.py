"""Network inference: the compiled loops against their own source, to the bit, on whole queries."""

from itertools import pairwise

import numpy as np
import pytest
from tests.kernels.reference import uncompiled
from tests.networks.inference import brute

from bayesfold.networks.inference import Engine, InferenceProblem, engine, lanes, rows, unbounded, workspace


@pytest.fixture
def from_source(monkeypatch):
    """The engine with every kernel as plain Python."""

    def switch():
        monkeypatch.setattr(workspace, "Elimination", uncompiled("elimination").Elimination)
        monkeypatch.setattr(workspace, "Layout", uncompiled("layout").Layout)
        monkeypatch.setattr(workspace, "Propagation", uncompiled("propagation").Propagation)
        monkeypatch.setattr(workspace, "Witness", uncompiled("witness").Witness)
        monkeypatch.setattr(engine, "queries", uncompiled("queries"))
        monkeypatch.setattr(rows, "queries", uncompiled("queries"))
        monkeypatch.setattr(lanes, "Lanes", uncompiled("lanes").Lanes)
        monkeypatch.setattr(unbounded, "Unbounded", uncompiled("unbounded").Unbounded)

    return switch


def answers(case, targets, codes):
    """Everything that one network can be asked."""
    ask = Engine(case.problem)
    yield from ask.marginals(case.evidence, case.likelihood)
    yield ask.joint(targets, case.evidence, case.likelihood)
    yield np.array(ask.log_evidence(case.evidence, case.likelihood))
    for states, log_p in (ask.mpe(case.evidence, case.likelihood), ask.map(targets, case.evidence)):
        yield states
        yield np.array(log_p)
    yield from ask.posteriors(codes)
    yield ask.predict(codes, targets[0])


@pytest.mark.parametrize("way", ["one plan", "groups", "row by row"])
@pytest.mark.parametrize("tile", [2, 1024])
@pytest.mark.parametrize("zeros", [0.0, 0.6])
def test_source_and_extension_agree_to_the_bit(from_source, monkeypatch, way, tile, zeros):
    monkeypatch.setattr(lanes, "find_cheapest", lambda costs: way)
    monkeypatch.setattr(workspace, "TILE", tile)
    rng = np.random.default_rng(8)
    todo = []
    for _ in range(4):
        case = brute.case(rng, zeros=zeros, most=6)
        n = len(case.problem.cards)
        codes = np.full((3, n), -1)
        for v, state in case.evidence.items():
            codes[:2, v] = state
        todo.append((case, [int(v) for v in rng.permutation(n)[:2]], codes))
    compiled = [list(answers(*each)) for each in todo]
    from_source()
    with np.errstate(all="ignore"):
        source = [list(answers(*each)) for each in todo]
    for ours, theirs in zip(compiled, source, strict=True):
        for a, b in zip(ours, theirs, strict=True):
            np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("zeros", [0.0, 0.5])
def test_matrix_products_agree_to_the_bit(from_source, monkeypatch, zeros):
    monkeypatch.setattr(workspace, "TILE", 16)
    problem = brute.woven(np.random.default_rng(9), [3, 4, 3, 3, 2, 3, 2, 2], zeros)
    compiled = Engine(problem).marginals({7: 0})
    from_source()
    with np.errstate(all="ignore"):
        for ours, theirs in zip(compiled, Engine(problem).marginals({7: 0}), strict=True):
            np.testing.assert_array_equal(ours, theirs)


def without_bounds(case, targets):
    """The same questions, all of them asked where numbers cannot become too small."""
    with Engine(case.problem).workspace() as work:
        seen = case.evidence, case.likelihood
        size = int(np.prod([case.problem.cards[v] for v in targets], dtype=int)) if targets else 0
        for values, log_p in (
            unbounded.find_root_message(work, targets, *seen, size),
            unbounded.find_marginals(work, *seen),
            unbounded.find_most_probable(work, (), *seen),
            unbounded.find_most_probable(work, targets, *seen),
        ):
            yield values
            yield np.array(log_p)


def test_numbers_without_bounds_agree_to_the_bit(from_source):
    rng = np.random.default_rng(10)
    todo = []
    for _ in range(12):
        case = brute.case(rng, zeros=0.3, most=6)
        free = [v for v in range(len(case.problem.cards)) if v not in case.evidence]
        todo.append((case, tuple(free[:2])))
    compiled = [list(without_bounds(*each)) for each in todo]
    from_source()
    with np.errstate(all="ignore"):
        for ours, each in zip(compiled, todo, strict=True):
            for a, b in zip(ours, without_bounds(*each), strict=True):
                np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("narrow", [1, 2, 4])
def test_the_width_of_registers_changes_no_bit(monkeypatch, narrow):
    problem = brute.woven(np.random.default_rng(9), [3, 9, 5, 11, 2, 3, 7, 2], 0.3)
    codes = np.full((40, 8), -1)
    codes[::2, 7] = 0
    codes[::3, 4] = 1

    def ask(width):
        def narrowed(kind):
            def make(*arguments):
                made = kind(*arguments)
                made.width = min(made.width, width)
                return made

            return make

        with monkeypatch.context() as patch:
            patch.setattr(lanes, "find_cheapest", lambda costs: "one plan")
            patch.setattr(workspace, "TILE", 16)
            patch.setattr(workspace, "Propagation", narrowed(workspace.Propagation))
            patch.setattr(lanes, "Lanes", narrowed(lanes.Lanes))
            engine = Engine(problem)
            return [*engine.marginals({7: 0}), *engine.posteriors(codes)]

    for wide, slim in zip(ask(8), ask(narrow), strict=True):
        np.testing.assert_array_equal(wide, slim)


def apart(rng, cases):
    """Networks with a coin, number 8, that nothing else has to do with, and evidence that may be impossible."""
    for _ in range(cases):
        problem = brute.woven(rng, [int(c) for c in rng.integers(2, 5, 8)], zeros=0.8)
        coin = InferenceProblem((*problem.cards, 2), (*problem.parents, ()), (*problem.tables, np.full(2, 0.5)))
        table = brute.joint(coin)
        world = np.unravel_index(rng.choice(table.size, p=table.ravel() / table.sum()), table.shape)
        if rng.random() < 0.3:
            world = rng.integers(coin.cards)
        evidence = {int(v): int(world[v]) for v in (6, 7, rng.integers(6))}
        soft = {5: (rng.random(coin.cards[5]) < 0.7) * 1.0} if rng.random() < 0.3 else {}
        for v, state in evidence.items():
            table = table * brute.along(np.eye(coin.cards[v])[state], v, 9)
        for v, weights in soft.items():
            table = table * brute.along(weights, v, 9)
        yield coin, evidence, soft, table


def tossed(problem, evidence, soft):
    """The workspace of the question how the coin falls, and whether its witness doubts the evidence."""
    with np.errstate(all="ignore"), Engine(problem).workspace() as work:
        work.observe(evidence, soft)
        work.plan(targets=(8,))
        return work, work.witness.doubts()


@pytest.mark.slow
def test_witnesses_are_found_alike_and_only_impossible_states_are_struck_out(from_source):
    todo = list(apart(np.random.default_rng(12), 500))
    compiled = [tossed(*question)[1] for *question, _ in todo]
    from_source()
    careful = struck = 0
    for (problem, evidence, soft, table), doubts in zip(todo, compiled, strict=True):
        work, found = tossed(problem, evidence, soft)
        assert found == doubts
        if not work.graph.doubt:
            continue
        if doubts:
            assert not table.any()
        else:
            for v in np.flatnonzero(work.graph.cut):
                assert problem.tables[v][tuple(work.witness.state[list(problem.families[v])])] > 0
                assert v not in soft or soft[v][work.witness.state[v]] > 0
        work.witness.chance = 0
        if work.witness.quick():
            continue
        careful += not doubts
        assert work.witness.start() or doubts
        for v, (begin, end) in enumerate(pairwise(problem.states)):
            gone = work.witness.some[begin + work.witness.left[v] : end]
            assert not table.take(gone, v).any()
            struck += len(gone)
    assert min(careful, struck) > 20  # the first attempt was often in vain
