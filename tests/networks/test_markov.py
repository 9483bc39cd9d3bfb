"""Markov chains: counted as tallies, checked against plain counting, matrix powers and simulation."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bayesfold as bf
from bayesfold.networks import markov
from bayesfold.networks.markov import FAR, MarkovChain

SEQUENCES = st.lists(st.lists(st.sampled_from("abc"), max_size=8), min_size=1, max_size=5)


def same(a, b):
    assert a.states == b.states
    np.testing.assert_array_equal(a.counts, b.counts)


@given(SEQUENCES, st.sampled_from([0.0, 0.5, 1.0]))
def test_probabilities_are_smoothed_counts(sequences, alpha):
    chain = MarkovChain.fit(sequences, alpha=alpha, states="abc")
    steps = Counter(pair for sequence in sequences for pair in pairwise(sequence))
    firsts = Counter(sequence[0] for sequence in sequences if sequence)
    table = chain.transitions()
    for a in "abc":
        total = sum(steps[a, b] for b in "abc") + 3 * alpha
        for b in "abc":
            assert table[a, b] == pytest.approx((steps[a, b] + alpha) / total if total else 1 / 3)
        begin = sum(firsts.values()) + 3 * alpha
        assert chain.initial()[a] == pytest.approx((firsts[a] + alpha) / begin if begin else 1 / 3)


@given(SEQUENCES, SEQUENCES, st.integers(1, 3))
def test_chains_add_and_subtract_as_their_sequences_do(left, right, order):
    a, b = (MarkovChain.fit(part, order, states="c") for part in (left, right))
    both = MarkovChain.fit(left + right, order, states="c")
    same(a + b, both)
    same(b + a, both)
    rest = both - b
    same(rest, a)  # states that only the right ones show are gone
    np.testing.assert_allclose(rest.chances.sum(-1), 1.0)


@given(SEQUENCES, st.integers(1, 3), st.integers(1, 5))
def test_a_chain_is_a_network(sequences, order, length):
    chain = MarkovChain.fit(sequences, order, alpha=0.5, states="abc")
    net = chain.to_network(length)
    draw = np.random.default_rng(0)
    path = draw.choice(list("abc"), length).tolist()
    row = {f"x{t}": x for t, x in enumerate(path)}
    assert chain.log_likelihood([path]) == pytest.approx(net.log_likelihood(row))
    last = chain.after(length).values
    np.testing.assert_allclose(last, net.query(f"x{length - 1}").values, rtol=1e-12)
    if length > order:
        given_ = {f"x{t}": x for t, x in enumerate(path[:order])}
        steps = length - order
        expected = net.query(f"x{length - 1}", evidence=given_).values
        np.testing.assert_allclose(chain.after(steps, path[:order]).values, expected, rtol=1e-12)
        table = chain.transitions(steps)
        np.testing.assert_allclose(table.condition(dict(zip(table.axes, path[:order], strict=False))).values, expected)


@given(SEQUENCES, st.integers(1, 2))
def test_a_step_does_not_change_the_stationary_distribution(sequences, order):
    chain = MarkovChain.fit(sequences, order, alpha=0.3, states="abc")
    far = chain.transitions(2000).values.reshape(-1, 3)
    np.testing.assert_allclose(far, np.broadcast_to(chain.stationary().values, far.shape), atol=1e-9)


def test_a_chain_that_turns_in_a_ring_has_a_stationary_distribution_too():
    ring = MarkovChain.fit(["abcabca"], alpha=0)
    np.testing.assert_allclose(ring.stationary().values, 1 / 3)


def test_a_chain_that_can_settle_in_two_ways_has_none():
    split = MarkovChain.fit(["xaaa", "xbbb"], alpha=0)
    with pytest.raises(ValueError, match=r"may stay in {'a'} or {'b'} for ever"):
        split.stationary()
    assert split.hitting_times("a") == {"a": 0.0, "b": np.inf, "x": np.inf}


def test_hitting_times_solve_their_equation_and_equal_simulation():
    chain = MarkovChain.fit(["aabcbacbacabacaabc"], alpha=1.0)
    times = chain.hitting_times("c")
    table = chain.transitions()
    for a in "ab":
        assert times[a] == pytest.approx(1 + sum(table[a, b] * times[b] for b in "abc"))
    draw = np.random.default_rng(2)
    P = table.values
    runs = []
    for _ in range(4000):
        state, steps = 0, 0
        while state != 2:
            state, steps = draw.choice(3, p=P[state]), steps + 1
        runs.append(steps)
    assert np.mean(runs) == pytest.approx(times["a"], abs=4 * np.std(runs) / np.sqrt(len(runs)))
    second = MarkovChain.fit(["aabcbacbacabacaabc"], order=2)
    assert second.hitting_times("c")["a", "c"] == 0.0
    assert set(second.hitting_times("b", "c")) == {(x, y) for x in "abc" for y in "abc"}


@pytest.mark.parametrize("alpha", [1e-6, 1e-12, 1e-16, 1e-300])
def test_rare_steps_count_for_what_they_are(alpha):
    chain = MarkovChain.fit(["aaaaaaaaaaab", "bbbb"], alpha=alpha)
    back, forth = alpha / (3 + 2 * alpha), (1 + alpha) / (11 + 2 * alpha)
    assert chain.stationary()["a"] == pytest.approx(back / (back + forth), rel=1e-12)
    assert chain.hitting_times("a") == pytest.approx({"a": 0.0, "b": 1 / back}, rel=1e-12)


def test_after_very_many_steps_the_shares_are_those_of_the_long_run():
    chain = MarkovChain.fit(["abababcacb"], order=2)
    far = chain.transitions(10**18)
    for before in far.values.reshape(-1, 3):
        np.testing.assert_allclose(before, chain.stationary().values, rtol=1e-9)


@pytest.mark.parametrize("start", ["", "c", "ab"])
def test_after_very_many_steps_from_anywhere(start):
    chain = MarkovChain.fit(["abababcacb"], order=2)
    np.testing.assert_allclose(chain.after(10**18, start).values, chain.stationary().values, rtol=1e-9)
    np.testing.assert_allclose(chain.after(FAR, start).values, chain.after(FAR + 1, start).values, rtol=1e-9)


def test_a_chain_that_alternates_is_where_it_must_be_after_very_many_steps():
    chain = MarkovChain.fit(["ababab"], alpha=0)
    assert chain.after(10**15, "a").to_dict() == {"a": 1.0, "b": 0.0}
    assert chain.after(10**15 + 1, "a").to_dict() == {"a": 0.0, "b": 1.0}


def test_states_that_are_left_for_ever_have_no_share_of_the_long_run():
    chain = MarkovChain.fit(["abcbcbc"], alpha=0)
    assert chain.stationary().to_dict() == pytest.approx({"a": 0.0, "b": 0.5, "c": 0.5})


def test_samples_follow_the_chain():
    chain = MarkovChain.fit([["sun", "sun", "rain", "sun"], ["rain", "rain", "sun"]], order=2)
    drawn = chain.sample(30_000, random_state=1)
    again = MarkovChain.fit([drawn], order=2, alpha=0)
    np.testing.assert_allclose(again.transitions().values, chain.transitions().values, atol=0.03)
    assert drawn[:5] == chain.sample(5, random_state=1)


def test_states_keep_their_kind():
    chain = bf.MarkovChain.fit([np.array([1, 2, 1]), [2, 2]], states=[3])
    assert chain.states == (1, 2, 3)
    assert repr(chain) == "<MarkovChain of order 1: 3 states, 5 steps>"
    assert chain.transitions()[1, 2] == 2 / 4


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: MarkovChain.fit([1, 2, 3]), "sequence 0 is 1; give a list of sequences"),
        (lambda: MarkovChain.fit([["a", None]]), "sequence 0 has no state at place 1; split it there"),
        (lambda: MarkovChain.fit([[]]), "no state in these sequences"),
        (lambda: MarkovChain.fit(["ab"], order=0), "order must be at least 1"),
        (lambda: MarkovChain.fit(["ab"], alpha=-1), "alpha .* at least 0"),
        (lambda: MarkovChain.fit(["ab"]).log_likelihood(["ax"]), "'the chain' has no state 'x'"),
        (lambda: MarkovChain.fit(["ab"]) - MarkovChain.fit(["abb"]), "the step b -> b was counted fewer times"),
        (lambda: MarkovChain.fit(["ab"]) + MarkovChain.fit(["ab"], order=2), "order 1 and one of order 2"),
        (lambda: MarkovChain.fit(["ab"]).transitions(0), "steps must be at least 1"),
        (lambda: MarkovChain.fit(["ab"]).after(0), "no state has been reached"),
        (lambda: MarkovChain.fit(["ab"]).hitting_times(), "at least one state"),
        (lambda: MarkovChain.fit(["abcdefghij"], order=4).stationary(), "make 10000 contexts; at most 4096"),
    ],
)
def test_errors_name_what_is_wrong(make, message):
    with pytest.raises((ValueError, TypeError), match=message):
        make()


@pytest.mark.parametrize(
    ("ask", "why"),
    [
        (lambda c: c.after(-1, start=["a"]), "steps must be at least 0, not -1"),
        (lambda c: c.after(1.5, start=["a"]), "steps must be a whole number"),
        (lambda c: c.transitions(1.5), "steps must be a whole number"),
        (lambda c: c.to_network(0), "length must be at least 1, not 0"),
        (lambda c: MarkovChain.fit([["a"]], order=1.5), "order must be a whole number"),
        (lambda c: MarkovChain.fit([["a"]], alpha=float("nan")), "alpha is added to every count"),
    ],
)
def test_what_is_no_number_of_steps_is_refused(ask, why):
    with pytest.raises(ValueError, match=why):
        ask(MarkovChain.fit([["a", "b", "a"]]))


def test_one_text_is_no_list_of_sequences():
    with pytest.raises(TypeError, match=r"'abab' is one sequence; give a list of sequences, as in \['abab'\]"):
        MarkovChain.fit("abab")
    assert MarkovChain.fit(["abab"]).states == ("a", "b")


@pytest.mark.parametrize("form", [dict, pd.DataFrame, pl.DataFrame, pa.table])
def test_a_table_is_no_list_of_sequences(form):
    """Its columns' names would be sequences of letters."""
    with pytest.raises(TypeError, match="is a table, whose columns have names; give a list of sequences"):
        MarkovChain.fit(form({"weather": ["sun", "rain", "sun"]}))
    with pytest.raises(TypeError, match="is a table"):
        MarkovChain.fit(["weather"]).log_likelihood(form({"weather": ["sun", "rain", "sun"]}))


def test_one_text_is_no_list_of_sequences_to_be_judged():
    chain = MarkovChain.fit(["abab"])
    with pytest.raises(TypeError, match=r"'ab' is one sequence; give a list of sequences, as in \['ab'\]"):
        chain.log_likelihood("ab")


def test_the_last_states_are_a_list():
    chain = MarkovChain.fit([["ab", "ba", "a", "b"]])
    with pytest.raises(TypeError, match=r"'ab' is one state; give a list of states, as in start=\['ab'\]"):
        chain.after(1, start="ab")


@pytest.mark.parametrize("alpha", [1e101, 1e308])
def test_what_is_added_to_counts_can_be_summed(alpha):
    with pytest.raises(ValueError, match=r"alpha is added to every count.* at most 1e\+100"):
        MarkovChain.fit(["ab"], alpha=alpha)
    assert MarkovChain.fit(["ab"], alpha=1e100).transitions().values == pytest.approx(0.5)


def test_steps_of_a_chain_of_two_are_products_of_its_steps_between_pairs():
    chain = MarkovChain.fit(["abcabbacab", "cba"], order=2, alpha=0.5)
    one = chain.transitions()
    assert (one.label, one.variables) == ("P(next | back 2, back 1)", ("back 2", "back 1", "next"))
    np.testing.assert_allclose(one.values, chain.chances[1:, 1:])
    far = chain.transitions(3)
    assert (far.label, far.variables) == ("P(after 3 | back 2, back 1)", ("back 2", "back 1", "after 3"))
    for i, s in enumerate("abc"):
        for j, t in enumerate("abc"):
            np.testing.assert_allclose(far.values[i, j], chain.after(3, [s, t]).values)
    assert far.values.sum(-1) == pytest.approx(np.ones((3, 3)))


def test_states_go_with_the_last_sequence_that_shows_them():
    chain = MarkovChain.fit(["ab", "cc"], states=["d"])
    assert (chain - MarkovChain.fit(["cc"])).states == ("a", "b", "d")
    assert (chain - MarkovChain.fit([], states="a")).states == ("a", "b", "c", "d")
    nothing = MarkovChain.fit(["ab"]) - MarkovChain.fit(["ab"])
    assert nothing.states == ("a", "b"), "a chain has some states"
    assert not nothing.counts.any()
    both = MarkovChain.fit(["ab"], states=["x"]) + MarkovChain.fit(["b"], states=["y"])
    assert both.declared == {"x", "y"}
    assert repr(both) == "<MarkovChain of order 1: 4 states, 3 steps>"
    with pytest.raises(ValueError, match=r"the step \(start\) -> b was counted fewer times than it is to be taken"):
        MarkovChain.fit(["ab", "ab"]) - MarkovChain.fit(["b"])
    with pytest.raises(ValueError, match="the step b -> a was counted fewer times"):
        MarkovChain.fit(["ab", "bb"]) - MarkovChain.fit(["ba"])


def test_as_many_contexts_as_may_be_are_solved_and_a_chain_of_more_is_walked(monkeypatch):
    monkeypatch.setattr(markov, "MOST_CONTEXTS", 9)
    monkeypatch.setattr(markov, "FAR", 5)
    solved = MarkovChain.fit(["abcab"], order=2)
    assert solved.lifted.shape == (9, 9)
    longer = MarkovChain.fit(["abcab"], order=2, states="d")
    with pytest.raises(ValueError, match="4 states and order 2 make 16 contexts; at most 9 are solved: lower"):
        longer.stationary()
    for chain in (solved, longer):
        leapt = [chain.after(steps, start).values for steps in (5, 6, 7, 40) for start in ("", "b", "ab")]
        monkeypatch.setattr(markov, "FAR", 100)
        walked = [chain.after(steps, start).values for steps in (5, 6, 7, 40) for start in ("", "b", "ab")]
        monkeypatch.setattr(markov, "FAR", 5)
        np.testing.assert_allclose(leapt, walked, rtol=1e-12)


def test_a_chain_is_walked_as_far_as_is_said_and_then_leaps(monkeypatch):
    monkeypatch.setattr(markov, "FAR", 4)
    leaps = []
    far = markov.many_steps
    monkeypatch.setattr(markov, "many_steps", lambda matrix, steps: leaps.append(steps) or far(matrix, steps))
    chain = MarkovChain.fit(["abab"], order=3)
    chain.after(4)
    assert leaps == []
    chain.after(5)
    assert leaps == [2], "behind the first three steps"


def test_what_has_no_count_is_even_and_a_start_is_told_apart():
    chain = MarkovChain.fit(["aab"], order=1, alpha=0.0, states="c")
    np.testing.assert_allclose(chain.chances, [[1, 0, 0], [0.5, 0.5, 0], [1 / 3] * 3, [1 / 3] * 3])
    assert chain.initial().to_dict() == {"a": 1.0, "b": 0.0, "c": 0.0}
    assert chain.context("ab") == (2,)
    assert MarkovChain.fit(["ab"], order=3).context("b") == (0, 0, 2)
    assert MarkovChain.fit(["ab"], order=2).context("abb") == (2, 2)
    assert chain.log_likelihood(["aa", "ab"]) == pytest.approx(2 * np.log(0.5))
    assert chain.log_likelihood([]) == 0.0
    assert chain.log_likelihood(["ba"]) == -np.inf
    assert (chain.order, MarkovChain.fit(["ab"]).order, MarkovChain.fit(["ab"]).alpha) == (1, 1, 1.0)
    twice = MarkovChain.fit(["abb"], order=2, alpha=0.0).hitting_times("b")
    assert twice["a", "b"] == twice["b", "b"] == 0
    assert list(twice) == [(s, t) for s in "ab" for t in "ab"]
    net = MarkovChain.fit(["abb"], order=2).to_network(4)
    assert net.parents("x3") == ("x1", "x2")
    assert net.parents("x1") == ("x0",)
