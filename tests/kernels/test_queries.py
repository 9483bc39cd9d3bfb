"""Network inference: the compiled loops against their own source, to the bit, on whole queries."""

import numpy as np
import pytest
from tests.networks.inference import brute

from bayesfold.networks.inference import Engine, engine, lanes, rows, workspace

from .reference import uncompiled


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
    monkeypatch.setattr(lanes, "cheapest", lambda costs: way)
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
            patch.setattr(lanes, "cheapest", lambda costs: "one plan")
            patch.setattr(workspace, "TILE", 16)
            patch.setattr(workspace, "Propagation", narrowed(workspace.Propagation))
            patch.setattr(lanes, "Lanes", narrowed(lanes.Lanes))
            engine = Engine(problem)
            return [*engine.marginals({7: 0}), *engine.posteriors(codes)]

    for wide, slim in zip(ask(8), ask(narrow), strict=True):
        np.testing.assert_array_equal(wide, slim)
