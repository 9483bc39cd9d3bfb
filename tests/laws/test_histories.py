"""Whatever happened to a classifier, it is a fit of the rows that are left, with the weights they have now."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesfold import NaiveBayes
from bayesfold.tally.trimming import restrict

from .tables import assert_same_tally, columns, several, told

STEPS = ["learn a table", "learn rows", "forget", "decay", "merge"]
QUESTIONS = [
    "nothing",
    "a table",
    "a row",
    "rows held out",
]  # asked before each step: answers must not be kept too long
FAMILIES = told("mixed")
OPTIONS = [
    {},
    {"alpha": "auto", "prior_alpha": "auto"},
    {"class_weight": "balanced"},
    {"weights": {"categorical": 0.5}},
]


class History:
    """A classifier, and a list of the rows it should stand for."""

    def __init__(self, rows, options):
        self.options = options
        self.clf = NaiveBayes(families=FAMILIES, **options).partial_fit(columns(rows, FAMILIES), list(rows.labels))
        self.rows = rows.weighing(1.0)
        self.decayed = False

    def table(self):
        return columns(self.rows, FAMILIES)

    def take(self, step, data, more):
        if step == "learn a table":
            self.clf.partial_fit(columns(more, FAMILIES), list(more.labels))
            self.rows += more.weighing(1.0)
        elif step == "learn rows":
            for row, label in zip(more.dicts(), more.labels, strict=True):
                self.clf.partial_fit({n: row[n] for n in FAMILIES}, label)
            self.rows += more.weighing(1.0)
        elif step == "merge":
            other = NaiveBayes(families=FAMILIES, schema=self.clf.schema_, **self.options)
            self.clf = self.clf + other.fit(columns(more, FAMILIES), list(more.labels))
            self.rows += more.weighing(1.0)
        elif step == "decay":
            self.clf.decay(0.5)
            self.rows = self.rows.weighing(0.5 * np.array(self.rows.weights))
            self.decayed = True
        elif step == "forget" and len(self.rows) > 1:
            gone = data.draw(st.sets(st.integers(0, len(self.rows) - 1), min_size=1, max_size=len(self.rows) - 1))
            some = self.rows.take(sorted(gone))
            weight = some.weights if self.decayed else None
            self.clf.forget(columns(some, FAMILIES), list(some.labels), sample_weight=weight)
            self.rows = self.rows.take([i for i in range(len(self.rows)) if i not in gone])

    def ask(self, question):
        if question == "a table":
            self.clf.predict_proba(self.table())
        elif question == "a row":
            self.clf.predict_proba({n: v[0] for n, v in self.table().items()})
        elif question == "rows held out":
            self.clf.leave_one_out(self.table(), list(self.rows.labels), sample_weight=self.rows.weights)

    def fresh(self):
        """A fit of what is left, under the schema that has grown."""
        clf = NaiveBayes(families=FAMILIES, schema=self.clf.schema_, **self.options)
        weight = self.rows.weights if self.decayed else None
        return clf.fit(self.table(), list(self.rows.labels), sample_weight=weight)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@given(
    data=st.data(),
    steps=st.lists(st.tuples(st.sampled_from(QUESTIONS), st.sampled_from(STEPS)), min_size=1, max_size=5),
)
def test_every_history_is_a_fit_of_what_is_left(data, steps, options):
    parts = data.draw(several("mixed", 1 + len(steps), most=5))
    history = History(parts[0], options)
    everything = history.clf.model_.tally.copy()
    for (question, step), more in zip(steps, parts[1:], strict=True):
        everything = everything + history.clf.model_.tally
        history.ask(question)
        history.take(step, data, more)
    ours, theirs = history.clf, history.fresh()
    held = restrict(everything + ours.model_.tally, theirs.schema_)
    assert_same_tally(ours.model_.tally, theirs.model_.tally, held=held)
    table, labels = history.table(), list(history.rows.labels)
    rows = [{n: v[i] for n, v in table.items()} for i in range(len(labels))]
    expected = theirs.predict_log_proba(table)
    close = {"rtol": 1e-7, "atol": 1e-7}
    np.testing.assert_allclose([ours.predict_log_proba(row)[0] for row in rows], expected, **close)
    np.testing.assert_allclose(ours.predict_log_proba(table), expected, **close)
    np.testing.assert_allclose([ours.predict_log_proba(row)[0] for row in rows], expected, **close)
    weights = history.rows.weights
    held_out = [c.leave_one_out(table, labels, sample_weight=weights) for c in (ours, theirs)]
    np.testing.assert_allclose(*held_out, **close)
