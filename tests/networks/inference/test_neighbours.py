"""Which rows share a plan, and which way of answering them costs least: by hand, and against plans that are made."""

from itertools import pairwise, product

import numpy as np
import pytest

from bayesfold.networks.inference import Engine, InferenceProblem, lanes, neighbours
from bayesfold.networks.inference.neighbours import count_entries, count_savings, order_rows
from bayesfold.networks.inference.table import EvidenceTable


def star(cards, centre=0):
    """The centre above all others."""
    parents = tuple(() if v == centre else (centre,) for v in range(len(cards)))
    shapes = [tuple(cards[p] for p in (*parents[v], v)) for v in range(len(cards))]
    return InferenceProblem(tuple(cards), parents, tuple(np.full(s, 1 / s[-1]) for s in shapes))


def evidence(problem, codes, likelihood=None):
    return EvidenceTable.of(np.array(codes), likelihood or {}, problem)


def test_what_matters_most_is_what_stands_in_the_most_entries():
    problem = star([2, 3, 4, 5])
    with Engine(problem).workspace() as work:
        saved = count_savings(work, [])
        # the centre is in a table with each other one
        assert saved[0] == pytest.approx((2 * 3 + 2 * 4 + 2 * 5) * (1 - 1 / 2))
        assert saved[1:].tolist() == pytest.approx([6 * 2 / 3, 8 * 3 / 4, 10 * 4 / 5])
        without = count_savings(work, [0])
        assert without[0] == 0, "what is cut out saves nothing more"
        assert without[1:].tolist() == pytest.approx([3 - 1, 4 - 1, 5 - 1])


def shown(problem, patterns):
    return evidence(problem, [[0 if c else -1 for c in pattern] for pattern in patterns])


@pytest.mark.parametrize("target", [-1, 3])
def test_rows_that_show_the_same_are_neighbours_and_next_to_them_what_differs_little(target):
    problem = star([2, 3, 4, 5])
    patterns = list(product((0, 1), repeat=4)) * 3
    draw = np.random.default_rng(0)
    patterns = [patterns[i] for i in draw.permutation(len(patterns))]
    with Engine(problem).workspace() as work:
        order = order_rows(work, shown(problem, patterns), target)
    assert sorted(order.tolist()) == list(range(48))
    kept = [tuple(c for v, c in enumerate(patterns[i]) if v != target) for i in order]
    changes = [sum(a != b for a, b in zip(one, other, strict=True)) for one, other in pairwise(kept)]
    different = len(set(kept))
    assert sum(change > 0 for change in changes) == different - 1, "each pattern stands in one run"
    assert set(changes) == {0, 1}, "from one to the next one cell comes or goes"
    first = [pattern[0] for pattern in kept]
    assert sum(a != b for a, b in pairwise(first)) == 1, "the centre, which matters most, once"


def test_cells_that_all_rows_show_or_none_does_order_nothing(monkeypatch):
    problem = star([2, 3, 4, 5])
    with Engine(problem).workspace() as work:
        alike = shown(problem, [(1, 0, 1, 0)] * 5)
        assert order_rows(work, alike, -1).tolist() == [0, 1, 2, 3, 4]
        nobody = shown(problem, [(0, 0, 0, 0)] * 3)
        assert order_rows(work, nobody, -1).tolist() == [0, 1, 2]
        asked = []
        savings = neighbours.count_savings
        monkeypatch.setattr(neighbours, "count_savings", lambda work, cut: asked.append([*cut]) or savings(work, cut))
        monkeypatch.setattr(neighbours, "MATTERING", 2)
        order_rows(work, shown(problem, list(product((0, 1), repeat=4))), -1)
        assert asked == [[], [0]], "so many are found one after another"


def test_entries_are_those_of_a_plan_without_what_all_rows_show():
    problem = star([2, 3, 4, 5])
    rows = np.arange(2)
    with Engine(problem).workspace() as work:
        table = evidence(problem, [[-1, 0, 0, -1], [-1, 1, -1, -1]])
        whole = count_entries(work, table, -1, rows, cut=False)
        cut = count_entries(work, table, -1, rows)
        alone = count_entries(work, table, -1, rows[:1])
        assert whole > cut > alone
        # the first row leaves the centre and the last one; both together the third one too
        assert cut - alone >= 2 * 4 - 2
        soft = evidence(problem, [[-1, 0, 0, -1], [-1, 1, -1, -1]], {1: np.ones((2, 3))})
        assert count_entries(work, soft, -1, rows) > cut, "what is said softly is not cut out"
        sure = evidence(problem, [[0, 0, 0, -1], [1, 0, 0, 4]])
        one = count_entries(work, sure, 3, rows)
        assert one < count_entries(work, sure, 3, rows, cut=False)
        assert count_entries(work, sure, 2, rows) <= one, "a cell of the target does not count"
        assert not work.soft.any()
    small = Engine(star([50] * 3), limit=100.0)
    with small.workspace() as work:
        assert count_entries(work, evidence(star([50] * 3), [[-1, -1, -1]]), -1, np.arange(1)) == np.inf
        assert count_savings(work, []).tolist() == [0, 0, 0]


def costs_of(monkeypatch, codes, target, every, sampled, alone):
    """What each way costs where plans have so many entries: of all rows, of sixteen, and of one."""
    problem, told, asked = star([2, 3, 4, 5]), {}, []

    def entries(work, table, target, rows, *, cut=True):
        asked.append((len(rows), cut))
        return every if not cut else alone if len(rows) == 1 else sampled

    monkeypatch.setattr(neighbours, "count_entries", entries)
    monkeypatch.setattr(lanes, "find_cheapest", lambda costs: told.update(costs) or min(costs, key=costs.get))
    with Engine(problem).workspace() as work:
        way, order = lanes.choose_way(work, evidence(problem, codes), target)
    return way, order, told, asked


def test_ways_cost_what_is_written(monkeypatch):
    codes = np.tile([[-1, 0, -1, 0], [-1, -1, 0, 0]], (300, 1))
    way, order, told, asked = costs_of(monkeypatch, codes, -1, 5_000.0, 40.0, 20.0)
    assert told == pytest.approx(
        {"one plan": 5_000.0, "row by row": 500 * 2 + 2.0 * 20.0, "groups": 40.0 + 500 * 2 / 16}
    )
    assert way == "groups"
    assert sorted(order.tolist()) == list(range(600))
    assert asked[0] == (600, False)
    assert asked[1:] == [(16, True)] * 19 + [(1, True)] * 19
    _, _, told, _ = costs_of(monkeypatch, codes, 3, 5_000.0, 40.0, 20.0)
    assert told["row by row"] == pytest.approx(500 * 3 + 40.0), "the target is missing too"
    _, _, told, _ = costs_of(monkeypatch, codes, -1, 5_000.0, 1e5, 20.0)
    assert told["groups"] == np.inf
    assert costs_of(monkeypatch, codes, -1, 5_000.0, 1e5 - 1, 20.0)[2]["groups"] < np.inf


@pytest.mark.parametrize(
    ("rows", "every", "looked"), [(512, 100.0, True), (511, 100.0, False), (512, 62.5, False), (512, 62.6, True)]
)
def test_how_alike_rows_are_is_found_out_where_that_pays(monkeypatch, rows, every, looked):
    codes = np.tile([-1, 0, -1, 0], (rows, 1))
    way, order, told, asked = costs_of(monkeypatch, codes, -1, every, 10.0, 5.0)
    assert ("groups" in told) is looked
    assert (len(asked) > 1) is looked
    if not looked:
        assert way == "one plan"
        assert order.tolist() == list(range(rows))
        assert told == {"one plan": every, "row by row": 1_000.0}
