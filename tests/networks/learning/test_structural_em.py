"""Arcs from rows with holes: completions are posteriors, the score never falls, and the truth is found all the same."""

import numpy as np
import pandas as pd
import pytest
from tests.networks.graphs import times

import bayesfold as bf
from bayesfold.networks.evidence import encode
from bayesfold.networks.learning import structural_em
from bayesfold.networks.learning.rules import Rules
from bayesfold.networks.learning.search import LEAST, Search
from bayesfold.networks.learning.structural_em import complete_rows, fill_holes

TRUTH = bf.read_network("smoking")


def punched(rows, share, seed):
    """A sample of the network, and the same with holes."""
    table = pd.DataFrame(TRUTH.sample(rows, random_state=seed))
    return table, table.mask(np.random.default_rng(seed).random(table.shape) < share)


def test_completions_are_the_posterior_of_the_holes():
    _, holes = punched(60, 0.4, 0)
    codes = encode(holes, TRUTH.axes)
    rows, weight = complete_rows(TRUTH, codes, np.full(60, 2.0), np.random.default_rng(0))
    assert (rows >= 0).all()
    assert weight.sum() == pytest.approx(120)
    first = 0
    for row in codes:
        shown = (row < 0) | (rows[first:] == row)
        many = int(np.argmin(shown.all(1))) if not shown.all(1).all() else len(shown)
        several = np.prod([len(TRUTH.axes[v]) for v, c in zip(TRUTH.nodes, row, strict=True) if c < 0])
        some, shares = rows[first : first + many], weight[first : first + many]
        evidence = {v: TRUTH.axes[v][c] for v, c in zip(TRUTH.nodes, row, strict=True) if c >= 0}
        if several <= structural_em.MOST_COMPLETIONS and 1 < several == many:
            for one, share in zip(some, shares, strict=True):
                what = ", ".join(
                    f"{v}={TRUTH.axes[v][c]}" for v, c, hole in zip(TRUTH.nodes, one, row < 0, strict=True) if hole
                )
                given = ", ".join(f"{v}={s}" for v, s in evidence.items())
                assert share == pytest.approx(2 * TRUTH.probability(f"{what} | {given}" if given else what))
        first += many


def test_rows_of_very_many_completions_are_drawn_from_their_posterior(monkeypatch):
    monkeypatch.setattr(structural_em, "MOST_COMPLETIONS", 2)
    codes = np.full((20_000, 5), -1, np.int32)
    codes[:, TRUTH.nodes.index("dyspnoea")] = 1
    rows, weight = complete_rows(TRUTH, codes, np.ones(len(codes)), np.random.default_rng(3))
    for v, name in enumerate(TRUTH.nodes):
        expected = TRUTH.posteriors([{"dyspnoea": TRUTH.states("dyspnoea")[1]}])[name][0]
        found = np.bincount(rows[:, v], weight, len(expected)) / len(codes)
        np.testing.assert_allclose(found, expected, atol=0.015)


def observed_bic(net, table):
    """log P(what rows show) less the price of the parameters."""
    free = sum(net.table(v).values.size // len(net.axes[v]) * (len(net.axes[v]) - 1) for v in net.nodes)
    return net.log_likelihood(table) - free * np.log(len(table)) / 2


def test_the_arcs_are_at_least_as_good_as_those_of_whole_rows_and_the_truth():
    for seed in range(times(30)):
        table, holes = punched(1_500, 0.15, seed)
        found = bf.learn_network(holes, em=True, method="mle").network
        assert found.em is not None
        whole = bf.learn_network(holes.dropna(), method="mle").dag
        for other in (whole, TRUTH.dag):
            rival = bf.fit_network(other.edges, holes, method="mle", em=True)
            missing = [v for v in found.nodes if v not in rival.nodes]
            assert missing or observed_bic(found, holes) >= observed_bic(rival, holes) - 1.0
        full = bf.learn_network(table)
        assert found.learned is None
        assert {frozenset(e) for e in full.dag.edges} - {frozenset(e) for e in found.edges} <= {
            frozenset(("cancer", "smoking")),
            frozenset(("smoking", "xray")),
        }


def test_without_holes_it_is_the_plain_search():
    table, _ = punched(400, 0.0, 2)
    assert bf.learn_network(table, em=True).dag == bf.learn_network(table).dag
    assert bf.learn_network(table, em=True).network.learned is not None


def test_rules_samples_and_posteriors_go_with_holes():
    _, holes = punched(2_000, 0.5, 2)  # too few whole rows to begin from
    order = [["smoking"], ["cancer", "bronchitis"], ["xray", "dyspnoea"]]
    found = bf.learn_network(holes, em=True, tiers=order, bootstrap=3, posterior=True, max_parents=2)
    assert found.strengths.samples == 3
    assert found.posterior.strength.max() <= 1 + 1e-9
    assert ("smoking", "bronchitis") in found.dag.edges
    assert all(stage.startswith("turn") for stage, _ in found.path)
    weighted = bf.learn_network(holes, em=True, weight=np.ones(2_000), tiers=order, max_parents=2)
    assert weighted.dag == found.dag


def test_what_does_not_go_is_refused():
    _, holes = punched(100, 0.2, 2)
    with pytest.raises(ValueError, match=r"has no value of .*: structures are learned from whole rows. Take em=True"):
        bf.learn_network(holes)
    with pytest.raises(ValueError, match="left_out leaves out whole rows"):
        bf.learn_network(holes, em=True, score="left_out")


def bare(*cards):
    """Nodes without arcs, each state as likely."""
    names = [*"abcdef"][: len(cards)]
    states = {v: tuple(range(card)) for v, card in zip(names, cards, strict=True)}
    tables = {v: np.full(card, 1 / card) for v, card in zip(names, cards, strict=True)}
    return bf.BayesianNetwork.from_edges([], names, tables, states)


@pytest.mark.parametrize(("most", "filled"), [(6, False), (5, True)])
def test_a_row_has_as_many_completions_as_it_may(most, filled):
    net, codes = bare(2, 3, 4), np.array([[-1, -1, 0], [0, -1, 0]], np.int32)
    rows = fill_holes(most, net, codes, np.array([2, 3, 4]), np.random.default_rng(0))
    assert (rows[1] == codes[1]).all(), "a row of few completions stays as it is"
    assert bool((rows[0] >= 0).sum() == 2) is filled
    assert (codes[0] == [-1, -1, 0]).all(), "what was given is not changed"


def test_the_hole_that_most_rows_have_is_filled_first():
    net = bare(4, 4, 4)
    codes = np.array([[-1, -1, 0], [0, -1, -1], [-1, -1, 1]], np.int32)
    rows = fill_holes(4, net, codes, np.array([4, 4, 4]), np.random.default_rng(0))
    assert (rows[:, 1] >= 0).all()
    assert ((rows[:, [0, 2]] < 0) == (codes[:, [0, 2]] < 0)).all()


def test_rows_are_completed_in_their_order_by_what_is_likely():
    net = bf.BayesianNetwork.from_edges(
        [("a", "b")], tables={"a": {0: 0.5, 1: 0.5}, "b": {0: {0: 0.75, 1: 0.25}, 1: {0: 0.0, 1: 1.0}}}
    )
    codes = np.array([[-1, 0], [1, 1], [-1, 1], [-1, -1]], np.int32)
    rows, weight = complete_rows(net, codes, np.array([1.0, 2.0, 5.0, 8.0]), np.random.default_rng(0))
    assert rows.tolist() == [[0, 0], [1, 1], [0, 1], [1, 1], [0, 0], [0, 1], [1, 1]]
    assert weight.tolist() == pytest.approx([1.0, 2.0, 1.0, 4.0, 3.0, 1.0, 4.0])


@pytest.mark.parametrize("kind", [(2, 3), (3, 2)])
def test_pairs_are_scored_on_the_rows_that_show_both(kind):
    draw = np.random.default_rng(0)
    rows = np.column_stack([draw.integers(0, kind[0], 40), draw.integers(0, kind[1], 40)]).astype(np.int32)
    rows[:10, 1] %= min(kind[1], kind[0])
    rows[::7, 0], rows[3::11, 1] = -1, -1
    times = draw.choice([0.5, 1.0, 3.0], 40)
    axes = {"a": tuple(range(kind[0])), "b": tuple(range(kind[1]))}
    gains = structural_em.score_pairs(rows, times, axes)
    both = (rows >= 0).all(1)
    table = np.zeros(kind)
    np.add.at(table, tuple(rows[both].T), times[both])
    n = table.sum()
    expected = np.where(table > 0, table * np.log(np.where(table > 0, table, 1) * n), 0).sum()
    expected -= (table * np.log(np.outer(table.sum(1), table.sum(0)))).sum()
    expected -= np.log(n) / 2 * (kind[0] - 1) * (kind[1] - 1)
    assert gains[0, 1] == gains[1, 0] == pytest.approx(expected)
    assert gains[0, 0] == gains[1, 1] == 0


@pytest.mark.parametrize(("whole", "asked"), [(1.0, True), (0.99, False)])
def test_whole_rows_say_where_to_begin_where_they_weigh_a_fifth(monkeypatch, whole, asked):
    rows = np.array([[0, 0], [1, -1]], np.int32)
    seen = []

    class Result:
        links = np.array([[False, True], [False, False]])

    def look(task):
        seen.append(task)
        return Result

    net = structural_em.find_first_network(
        rows, np.array([whole, 4.0]), {"a": (0, 1), "b": (0, 1)}, Rules.of("ab"), lambda *given: given, look
    )
    assert bool(seen) is asked
    if asked:
        ((given, times, links),) = seen
        assert (given.tolist(), times.tolist(), links) == ([[0, 0]], [1.0], None)
        assert net.edges == (("a", "b"),)


def test_a_search_ends_where_it_finds_nothing_better_and_keeps_its_path(monkeypatch):
    monkeypatch.setattr(structural_em, "TURNS", 3)
    scores, heard = iter([1.0, 2.0, 3.0]), []
    found = [np.array([[False, i > 0], [False, False]]) for i in range(4)]

    def look(task):
        turn = len(heard)
        return Search(found[turn], np.zeros((2, 2)), next(scores), [("own", 0.0)])

    monkeypatch.setattr(structural_em, "find_first_network", lambda *given: bare(2, 2))
    judged = iter([1.0, 3.0 - LEAST])
    monkeypatch.setattr(
        structural_em, "score_network", lambda task, links, stage: Search(links, np.zeros((2, 2)), next(judged), [])
    )
    codes, axes = np.array([[0, -1], [1, 1]], np.int32), {"a": (0, 1), "b": (0, 1)}
    result, _ = structural_em.search_with_holes(
        codes, np.ones(2), axes, Rules.of("ab"), lambda *given: given, look, np.random.default_rng(0),
        lambda *stage: heard.append(stage),
    )  # fmt: skip
    assert heard == [("turn 1", 1.0), ("turn 2", 2.0)]
    assert result.path == heard, "the third search gained no more than rounding"
    assert result.score == 3.0 - LEAST


def test_a_search_that_was_interrupted_is_the_last(monkeypatch):
    monkeypatch.setattr(structural_em, "find_first_network", lambda *given: bare(2, 2))
    looked = []

    def look(task):
        looked.append(task)
        return Search(np.zeros((2, 2), bool), np.zeros((2, 2)), 1.0, [], interrupted=True)

    codes, axes = np.array([[0, -1], [1, 1]], np.int32), {"a": (0, 1), "b": (0, 1)}
    result, task = structural_em.search_with_holes(
        codes, np.ones(2), axes, Rules.of("ab"), lambda *given: given, look, np.random.default_rng(0)
    )
    assert looked == [task]
    assert result.interrupted
    assert result.path == [("turn 1", 1.0)]
