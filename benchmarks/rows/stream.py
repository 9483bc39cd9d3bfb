"""A stream of dicts, predict then learn, one row at a time, 10 strings and 10 floats, 3 classes, beside river.

River has no naive Bayes for mixed columns. What its users can write: GaussianNB on the floats and MultinomialNB on one
token for each string cell (BernoulliNB would visit every token ever seen), posteriors multiplied, one prior taken off.
Its `predict_proba_one` spends most of its time in scipy's logsumexp, so a second line goes below it, to the bare log
joints, which are not meant for users.
"""

import math
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
from river import naive_bayes as river_nb

from benchmarks.memory import extra_peak
from benchmarks.mixed_table import FLOATS, STRINGS, arrow_table, pandas_table
from benchmarks.reference import log_posteriors
from benchmarks.reference import ours as our_model
from benchmarks.rows import Options
from benchmarks.table import Agreement, Line, at_least, at_most, compare
from benchmarks.timing import alternate

Rows = list[dict[Any, Any]]


def our_stream(rows: Rows, labels: list[str]) -> tuple[Any, list[Any]]:
    """Predict each row from those before it, then learn it; the first is only learned."""
    model = our_model()
    model.partial_fit(rows[0], labels[0])
    said = []
    for x, label in zip(rows[1:], labels[1:], strict=True):
        said.append(model.predict_proba(x))
        model.partial_fit(x, label)
    return model, said


def river_stream(rows: Rows, labels: list[str], posterior: Any) -> list[dict[str, float]]:
    """The same with two of river's models."""
    gaussian, multinomial = river_nb.GaussianNB(), river_nb.MultinomialNB()
    said = []
    for turn, (x, label) in enumerate(zip(rows, labels, strict=True)):
        floats, tokens = {name: x[name] for name in FLOATS}, {(name, x[name]): 1 for name in STRINGS}
        if turn:
            said.append(posterior(gaussian, multinomial, floats, tokens))
        gaussian.learn_one(floats, label)
        multinomial.learn_one(tokens, label)
    return said


def river_public(gaussian: Any, multinomial: Any, floats: Any, tokens: Any) -> dict[str, float]:
    """Multiply the posteriors, take one prior off, normalise."""
    first, second = gaussian.predict_proba_one(floats), multinomial.predict_proba_one(tokens)
    weights = {label: first[label] * second[label] / gaussian.p_class(label) for label in first}
    total = sum(weights.values())
    return {label: weight / total for label, weight in weights.items()}


def river_bare(gaussian: Any, multinomial: Any, floats: Any, tokens: Any) -> dict[str, float]:
    """Add the log joints, take one prior off, normalise."""
    first, second = gaussian.joint_log_likelihood(floats), multinomial.joint_log_likelihood(tokens)
    joint = {label: first[label] + second[label] - math.log(gaussian.p_class(label)) for label in first}
    top = max(joint.values())
    weights = {label: math.exp(value - top) for label, value in joint.items()}
    total = sum(weights.values())
    return {label: weight / total for label, weight in weights.items()}


def agreement(rows: Rows, labels: list[str], frame: Any) -> Agreement:
    """Prequential answers at three moments, beside a batch fit of exactly the rows before, in scikit-learn's parts."""
    found = []
    for moment in (len(rows) // 5, len(rows) // 2, len(rows) - 1):
        model, _ = our_stream(rows[:moment], labels[:moment])
        order = np.argsort(model.classes_)
        ours = np.asarray([np.ravel(model.predict_proba(row)) for row in rows[moment : moment + 50]])[:, order]
        peer = log_posteriors(frame[:moment], labels[:moment], frame[moment : moment + 50])
        found.append(compare(ours, np.exp(peer)))
    worst = max(found, key=lambda each: each.difference)
    return Agreement(worst.difference, worst.tolerance, sum(each.labels for each in found))


def run(options: Options) -> Iterator[Line]:
    """One line against river, one against the clock; times are for one row."""
    count = 500 if options.quick else 5_000
    frame, y = pandas_table(*arrow_table(count, missing=0.0))
    rows, labels = frame.to_dict("records"), y.tolist()
    ours, peer = partial(our_stream, rows, labels), partial(river_stream, rows, labels, river_public)
    bare = partial(river_stream, rows, labels, river_bare)
    ours_time, peer_time = (timing.times(1 / count) for timing in alternate(ours, peer))
    again, bare_time = (timing.times(1 / count) for timing in alternate(ours, bare))
    memory, answers = (extra_peak(peer), extra_peak(ours)), agreement(rows, labels, frame)
    work = f"Stream of {count:,} dicts, predict + learn, a row"
    note = (
        "river's GaussianNB on the floats and MultinomialNB on one token a string, posteriors multiplied; "
        "the difference is to a batch fit of the rows before, out of scikit-learn's parts"
    )
    yield Line(work, "river", ours_time, peer_time, at_least(10), answers, memory, note)
    yield Line(work, "river", ours_time, peer_time, at_most(30e-6), answers, memory, note)
    yield Line(
        work, "river, bare log joints", again, bare_time, None, answers, memory, "below river's public interface"
    )
