"""Exact answers by name against the joint table, and errors that name the contradiction."""

from itertools import product

import numpy as np
import pandas as pd
import polars as pl
import pytest

import bayesfold as bf
from bayesfold.networks.evidence import encode, first_impossible
from bayesfold.networks.factor import ImpossibleEvidence

from .graphs import chain, many_children, random_network, shares, times


def cases(count, zeros=0.25):
    """Random networks with a few targets and random evidence, and the joint table cut at it."""
    draw = np.random.default_rng(11)
    for _ in range(count):
        net = random_network(draw, int(draw.integers(2, 8)), zeros)
        names = draw.permutation(net.nodes).tolist()
        targets, observed = names[: 1 + draw.integers(0, 2)], names[2 : 2 + draw.integers(0, 4)]
        evidence = {v: net.axes[v][draw.integers(len(net.axes[v]))] for v in observed}
        yield draw, net, targets, evidence, net.joint().condition(evidence)


def text(evidence):
    return ", ".join(f"{v}={s}" for v, s in evidence.items())


def test_questions_equal_the_joint_table():
    possible = 0
    for draw, net, targets, evidence, cut in cases(times(1_000)):
        question = f"P({', '.join(targets)} | {text(evidence)})"
        if cut.total == 0:
            with pytest.raises(ImpossibleEvidence, match="cannot happen"):
                net.query(question)
            assert net.probability(text(evidence)) == 0
            continue
        possible += 1
        found = net.query(question)
        np.testing.assert_allclose(found.values, cut.marginal(*targets).normalise().values, rtol=1e-12, atol=1e-15)
        assert found.variables == tuple(targets)
        assert dict(found.given) == evidence
        np.testing.assert_array_equal(net.query(", ".join(targets), evidence=evidence).values, found.values)
        if evidence:
            assert net.probability(text(evidence)) == pytest.approx(cut.total, rel=1e-12)
        state = net.axes[targets[0]][0]
        assert net.probability(f"{targets[0]}={state} | {text(evidence)}") == pytest.approx(
            cut.normalise().marginal(targets[0])[state], rel=1e-12, abs=1e-15
        )
        soft = draw.random(len(net.axes[targets[0]])) + 0.01
        weighed = cut * bf.Factor({targets[0]: net.axes[targets[0]]}, soft)
        found = net.query(question, likelihood={targets[0]: dict(zip(net.axes[targets[0]], soft, strict=True))})
        np.testing.assert_allclose(found.values, weighed.marginal(*targets).normalise().values, rtol=1e-12, atol=1e-15)
    assert possible > times(1_000) // 2


def test_the_likeliest_states_are_those_of_the_joint_table():
    for _, net, targets, evidence, cut in cases(times(500)):
        if cut.total == 0:
            continue
        best = net.mpe(text(evidence))
        whole = cut.normalise()
        assert set(best.states) == set(whole.axes)
        assert best.probability == pytest.approx(whole.values.max(), rel=1e-10)
        assert whole[best.states] == pytest.approx(whole.values.max(), rel=1e-10)
        some = net.map(f"{', '.join(targets)} | {text(evidence)}")
        part = whole.marginal(*targets)
        assert part[some.states] == pytest.approx(part.values.max(), rel=1e-10)
        assert some.probability == pytest.approx(part.values.max(), rel=1e-10)


def test_expected_information_is_mutual_information():
    for _, net, (target, *_), evidence, cut in cases(times(300)):
        if cut.total == 0:
            continue
        whole = cut.normalise()
        told = net.next_observation(f"{target} | {text(evidence)}")
        assert list(told.values()) == sorted(told.values(), reverse=True)
        for other, bits in told.items():
            pair = whole.marginal(target, other)
            independent = np.multiply.outer(whole.marginal(target).values, whole.marginal(other).values)
            some = pair.values > 0
            assert bits == pytest.approx(
                (pair.values[some] * np.log2(pair.values[some] / independent[some])).sum(), abs=1e-9
            )


@pytest.mark.parametrize("form", [dict, pd.DataFrame, pl.DataFrame, lambda d: pl.DataFrame(d).to_dicts()])
def test_tables_with_holes_row_by_row(form):
    net = bf.read_network("smoking")
    rows = {
        "smoking": ["yes", None, "no", None],
        "xray": [None, "abnormal", "normal", None],
        "dyspnoea": ["yes", "yes", None, None],
        "ward": [1, 2, 3, 4],
    }
    found = net.posteriors(form(rows))
    assert list(found) == list(net.nodes)
    for i in range(4):
        evidence = {v: rows[v][i] for v in ("smoking", "xray", "dyspnoea") if rows[v][i] is not None}
        for v in net.nodes:
            expected = net.query(v, evidence=evidence).values if v not in evidence else None
            if expected is None:
                expected = np.eye(2)[net.states(v).index(evidence[v])]
            np.testing.assert_allclose(found[v][i], expected, rtol=1e-12)
        evidence.pop("smoking", None)
        np.testing.assert_allclose(
            net.predict_proba(form(rows), target="smoking")[i],
            net.query("smoking", evidence=evidence).values,
            rtol=1e-12,
        )


def test_soft_evidence_for_rows():
    net = bf.read_network("smoking")
    told = np.array([[0.9, 0.1], [0.5, 0.5]])
    found = net.predict_proba({"dyspnoea": ["yes", "no"]}, "cancer", likelihood={"xray": told})
    for i, state in enumerate(("yes", "no")):
        expected = net.query("cancer", dyspnoea=state, likelihood={"xray": told[i]}).values
        np.testing.assert_allclose(found[i], expected, rtol=1e-12)
    same = net.posteriors({"dyspnoea": ["yes", "no"]}, likelihood={"xray": {"abnormal": 0.9, "normal": 0.1}})
    np.testing.assert_allclose(same["cancer"][0], found[0], rtol=1e-12)


def test_one_row_may_be_a_dict_and_states_may_be_numbers():
    net = bf.BayesianNetwork.from_edges([("a", "b")], tables={"a": [0.5, 0.5], "b": [[0.9, 0.1], [0.2, 0.8]]})
    assert net.states("a") == (0, 1)
    np.testing.assert_allclose(net.predict_proba({"b": 1}, "a"), [[1 / 9, 8 / 9]])
    np.testing.assert_allclose(net.predict_proba({"b": [1.0, np.nan]}, "a"), [[1 / 9, 8 / 9], [0.5, 0.5]])
    np.testing.assert_allclose(net.predict_proba({"b": ["1"]}, "a"), [[1 / 9, 8 / 9]])


def test_the_likelihood_of_a_table_sums_holes_out():
    for draw, net, _, _, _ in cases(times(300)):
        codes = draw.integers(-1, 2, (6, len(net.nodes)))
        codes[0] = np.abs(codes[0])
        table = [{v: net.axes[v][c] for v, c in zip(net.nodes, row, strict=True) if c >= 0} for row in codes]
        joint = net.joint()
        with np.errstate(divide="ignore"):
            expected = sum(np.log(joint.condition(row).total) for row in table)
        assert net.log_likelihood([*table, {net.nodes[0]: None}]) == pytest.approx(expected, rel=1e-10)


def test_rows_count_by_weight_and_soft_evidence_is_summed_with_them():
    for draw, net, _, _, _ in cases(times(200)):
        codes = draw.integers(-1, 2, (5, len(net.nodes)))
        codes[0] = np.abs(codes[0])
        table = [{v: net.axes[v][c] for v, c in zip(net.nodes, row, strict=True) if c >= 0} for row in codes]
        weight = draw.integers(0, 3, 5)
        told = draw.choice(net.nodes, min(2, len(net.nodes)), replace=False).tolist()
        soft = {v: draw.random((5, len(net.axes[v]))) for v in told}
        joint, expected, plain = net.joint(), 0.0, 0.0
        for i, row in enumerate(table):
            weighed = joint
            for v in told:
                weighed = weighed * bf.Factor({v: net.axes[v]}, soft[v][i])
            with np.errstate(divide="ignore"):
                expected += weight[i] * np.log(weighed.condition(row).total) if weight[i] else 0.0
                plain += weight[i] * np.log(joint.condition(row).total) if weight[i] else 0.0
        assert net.log_likelihood(table, weight=weight, likelihood=soft) == pytest.approx(expected, rel=1e-10)
        assert net.log_likelihood(table, weight=weight) == pytest.approx(plain, rel=1e-10)
        if np.isfinite(expected):
            repeated = [row for row, n in zip(table, weight, strict=True) for _ in range(n)]
            if repeated:
                assert net.log_likelihood(repeated) == pytest.approx(plain, rel=1e-10, abs=1e-12)


def test_soft_evidence_beside_holes_equals_the_joint_table():
    for draw, net, _, _, _ in cases(times(300), zeros=0.0):
        codes = draw.integers(-1, 2, (4, len(net.nodes)))
        table = [{v: net.axes[v][c] for v, c in zip(net.nodes, row, strict=True) if c >= 0} for row in codes]
        told = draw.choice(net.nodes, min(2, len(net.nodes)), replace=False).tolist()
        soft = {v: draw.random((4, len(net.axes[v]))) + 0.01 for v in told}
        found = net.posteriors([{**dict.fromkeys(net.nodes), **row} for row in table], likelihood=soft)
        target = net.nodes[draw.integers(len(net.nodes))]
        alone = net.predict_proba([{**dict.fromkeys(net.nodes), **row} for row in table], target, likelihood=soft)
        for i, row in enumerate(table):
            weighed = net.joint()
            for v in told:
                weighed = weighed * bf.Factor({v: net.axes[v]}, soft[v][i])
            hidden = {v: s for v, s in row.items() if v != target}
            np.testing.assert_allclose(
                alone[i], weighed.condition(hidden).marginal(target).normalise().values, rtol=1e-11, atol=1e-15
            )
            whole = weighed.condition(row).normalise()
            for v in net.nodes:
                if v not in row:
                    np.testing.assert_allclose(found[v][i], whole.marginal(v).values, rtol=1e-11, atol=1e-15)


def test_samples_follow_the_network():
    net = bf.read_network("smoking")
    rows = net.sample(200_000, random_state=0)
    counted = bf.joint(rows, list(net.nodes))
    for v in net.nodes:
        p = net.query(v)
        for state in net.states(v):
            assert counted.marginal(v)[state] == pytest.approx(p[state], abs=5e-3)
    again = net.sample(5, random_state=0)
    assert {v: list(c) for v, c in again.items()} == {v: list(c) for v, c in net.sample(5, random_state=0).items()}


# ------------------------------------------------------------------------------------------------------------- errors


def impossible():
    """a and b must be equal; c is free; d is never 2."""
    return bf.BayesianNetwork.from_edges(
        [("a", "b"), ("a", "c")],
        nodes=["a", "b", "c", "d"],
        tables={"a": [0.5, 0.5], "b": [[1, 0], [0, 1]], "c": [[0.5, 0.5], [0.1, 0.9]], "d": [0.5, 0.5, 0.0]},
    )


def test_the_contradiction_is_named_and_nothing_else():
    net = impossible()
    with pytest.raises(ImpossibleEvidence, match=r"^a=0, b=1 cannot happen together: its probability is 0$"):
        net.query("d", a=0, b=1, c=1)
    with pytest.raises(ImpossibleEvidence, match=r"^row 2: a=1, b=0 cannot happen together"):
        net.posteriors({"a": [0, None, 1], "b": [0, 1, 0], "c": [1, 1, 0]})
    with pytest.raises(ImpossibleEvidence, match=r"^a=1, b=0 cannot happen together"):
        net.posteriors({"a": 1, "b": 0})
    with pytest.raises(ImpossibleEvidence, match=r"^row 1: d=2 cannot happen: its probability is 0"):
        net.predict_proba({"d": [0, 2]}, "a")
    with pytest.raises(ImpossibleEvidence, match=r"^row 1: a=0, b=1 cannot happen together"):
        net.predict_proba({"a": [0, 0], "b": [0, 1]}, "d")
    with pytest.raises(ImpossibleEvidence, match="a=0 cannot happen with the likelihoods given"):
        net.query("c", a=0, likelihood={"b": [0, 1]})
    for ask in (net.mpe, net.next_observation, net.map):
        with pytest.raises(ImpossibleEvidence, match="a=0, b=1 cannot happen together"):
            ask("a=0, b=1" if ask == net.mpe else "c | a=0, b=1")
    with pytest.raises(ImpossibleEvidence, match="a=0, b=1"):
        net.probability("c=1 | a=0, b=1")
    assert net.probability("a=0, b=1") == 0
    assert net.log_likelihood({"a": [0], "b": [1]}) == -np.inf


def test_a_contradiction_is_noticed_wherever_it_stands():
    """Whatever the targets, evidence of probability 0 is refused, and no other."""
    refused = 0
    for _, net, targets, evidence, cut in cases(times(2_000), zeros=0.5):
        for small in (True, False):
            vars(net.answers)["is_small"] = small
            try:
                net.query(", ".join(targets), evidence=evidence)
            except ImpossibleEvidence:
                refused += 1
                assert cut.total == 0
            else:
                assert cut.total > 0
    assert refused > times(2_000) // 20


def test_rows_that_one_table_rules_out_are_found_whatever_is_missing():
    for draw, net, _, _, _ in cases(times(500)):
        codes = np.array([[draw.integers(-1, len(net.axes[v])) for v in net.nodes] for _ in range(5)], np.int32)
        joint = net.joint()
        bad = first_impossible(codes, list(net.answers.zeros.values()))
        for i, row in enumerate(codes):
            seen = {v: net.axes[v][c] for v, c in zip(net.nodes, row, strict=True) if c >= 0}
            alone = any(
                net.table(v).condition({u: s for u, s in seen.items() if u in net.table(v).axes}).total == 0
                for v in net.nodes
            )
            if alone:
                assert joint.condition(seen).total == 0
                assert bad == i
                break
        else:
            assert bad is None


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda n: n.query("| a=0"), "asks about nothing"),
        (lambda n: n.probability("a | b=0"), "a probability needs states: write 'a=...'"),
        (lambda n: n.mpe("c | a=0"), "mpe is about every variable"),
        (lambda n: n.map("c=0 | a=0"), "without a state"),
        (lambda n: n.next_observation("c, d"), "name one variable"),
        (lambda n: n.query("a", e=0), "no variable 'e'"),
        (lambda n: n.query("a", b=7), "'b' has no state 7; its states are 0, 1"),
        (
            lambda n: n.query("a", likelihood={"b": [1]}),
            "likelihood of 'b' is one number of at least 0 for each of 0, 1",
        ),
        (lambda n: n.query("a", likelihood={"b": {0: 1}}), "likelihood of 'b' needs a number for each of 0, 1"),
        (lambda n: n.query("a", likelihood={"b": [-1, 1]}), "at least 0"),
        (lambda n: n.query("a", likelihood={"bb": [1, 1]}), "no node 'bb'; did you mean 'b'"),
        (lambda n: n.posteriors({"a": [0, 5]}), "row 1: 'a' has no state 5; its states are 0, 1"),
        (lambda n: n.posteriors({"aa": [0]}), "none of the columns"),
        (lambda n: n.posteriors({"a": [0]}, likelihood={"b": [[1, 1], [1, 1]]}), "2 states, for each of 1 rows"),
        (lambda n: n.predict_proba({"a": [0]}, "q"), "no node 'q'"),
        (lambda n: n.log_likelihood({"a": [0, 1]}, weight=[1]), "one finite number of at least 0 for each of 2 rows"),
        (lambda n: n.log_likelihood({"a": [0]}, weight=[-1]), "one finite number of at least 0 for each of 1 rows"),
        (lambda n: n.log_likelihood({"a": [0]}, likelihood={"b": [[1, -1]]}), "at least 0"),
    ],
)
def test_errors_name_what_is_wrong(ask, message):
    with pytest.raises(ValueError, match=message):
        ask(impossible())


def said(table, axes):
    """The codes, or the error."""
    try:
        return encode(table, axes).tolist()
    except ValueError as error:
        return str(error).partition(";")[0]


def test_a_row_as_a_dict_is_read_as_a_table_of_one_row():
    axes = {"a": ("x", "y"), "b": (0, 1), "c": (True, False), "d": ("1", "2")}
    values = [None, "", float("nan"), "x", "y", 0, 1, 1.0, True, False, "1", 2, np.int64(1), np.str_("x"), "q", 7]
    for name in axes:
        for value in values:
            row = {name: value}
            assert said(row, axes) == said([row], axes)


def test_nothing_seen_is_minus_one():
    codes = encode({"a": ["", None, "x"]}, {"a": ("x",), "b": ("y",)})
    assert codes.tolist() == [[-1, -1], [-1, -1], [0, -1]]
    assert encode({}, {"a": ("x",), "b": ("y",)}).tolist() == [[-1, -1]]


@pytest.mark.parametrize("children", [330, 340, 350, 800])
def test_rare_evidence_is_not_impossible(children):
    """Below e^-745 everywhere, and between e^-745 and e^-709, where numbers lose their digits."""
    net, seen, logs = many_children(children)
    p = pytest.approx(shares(logs), rel=1e-9)
    whole = float(np.logaddexp(*logs))
    row = {v: [s] for v, s in seen.items()}
    assert net.query("class", evidence=seen).values == p
    assert net.predict_proba(row, "class")[0] == p
    assert net.predict_proba({v: [s] * 40 for v, s in seen.items()}, "class")[17] == p
    assert net.posteriors(row)["class"][0] == p
    assert net.posteriors({v: [s] * 40 for v, s in seen.items()})["class"][17] == p
    assert net.log_likelihood(row) == pytest.approx(whole)
    assert net.mpe(**seen).states == {"class": int(logs.argmax())}
    assert net.map("class", **seen).probability == pytest.approx(shares(logs).max())
    assert net.probability("class=0", **seen) == pytest.approx(shares(logs)[0])
    assert sum(net.next_observation("class", **dict.fromkeys(list(seen)[:-1], 0)).values()) >= 0


@pytest.mark.parametrize("size", [1e-310, 1e-320, 1e300])
def test_soft_evidence_counts_by_its_ratios(size):
    net = bf.read_network("smoking")
    flat = net.query("cancer", smoking="yes").values
    for states in net.nodes:
        if states != "smoking":
            np.testing.assert_allclose(
                net.query("cancer", smoking="yes", likelihood={states: [size, size]}).values, flat, rtol=1e-12
            )
    two = {"smoking": ["yes", "no"]}
    np.testing.assert_allclose(net.predict_proba(two, "cancer", {"xray": [size, size]})[0], flat, rtol=1e-12)
    np.testing.assert_allclose(net.posteriors(two, {"xray": [size, size]})["cancer"][0], flat, rtol=1e-12)
    log_p = net.log_likelihood({"smoking": ["yes"]}, likelihood={"xray": [size, size]})
    assert log_p == pytest.approx(np.log(0.3) + np.log(size))


def test_information_about_states_too_rare_for_a_number():
    net = bf.BayesianNetwork.from_edges(
        [("a", "b")], tables={"a": [1e-310, 1.0], "b": [[1e-20, 1 - 1e-20], [0.0, 1.0]]}
    )
    assert 0 <= net.next_observation("a")["b"] < 1e-300


def test_what_stands_in_the_column_of_the_target_is_not_read():
    net = bf.read_network("smoking")
    expected = net.predict_proba({"smoking": ["yes"]}, "cancer")
    for table in ({"smoking": ["yes"], "cancer": ["perhaps"]}, {"smoking": "yes", "cancer": "perhaps"}):
        np.testing.assert_array_equal(net.predict_proba(table, "cancer"), expected)


def test_a_bar_in_quotation_marks_is_no_bar():
    tables = {"p|q": {"x|y": 0.3, "n": 0.7}, "r": {"x|y": [0.1, 0.9], "n": [0.5, 0.5]}}
    net = bf.BayesianNetwork.from_edges([("p|q", "r")], tables=tables, states={"r": "ab"})
    assert net.mpe('"p|q"="x|y"') == net.mpe('| "p|q"="x|y"')
    assert net.mpe('"p|q"="x|y"').states == {"r": "b"}


@pytest.mark.parametrize(
    ("states", "value"), [((1.0, 2.0), "1"), ((1, 2), "1.0"), (("1", "2"), 1.0), (("1.0", "2"), 1)]
)
def test_a_whole_number_is_found_with_and_without_its_point(states, value):
    tables = {"a": [0.5, 0.5], "b": [[0.1, 0.9], [0.5, 0.5]]}
    net = bf.BayesianNetwork.from_edges([("a", "b")], tables=tables, states={"a": states})
    expected = net.query("b", a=states[0])
    assert net.query("b", a=value) == expected
    np.testing.assert_allclose(net.posteriors({"a": [value, None]})["b"][0], expected.values)
    np.testing.assert_allclose(net.posteriors({"a": value})["b"][0], expected.values)


def test_rows_of_numbers_are_found_in_intervals_as_in_questions():
    x = np.arange(40.0)
    net = bf.NaiveBayes(numeric="mdl").fit({"x": x}, np.where(x < 20, "low", "high")).to_network()
    target = next(v for v in net.nodes if v != "x")
    asked = [net.query(target, x=value).values for value in (3.5, 33.0)]
    np.testing.assert_allclose(net.posteriors({"x": [3.5, 33.0]})[target], asked)


def test_an_empty_state_is_not_taken_for_a_hole():
    tables = {"a": {"": 0.5, "x": 0.5}, "b": {"": {"y": 0.9, "n": 0.1}, "x": {"y": 0.2, "n": 0.8}}}
    net = bf.BayesianNetwork.from_edges([("a", "b")], tables=tables)
    assert net.query("b", a="")["y"] == pytest.approx(0.9)
    for table in ({"a": ["x", ""]}, {"a": [""]}, {"a": ""}, [{"a": ""}]):
        with pytest.raises(ValueError, match=r"row [01]: 'a' has an empty cell, which is a hole, and an empty state"):
            net.posteriors(table)
    assert net.posteriors({"a": ["x"]})["b"][0].tolist() == pytest.approx([0.2, 0.8])


def test_an_array_is_no_state():
    with pytest.raises(ValueError, match="'smoking' has no state array"):
        bf.read_network("smoking").query("cancer", smoking=np.array(["yes", "no"]))


@pytest.mark.parametrize("asked", [(0, 149), (3, 70), (63, 64), (64, 65), (70, 149), (128, 149), (20, 127, 140)])
def test_variables_asked_together_are_joined_however_many_are_between(asked):
    """P(a, b, ...) is P(a) P(b | a) ...; sets of variables are kept in words of 64, of which there are three here."""
    net = chain(150)
    names = [net.nodes[k] for k in asked]
    together = net.query(", ".join(names))
    for states in product(*(net.axes[v] for v in names)):
        seen, expected = {}, 1.0
        for v, state in zip(names, states, strict=True):
            expected *= net.query(v, evidence=seen).condition({v: state}).total
            seen[v] = state
        assert together.condition(dict(zip(names, states, strict=True))).total == pytest.approx(expected, rel=1e-9)
