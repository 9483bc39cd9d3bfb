"""Exact answers equal those of the joint normal of every combination of states."""

import numpy as np
import pytest
from tests.networks.mixed.brute_force import conditioned, random_network, shares

from bayesfold.networks.factor import ImpossibleEvidence
from bayesfold.networks.inference.problem import TooLarge
from bayesfold.networks.mixed import answers
from bayesfold.networks.mixed.conditioning import CertainNumber
from bayesfold.networks.mixed.lines import LinearGaussian
from bayesfold.networks.mixed.network import MixedNetwork

SEEDS = range(12)


def evidence_of(net, draw, share):
    """Some cells of a row drawn from the network."""
    row = {v: column[0] for v, column in net.sample(1, draw).items()}
    return {v: x for v, x in row.items() if draw.random() < share}


@pytest.mark.parametrize("share", [0.0, 0.3, 0.6, 0.9])
@pytest.mark.parametrize("seed", SEEDS)
def test_answers_equal_the_conditionals_of_the_joint_normal(seed, share):
    net = random_network(seed, categories=seed % 4, numbers=1 + seed % 5)
    evidence = evidence_of(net, np.random.default_rng(seed), share)
    found, free = conditioned(net, evidence)
    weight, log_p = shares(found)
    assert net.answers.log_evidence(evidence, {}) == pytest.approx(log_p, rel=1e-9, abs=1e-9)
    for v in net.nodes:
        if v in evidence:
            continue
        answer = net.query(v, evidence=evidence)
        if v in net.categories:
            expected = [sum(w for w, (at, *_) in zip(weight, found, strict=True) if at[v] == s) for s in net.states(v)]
            np.testing.assert_allclose(answer.values, expected, rtol=0, atol=1e-9)
        else:
            means = np.array([mean[v] for _, _, mean, _ in found])
            variances = np.array([left[free.index(v), free.index(v)] for *_, left in found])
            mean = weight @ means
            assert answer.mean == pytest.approx(mean, rel=1e-9, abs=1e-9)
            assert answer.variance == pytest.approx(weight @ (variances + (means - mean) ** 2), rel=1e-9)
            for x in (mean - 1, mean + 0.3):
                heights = np.exp(-0.5 * (x - means) ** 2 / variances) / np.sqrt(2 * np.pi * variances)
                assert float(answer.density(x)) == pytest.approx(weight @ heights, rel=1e-9)


@pytest.mark.parametrize("seed", SEEDS)
def test_several_at_once(seed):
    net = random_network(seed, categories=2, numbers=4)
    evidence = evidence_of(net, np.random.default_rng(seed), 0.3)
    found, free = conditioned(net, evidence)
    weight, _ = shares(found)
    if len(free) > 1:
        answer = net.query(", ".join(free), evidence=evidence)
        means = np.array([[mean[v] for v in free] for _, _, mean, _ in found])
        mean = weight @ means
        off = means - mean
        whole = sum(w * (left + np.outer(d, d)) for w, (*_, left), d in zip(weight, found, off, strict=True))
        np.testing.assert_allclose(answer.mean, mean, rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(answer.covariance, whole, rtol=1e-9, atol=1e-9)
        assert answer.marginal(free[1]).variance == pytest.approx(whole[1, 1], rel=1e-9)
        assert "correlation" in str(answer)
    hidden = [v for v in net.categories if v not in evidence]
    if len(hidden) == 2:
        table = net.query(", ".join(hidden), evidence=evidence)
        for w, (at, *_) in zip(weight, found, strict=True):
            assert table[{v: at[v] for v in hidden}] == pytest.approx(w, abs=1e-9)


@pytest.mark.parametrize("seed", SEEDS)
def test_rows_with_holes_say_what_single_questions_say(seed):
    net = random_network(seed, categories=3, numbers=3)
    draw = np.random.default_rng(seed)
    rows = net.sample(40, draw)
    for v, column in rows.items():
        column = column.astype(object)
        column[draw.random(40) < 0.4] = None
        rows[v] = column
    beliefs = net.posteriors(rows)
    total = 0.0
    for i in range(40):
        seen = {v: column[i] for v, column in rows.items() if column[i] is not None}
        total += net.answers.log_evidence(seen, {})
        for v in net.nodes:
            if v in seen:
                assert beliefs[v][i].max() == 1 or beliefs[v][i].tolist() == [seen[v], 0]
                continue
            answer = net.query(v, evidence=seen)
            expected = answer.values if v in net.categories else [answer.mean, answer.variance]
            np.testing.assert_allclose(beliefs[v][i], expected, rtol=1e-9, atol=1e-9)
    assert net.log_likelihood(rows) == pytest.approx(total, rel=1e-9)
    assert net.log_likelihood(rows, weight=np.full(40, 2.0)) == pytest.approx(2 * total, rel=1e-9)


def test_predicting_ignores_the_column_of_the_target():
    net = random_network(3, categories=2, numbers=2)
    rows = net.sample(20, 0)
    for v in net.nodes:
        ask = net.predict_proba if v in net.categories else net.predict_number
        without = {u: column for u, column in rows.items() if u != v}
        np.testing.assert_allclose(ask(rows, v), ask(without, v), rtol=1e-12)


def test_soft_evidence_is_a_row_that_was_seen_less_surely():
    net = random_network(5, categories=2, numbers=2)
    c, x = net.categories[0], net.numbers[0]
    likelihood = {s: 0.2 + i for i, s in enumerate(net.states(c))}
    prior = net.query(c)
    weights = np.array([prior[s] * likelihood[s] for s in net.states(c)])
    parts = [net.query(f"{x} | {c}={s}") for s in net.states(c)]
    expected = weights @ [part.mean for part in parts] / weights.sum()
    answer = net.query(x, likelihood={c: likelihood})
    assert answer.mean == pytest.approx(expected, rel=1e-9)
    assert (answer.title(), answer.given) == (f"{x} | likelihood of {c}", {f"likelihood of {c}": likelihood})
    assert net.query(c, likelihood={c: likelihood}).title() == f"P({c} | likelihood of {c})"


def test_evidence_of_tiny_density_has_the_posterior_that_it_has():
    edges = [("c", "x"), ("c", "y")]
    tables = {
        "c": {"a": 0.5, "b": 0.5},
        "x": {"a": LinearGaussian(0, 1), "b": LinearGaussian(1, 1)},
        "y": {"a": LinearGaussian(0, 1), "b": LinearGaussian(1, 1)},
    }
    net = MixedNetwork.from_edges(edges, tables=tables)
    # each number alone leaves one state a chance that no double holds, and they disagree
    answer = net.query("c | x=5000, y=-4999")
    assert answer["a"] == pytest.approx(0.5, abs=1e-6)
    assert net.query("c | x=5000, y=-4998")["b"] == pytest.approx(1 / (1 + np.exp(-1)), rel=1e-6)
    assert np.isfinite(net.log_likelihood({"x": [1e6], "y": [-1e6]}))


def test_what_has_no_density_is_said():
    edges = [("a", "sum"), ("b", "sum")]
    tables = {"a": LinearGaussian(0, 1), "b": LinearGaussian(0, 1), "sum": LinearGaussian(0, 0, {"a": 1, "b": 1})}
    net = MixedNetwork.from_edges(edges, tables=tables)
    whole = net.query("a | sum=3")  # a number that others determine may be observed alone
    assert (whole.mean, whole.variance) == pytest.approx((1.5, 0.5))
    assert net.query("sum | a=1, b=2").variance == 0
    with pytest.raises(CertainNumber, match=r"'sum' is certain .* leave 'sum' out"):
        net.log_likelihood({"a": [1.0], "b": [2.0], "sum": [3.0]})
    certain = net.query("a | sum=3, b=1")
    assert (certain.mean, certain.variance) == pytest.approx((2, 0), abs=1e-12)
    with pytest.raises(ValueError, match="no density"):
        certain.density(2)
    assert certain.cdf([1.9, 2.1]).tolist() == [0, 1]


def test_impossible_evidence_is_said():
    tables = {"c": {"a": 1.0, "b": 0.0}, "x": {"a": LinearGaussian(0, 1), "b": LinearGaussian(1, 1)}}
    net = MixedNetwork.from_edges([("c", "x")], tables=tables)
    with pytest.raises(ImpossibleEvidence, match="c=b cannot happen"):
        net.query("x | c=b")
    with pytest.raises(ImpossibleEvidence, match="row 1 cannot happen"):
        net.predict_number({"c": ["a", "b"]}, "x")
    assert net.log_likelihood({"c": ["b"], "x": [1.0]}) == -np.inf
    assert net.query("c | x=1")["b"] == 0


def test_what_is_too_large_is_refused_and_sampling_offered():
    steps = 40
    edges = [(f"s{t}", f"s{t + 1}") for t in range(steps)]
    edges += [(f"s{t}", f"x{t}") for t in range(steps)] + [(f"x{t}", f"x{t + 1}") for t in range(steps)]
    tables = {"s0": {"a": 0.5, "b": 0.5}, "x0": {"a": LinearGaussian(0, 1), "b": LinearGaussian(1, 1)}}
    for t in range(1, steps + 1):
        tables[f"s{t}"] = {"a": {"a": 0.9, "b": 0.1}, "b": {"a": 0.1, "b": 0.9}}
        lines = {"a": LinearGaussian(0, 1, {f"x{t - 1}": 0.5}), "b": LinearGaussian(1, 1, {f"x{t - 1}": 0.5})}
        tables[f"x{t}"] = lines if t < steps else LinearGaussian(0, 1, {f"x{t - 1}": 1})
    net = MixedNetwork.from_edges(edges, tables=tables)
    assert net.query("x3").mean == pytest.approx(0.5 * (1 + 0.5 + 0.25 + 0.125), rel=1e-9)
    with pytest.raises(TooLarge, match="sample instead"):
        net.query(f"x{steps}")
    rough = net.approximate(f"x{steps}", samples=4_000, random_state=0)
    assert abs(rough.mean - 1) < 5 * rough.mean_error + 1e-3
    # observed numbers part the chain: then it is as small as its categories
    seen = {f"x{t}": 0.5 for t in range(steps)}
    assert net.query(f"s{steps // 2}", evidence=seen).total == pytest.approx(1)


def test_setting_a_number_is_not_seeing_it():
    tables = {
        "sex": {"f": 0.5, "m": 0.5},
        "height": {"f": LinearGaussian(165, 6), "m": LinearGaussian(178, 7)},
        "weight": LinearGaussian(-60, 8, {"height": 0.75}),
    }
    net = MixedNetwork.from_edges([("sex", "height"), ("height", "weight")], tables=tables)
    assert net.query("sex | do(height=180)")["f"] == pytest.approx(0.5)
    assert net.query("weight | do(height=180)").mean == pytest.approx(75)
    assert net.query("height | do(sex=f)").mean == pytest.approx(165)
    assert str(net.query("height | do(sex=f)")).startswith("height | do(sex=f) ~ ")
    assert net.query("sex | do(height=180), weight=70")["f"] == pytest.approx(0.5)


def test_questions_that_make_no_sense_are_refused():
    net = random_network(1, categories=1, numbers=2)
    c, x = net.categories[0], net.numbers[0]
    for question, words in [
        (f"{c}, {x}", "not both categories or both numbers"),
        (f"{x}=1", "one number has no probability"),
        (f"{c} | {x}=tall", "is a number, not 'tall'"),
        (f"{c} | {x}", f"write {x}=1.5"),
        (" | ", "asks about nothing"),
    ]:
        with pytest.raises(ValueError, match=words):
            net.query(question)
    with pytest.raises(ValueError, match="predict_number"):
        net.predict_proba({x: [1.0]}, x)
    with pytest.raises(ValueError, match="a number"):
        net.query(c, likelihood={x: {"a": 1}})


def three_kinds():
    """A category of three states above two numbers, of which one stands above the other."""
    lines = {s: LinearGaussian(i, 1 + i) for i, s in enumerate("abc")}
    tables = {"c": {"a": 0.5, "b": 0.25, "c": 0.25}, "x": lines, "y": LinearGaussian(0, 1, {"x": 2.0})}
    return MixedNetwork.from_edges([("c", "x"), ("x", "y")], tables=tables)


@pytest.mark.parametrize(
    ("question", "numbers"), [("c", 3), ("x", 3), ("y", 3 * 4), ("y | c=a", 4), ("y | x=1", 3), ("c | y=1", 3)]
)
def test_a_question_may_need_so_many_numbers_and_no_more(question, numbers, monkeypatch):
    monkeypatch.setattr(answers, "LIMIT", numbers)
    three_kinds().query(question)
    monkeypatch.setattr(answers, "LIMIT", numbers - 1)
    needs = f"needs tables of {8 * numbers} bytes, above the limit of {8 * (numbers - 1)}:"
    with pytest.raises(TooLarge, match=needs):
        three_kinds().query(question)


def test_rows_are_answered_however_many_numbers_are_worked_on_at_once(monkeypatch):
    net = random_network(5, categories=2, numbers=3)
    rows = net.sample(30, 0)
    rows[net.numbers[0]] = np.where(np.arange(30) % 3 == 0, np.nan, rows[net.numbers[0]])
    whole, total = net.posteriors(rows), net.log_likelihood(rows)
    for cells in (1, 50):
        monkeypatch.setattr(answers, "CELLS", cells)
        for v, beliefs in net.posteriors(rows).items():
            np.testing.assert_allclose(beliefs, whole[v], rtol=1e-12)
        assert net.log_likelihood(rows) == pytest.approx(total)


def test_parts_of_a_mixture_are_named_by_the_states_that_they_are_of():
    net = three_kinds()
    assert net.query("y").labels == ("c=a", "c=b", "c=c")
    assert net.query("y").weights.tolist() == pytest.approx([0.5, 0.25, 0.25])
    assert net.query("y | c=b").is_normal
    both = net.query("y, x")
    assert both.names == ("y", "x")
    np.testing.assert_allclose(both.means, [[0, 0], [2, 1], [4, 2]])
    np.testing.assert_allclose(both.covariances[1], [[4 * 4 + 1, 2 * 4], [2 * 4, 4]])
    sure = MixedNetwork.from_edges(
        [("c", "x")],
        tables={"c": {"a": 1.0, "b": 0.0}, "x": {"a": LinearGaussian(0, 1), "b": LinearGaussian(9, 1)}},
    )
    assert sure.query("x").labels == ("c=a",), "a part that cannot be is none"
