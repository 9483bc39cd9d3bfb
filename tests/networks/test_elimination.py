"""Variable elimination in the open, against the joint table; the lines that the notes print."""

import numpy as np
import pytest

import bayesfold
from bayesfold.networks.factor import ImpossibleEvidence
from bayesfold.networks.files import read_network

from .graphs import chain, many_children, random_network, shares, times


def test_every_order_and_every_pruning_gives_the_answer_of_the_joint_table():
    draw = np.random.default_rng(3)
    impossible = 0
    for _ in range(times(500)):
        net = random_network(draw, int(draw.integers(2, 7)), zeros=0.3)
        names = draw.permutation(net.nodes).tolist()
        targets, observed = names[: 1 + draw.integers(0, 2)], names[2 : 2 + draw.integers(0, 3)]
        evidence = {v: net.axes[v][draw.integers(len(net.axes[v]))] for v in observed}
        question = f"{', '.join(targets)} | {', '.join(f'{v}={s}' for v, s in evidence.items())}"
        table = net.joint().condition(evidence).marginal(*targets)
        if table.total == 0:
            impossible += 1
            with pytest.raises(ImpossibleEvidence, match="has probability 0"):
                net.derivation(question)
            continue
        hidden = [v for v in names if v not in targets and v not in evidence]
        for told in (
            net.derivation(question),
            net.derivation(question, prune=False),
            net.derivation(question, prune=False, order=draw.permutation(hidden).tolist()),
        ):
            np.testing.assert_allclose(told.joint.values, table.values, rtol=1e-12)
            np.testing.assert_allclose(told.answer.values, table.normalise().values, rtol=1e-12)
            assert str(told)
    assert impossible > 0


def test_the_lines_of_the_notes():
    net = read_network("smoking")
    told = net.derivation("smoking | dyspnoea=yes", prune=False, order=["xray", "cancer", "bronchitis"])
    lines = str(told).splitlines()
    assert lines[0] == "P(smoking | dyspnoea=yes) ∝ P(smoking, dyspnoea=yes)"
    assert lines[1] == (
        "  = Σ_bronchitis Σ_cancer Σ_xray P(smoking) P(cancer | smoking) P(bronchitis | smoking) "
        "P(xray | cancer, smoking) P(dyspnoea=yes | cancer, bronchitis)"
    )
    assert lines[2] == (
        "  = P(smoking) Σ_bronchitis P(bronchitis | smoking) Σ_cancer P(cancer | smoking) "
        "P(dyspnoea=yes | cancer, bronchitis) Σ_xray P(xray | cancer, smoking)"
    )
    assert lines[3] == "    f1(cancer, smoking) = Σ_xray P(xray | cancer, smoking)"
    assert lines[5].split() == ["cancer=yes", "1", "1"]  # the sum over x is 1, which pruning knows beforehand
    assert lines[-3:] == ["P(smoking | dyspnoea=yes)", "smoking=yes  0.47369", "smoking=no   0.52631"]
    pruned = str(net.derivation("smoking | dyspnoea=yes")).splitlines()
    assert pruned[1] == "  without xray: below everything asked or observed, each sums to 1"
    assert not any("Σ_xray" in line for line in pruned)
    assert pruned[-3:] == lines[-3:]


def test_an_intervention_can_be_derived():
    net = read_network("smoking")
    told = net.derivation("smoking | do(bronchitis=yes)")
    assert told.answer["yes"] == pytest.approx(0.3)


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda n: n.derivation("smoking=yes"), "name variables without a state"),
        (lambda n: n.derivation("| dyspnoea=yes"), "name variables without a state"),
        (lambda n: n.derivation("smoking", prune=False, order=["xray"]), "must name each of"),
        (lambda n: n.derivation("smoking", prune=False, order=["xrya"]), "did you mean 'xray'"),
    ],
)
def test_errors_name_what_is_wrong(ask, message):
    with pytest.raises(ValueError, match=message):
        ask(read_network("smoking"))


@pytest.mark.parametrize("children", [100, 340, 800])
def test_rare_evidence_is_derived_too(children):
    net, seen, logs = many_children(children)
    told = net.derivation("class", **seen)
    np.testing.assert_allclose(told.answer.values, shares(logs), rtol=1e-9)
    with np.errstate(divide="ignore"):
        np.testing.assert_allclose(np.log(told.joint.values) + told.exponent * np.log(10), logs, rtol=1e-12)
    assert (f"times 1e{told.exponent}" in str(told)) is (children > 300)
    assert told.joint.values.max() <= 10
    if told.exponent:  # digits that can be read, before and behind the point
        assert told.joint.values.max() >= 1
        tables = [step.result for step in told.steps if step.result.exponent]
        assert all(1 <= term.factor.values.max() <= 10 for term in tables)


def test_a_long_derivation_is_not_written_out_once_for_each_step():
    told = chain(2_000).derivation("x1999 | x0=1")
    assert len(told.steps) == 1_998
    assert max(len(step.after) for step in told.steps) < 3_000
    assert told.answer.values == pytest.approx([2 / 3, 1 / 3])


def test_a_node_may_be_named_like_an_option():
    names = {"order": {"a": 0.5, "b": 0.5}, "prune": {"a": 0.4, "b": 0.6}, "x": {"a": 0.1, "b": 0.9}}
    net = bayesfold.BayesianNetwork.from_edges([], nodes=list(names), tables=names)
    assert net.derivation("x | do(prune=a), order=b").answer.values == pytest.approx([0.1, 0.9])
    assert dict(net.derivation("x", evidence={"prune": "a", "order": "b"}).answer.given) == {"prune": "a", "order": "b"}
    for option in ({"prune": "a"}, {"order": "b"}):  # evidence that would be passed over
        with pytest.raises(TypeError, match=r"an option.* evidence=\{"):
            net.derivation("x", **option)


def test_a_derivation_too_large_is_refused_before_it_is_made():
    names = [f"v{i}" for i in range(26)]
    tables = {v: [0.5, 0.5] for v in names} | {
        f"{a}{b}": np.full((2, 2, 2), 0.5) for k, a in enumerate(names) for b in names[:k]
    }
    edges = [(x, f"{a}{b}") for k, a in enumerate(names) for b in names[:k] for x in (a, b)]
    net = bayesfold.BayesianNetwork.from_edges(edges, tables=tables)
    seen = {v: 0 for v in net.nodes if v not in names}
    with pytest.raises(ValueError, match=r"the widest over 26 variables, would have \S+ cells.*Observe more"):
        net.derivation("v0", **seen)
