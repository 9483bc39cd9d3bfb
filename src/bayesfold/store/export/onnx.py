"""A classifier as an ONNX graph in double precision, one input per column: text, or numbers with NaN for missing ones.

The outputs are the decision and P(class | row), one column per class. An empty text is missing. A row with an infinite
number has NaN for its posteriors and no decision: an empty text, the least whole number or NaN.

>>> import onnxruntime
>>> from bayesfold import NaiveBayes
>>> clf = NaiveBayes().fit({"coat": ["short", "long", "short", "short"]}, ["cat", "cat", "dog", "dog"])
>>> session = onnxruntime.InferenceSession(write(clf))
>>> label, proba = session.run(None, {"coat": np.array(["long", ""], object)})
>>> label.tolist(), proba.round(3).tolist()
(['cat', 'cat'], [[0.667, 0.333], [0.5, 0.5]])
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from bayesfold.data.own_names import own_name
from bayesfold.decisions.risk import ROUNDING
from bayesfold.families._covariance import FARTHEST
from bayesfold.models.pool import FLOOR
from bayesfold.store.export._factors import (
    MOST,
    Factor,
    LinearFactor,
    MultinormalFactor,
    NormalFactor,
    ParzenFactor,
    RateFactor,
    TableFactor,
)
from bayesfold.store.export._graph import OnnxGraph, Value
from bayesfold.store.export._lower import lower
from bayesfold.store.export._onnx_cells import OnnxCells
from bayesfold.store.export._onnx_networks import NetworkGraph
from bayesfold.store.export._plan import Member, Plan
from bayesfold.store.export._types import TEXT, labels_as_text

SUFFIXES = (".onnx",)


def write(classifier: Any, label: str | None = None, probabilities: str | None = None) -> bytes:
    """The graph; `label` and `probabilities` are the names of its outputs.

    They are called "prediction" and "probabilities", or otherwise where a column is called so.
    """
    plan = lower(classifier)
    label = own_name({*plan.sources, probabilities or ""}, "prediction") if label is None else label
    probabilities = own_name({*plan.sources, label}, "probabilities") if probabilities is None else probabilities
    if not plan.sources:
        raise ValueError(
            "this classifier reads no column, so a graph would have no input; answer with its prior instead"
        )
    if "" in plan.sources:
        raise ValueError("a column has no name, and an input of a graph needs one; name the column before fitting")
    for output in (label, probabilities):
        if output in plan.sources or label == probabilities:
            raise ValueError(f"an input of the graph is called {output!r} too; give another label= or probabilities=")
    g = OnnxGraph((*plan.sources, label, probabilities))
    cells = OnnxCells(g, plan)
    logs = posterior(plan, g, cells)
    p = g.op("Exp", logs)
    chosen = decide(plan, g, logs, p)
    names, kind = labels_of(plan)
    bad = cells.infinite
    chosen = g.where(bad, np.int64(len(names) - 1), chosen)
    g.nodes.append(g.onnx.helper.make_node("Gather", [g.constant(names), chosen], [label]))
    unknown = [g.column(bad), g.constant(np.float64(np.nan)), p]
    g.nodes.append(g.onnx.helper.make_node("Where", unknown, [probabilities]))
    inputs: list[Value] = [(s, "STRING" if cells.types[s] == TEXT else "DOUBLE", ["rows"]) for s in plan.sources]
    outputs: list[Value] = [(label, kind, ["rows"]), (probabilities, "DOUBLE", ["rows", len(plan.classes)])]
    return g.model(inputs, outputs)


# posteriors


def posterior(plan: Plan, g: OnnxGraph, cells: OnnxCells) -> str:
    """log P(class | row)."""
    said = [joint_of(member, g, cells) for member in plan.members]
    joint = said[0]
    if plan.pool is not None:
        pool = plan.pool
        floored = [g.op("Max", normalise_joint(g, logs), np.float64(FLOOR)) for logs in said]
        floored = [g.op("Log", g.op("Add", g.op("Exp", logs), np.float64(pool.doubt))) for logs in floored]
        parts = [g.op("Mul", np.float64(w), logs) for w, logs in zip(pool.weights, floored, strict=True)]
        joint = g.where(g.column(cells.bare), pool.bare, g.total([*parts, pool.bias]))
        joint = g.op("Add", joint, pool.shift)
    if plan.impossible:
        out = np.zeros(len(plan.classes), bool)
        out[list(plan.impossible)] = True
        joint = g.where(g.constant(out), np.float64(-np.inf), joint)
    return normalise_joint(g, joint)


def normalise_joint(g: OnnxGraph, joint: str) -> str:
    """log joints less the log of their sum."""
    less = g.op("Sub", joint, g.reduced("Max", joint, 1))
    return g.op("Sub", less, g.op("Log", g.reduced("Sum", g.op("Exp", less), 1)))


def joint_of(member: Member, g: OnnxGraph, cells: OnnxCells) -> str:
    """One member's log joint."""
    shape = g.op("Concat", cells.rows, np.array([len(member.prior)]), axis=0)
    terms = [g.op("Expand", member.prior, shape)]
    terms += [factor_of(factor, g, cells.values[factor.column]) for factor in member.factors]
    if member.networks is not None:
        terms.append(NetworkGraph(g, member.networks, cells.values, cells.rows).logs)
    joint = g.total(terms)
    if member.exponent != 1.0 or member.bias.any():
        joint = g.op("Add", g.op("Mul", joint, np.float64(member.exponent)), member.bias)
    if member.bare is not None:
        joint = g.where(g.column(cells.bare), member.bare, joint)
    return g.op("Add", joint, member.shift) if member.shift.any() else joint


def factor_of(factor: Factor, g: OnnxGraph, value: str) -> str:
    """The name of what one column adds to the log joint of each class."""
    if isinstance(factor, TableFactor):
        return g.op("Gather", factor.log, value)
    if isinstance(factor, LinearFactor):
        return g.op("Add", g.op("MatMul", value, factor.weights), factor.constant)
    if isinstance(factor, MultinormalFactor):
        return multinormal(factor, g, value)
    if isinstance(factor, ParzenFactor):
        return parzen(factor, g, value)
    x = g.column(value)
    if isinstance(factor, NormalFactor):
        away = g.op("Sub", x, factor.mean)
        # the precision first: the square of a distance beyond 1e154 alone is infinite
        square = g.clipped(g.op("Mul", g.op("Mul", factor.precision, away), away), MOST)
        return g.where(g.op("IsNaN", x), np.float64(0), g.op("Sub", factor.constant, square))
    assert isinstance(factor, RateFactor)
    line = g.op("Mul", g.op("Min", x, np.float64(2.0**500)), factor.slope)
    return g.where(g.op("GreaterOrEqual", x, np.float64(0)), g.op("Sub", line, factor.rate), np.float64(0))


def multinormal(factor: MultinormalFactor, g: OnnxGraph, x: str) -> str:
    """The axes in their units, whitened; then the squares."""
    unit = np.array([np.inf if u is None else u for u in factor.unit])
    z = g.clipped(g.op("Div", x, unit), FARTHEST)
    if factor.shared:
        z = g.op("MatMul", z, factor.whitening[0])
    squares = []
    for k, mean in enumerate(factor.mean):
        away = g.op("Sub", z, mean)
        away = away if factor.shared else g.op("MatMul", away, factor.whitening[k])
        squares.append(g.reduced("Sum", g.op("Mul", away, away), 1))
    half = g.op("Mul", np.float64(0.5), g.op("Concat", *squares, axis=1))
    return g.op("Mul", np.float64(factor.power), g.op("Sub", factor.constant, half))


def parzen(factor: ParzenFactor, g: OnnxGraph, x: str) -> str:
    """The squares of the distances from all landmarks, less the least; then what the landmarks weigh by nearness."""
    turned = g.op("MatMul", g.op("Sub", x, factor.centre), factor.whitening)
    own = g.reduced("Sum", g.op("Mul", turned, turned), 1)
    across = g.op("MatMul", turned, np.ascontiguousarray(-2.0 * factor.places.T))
    squares = g.op("Add", g.op("Add", own, across), (factor.places**2).sum(1))
    beyond = g.op("Sub", squares, g.reduced("Min", squares, 1))
    near = g.op("MatMul", g.op("Exp", g.op("Mul", np.float64(-factor.precision), beyond)), factor.weight)
    share = g.op("Div", near, g.reduced("Sum", near, 1))
    smoothed = g.op("Add", share, np.float64(factor.m / factor.total.sum()))
    logs = g.op("Sub", g.op("Log", smoothed), np.log(factor.total + factor.m))
    return g.op("Mul", np.float64(factor.power), logs)


# the decision


def decide(plan: Plan, g: OnnxGraph, logs: str, p: str) -> str:
    """The place of the decision of least conditional risk, of these the most probable; one behind the last rejects."""
    costs, limit = plan.decision.costs, plan.decision.reject_cost
    matrix = 1 - np.eye(len(plan.classes)) if costs is None else costs
    risks = g.op("MatMul", p, matrix.T.copy())
    if costs is not None:
        stakes = g.op("MatMul", p, np.abs(matrix).T.copy())
        near = g.op("Add", g.reduced("Min", risks, 1), g.op("Mul", np.float64(ROUNDING), stakes))
        logs = g.where(g.op("LessOrEqual", risks, near), logs, np.float64(-np.inf))
    best = g.op("ArgMax", logs, axis=1, keepdims=1)
    if limit is not None:
        taken = g.op("GatherElements", risks, best, axis=1)
        best = g.where(g.op("LessOrEqual", taken, np.float64(limit)), best, np.int64(len(plan.classes)))
    return g.op("Squeeze", best, np.array([1]))


def labels_of(plan: Plan) -> tuple[np.ndarray[Any, Any], str]:
    """The labels, the reject label if there is one, and no decision: numbers where all are, else text."""
    limit = plan.decision.reject_cost
    labels: Sequence[Any] = plan.classes if limit is None else [*plan.classes, plan.decision.reject_label]
    if all(isinstance(v, int) and not isinstance(v, bool) for v in labels):
        large = next((v for v in labels if not -(2**63) < v < 2**63), None)
        if large is not None:
            raise ValueError(f"the class {large} is an integer that ONNX has no labels for; make the classes text")
        return np.array([*labels, np.iinfo(np.int64).min], np.int64), "INT64"
    if all(isinstance(v, int | float) and not isinstance(v, bool) for v in labels):
        return np.array([*labels, np.nan], np.float64), "DOUBLE"
    return np.array([*labels_as_text(labels), ""], object), "STRING"
