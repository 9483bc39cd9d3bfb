"""Naive Bayes by enumeration, in twenty lines of plain Python, against the compiled paths."""

import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesfold import NaiveBayes
from bayesfold.families.gaussian import Gaussian

pytestmark = pytest.mark.filterwarnings("ignore:columns left out")


def log_joint(rows, labels, asked, alpha, prior_alpha, numbers, pseudo_rows):
    """log P(class, asked) by class: the formulas as the textbook has them, a missing or unseen value left out."""
    classes, found = sorted(set(labels)), {}
    for c in classes:
        inside = [row for row, label in zip(rows, labels, strict=True) if label == c]
        total = math.log((len(inside) + prior_alpha) / (len(rows) + len(classes) * prior_alpha))
        for name, x in asked.items():
            seen = [row[name] for row in rows if row[name] is not None]
            own = [row[name] for row in inside if row[name] is not None]
            if x is None or (name not in numbers and x not in seen):
                continue
            if name in numbers:
                total += log_normal(x, own, seen, v(rows, labels, name), pseudo_rows)
            else:
                top, bottom = Counter(own)[x] + alpha, len(own) + len(set(seen)) * alpha
                total += math.log(top / bottom) if top else -1000 * math.log(2) if bottom else -math.log(len(set(seen)))
        found[c] = total
    return [found[c] for c in classes]


def mean_and_squares(values):
    """Their mean and the sum of squares about it, exactly."""
    exact = [Fraction(x) for x in values]
    mean = sum(exact, Fraction(0)) / max(len(exact), 1)
    return mean, sum(((x - mean) ** 2 for x in exact), Fraction(0))


def v(rows, labels, name):
    """The variance within classes, at least a 1024th of the whole column's."""
    pairs = [(row[name], c) for row, c in zip(rows, labels, strict=True) if row[name] is not None]
    within = sum(mean_and_squares([x for x, c in pairs if c == k])[1] for k in set(labels))
    return max(within, mean_and_squares([x for x, _ in pairs])[1] / 1024) / max(len(pairs), 1)


def log_normal(x, own, seen, prior, pseudo_rows):
    """A normal density whose variance is pulled to a prior one; a constant column says nothing."""
    mean, squares = mean_and_squares(own or seen)
    variance = (squares + Fraction(pseudo_rows) * prior) / (len(own) + Fraction(pseudo_rows)) if own else prior
    variance = float(variance) if prior else 1.0
    return -((x - float(mean)) ** 2) / (2 * variance) - math.log(2 * math.pi * variance) / 2


TABLES = st.lists(
    st.tuples(
        st.sampled_from("pqr"),
        st.fixed_dictionaries(
            {
                "a": st.sampled_from([None, "u", "v", "w"]),
                "b": st.sampled_from([None, "u", "v"]),
                "x": st.none() | st.integers(-60, 60).map(lambda i: i / 7),
                "y": st.none() | st.integers(-60, 60).map(lambda i: 1000 + i / 7),
            }
        ),
    ),
    min_size=1,
    max_size=12,
)
ASKED = {"a": st.sampled_from([None, "u", "v", "w", "never"]), "b": st.sampled_from([None, "u", "v", "never"])}
ASKED |= {"x": st.none() | st.floats(-20, 20), "y": st.none() | st.floats(990, 1010)}


@given(
    table=TABLES,
    asked=st.lists(st.fixed_dictionaries(ASKED), min_size=1, max_size=4),
    alpha=st.sampled_from([0, 0.5, 1, 3]),
    prior_alpha=st.sampled_from([0, 1, 2.5]),
    pseudo_rows=st.sampled_from([1.0, 4.0]),
)
def test_naive_bayes_is_the_enumeration(table, asked, alpha, prior_alpha, pseudo_rows):
    labels, rows = [label for label, _ in table], [row for _, row in table]
    normal = Gaussian(pseudo_rows=pseudo_rows)
    families = {"a": "categorical", "b": "categorical", "x": normal, "y": normal}
    columns = {name: [row[name] for row in rows] for name in "abxy"}
    clf = NaiveBayes(alpha=alpha, prior_alpha=prior_alpha, families=families).fit(columns, labels)
    expected = [log_joint(rows, labels, row, alpha, prior_alpha, "xy", pseudo_rows) for row in asked]
    ours = clf.predict_joint_log_proba({name: [row[name] for row in asked] for name in "abxy"})
    np.testing.assert_allclose(ours, expected, rtol=1e-9, atol=1e-9)
    for row, answer in zip(asked, expected, strict=True):
        np.testing.assert_allclose(clf.predict_joint_log_proba(row)[0], answer, rtol=1e-9, atol=1e-9)
