"""A row by itself is learned and answered as in a table, whatever its columns' densities, exponents and holes are."""

import numpy as np
import pytest

from bayesfold import NaiveBayes

DRAW = np.random.default_rng(5)
FAMILIES = {"colour": "categorical", "size": "gaussian", "price": "lognormal", "pieces": "poisson"}
EXPONENTS = {"colour": 2.0, "size": 0.5, "price": 3.0, "pieces": 0.25}
WEIGHTS = DRAW.choice([0.25, 1.0, 7.0], 40)
Y = [*"pqr", *DRAW.choice([*"pqr"], 37).tolist()]
ROWS = [
    {"colour": colour, "size": float(size), "price": float(price), "pieces": float(pieces)}
    for colour, size, price, pieces in zip(
        DRAW.choice(["red", "blue", "grey"], 40),
        DRAW.normal(size=40).round(3),
        DRAW.lognormal(size=40).round(3),
        DRAW.poisson(3, 40),
        strict=True,
    )
]
for i, name in ((3, "colour"), (5, "size"), (7, "price"), (9, "pieces"), (11, "colour"), (11, "size")):
    ROWS[i][name] = None
TABLE = {name: [row[name] for row in ROWS] for name in FAMILIES}
ODD = {"colour": "never seen", "size": 0.5, "price": 2.0, "pieces": 40.0}
ASKED = [*ROWS[:12], ODD, {"pieces": 2.0}, {"price": 9.0}]


def make(**options):
    return NaiveBayes(families=FAMILIES, missing_as="skip", alpha=1.0, **options)


@pytest.mark.parametrize("weights", [None, EXPONENTS], ids=["plain", "exponents"])
@pytest.mark.parametrize("weighed", [False, True])
def test_rows_one_by_one_are_a_table(weights, weighed):
    schema = make().fit(TABLE, Y).schema_
    whole = make(weights=weights).fit(TABLE, Y, sample_weight=WEIGHTS if weighed else None)
    stream = make(weights=weights, schema=schema)
    for i, row in enumerate(ROWS):
        more = {"classes": [*"pqr"]} if i == 0 else {}
        stream.partial_fit(row, Y[i], sample_weight=WEIGHTS[i] if weighed else None, **more)
        if i % 5 == 0:
            stream.predict_proba(row)  # what was worked out for it is not what later rows are answered by
    table = whole.predict_joint_log_proba({name: [row.get(name) for row in ASKED] for name in FAMILIES})
    for clf in (stream, whole):
        for row, expected in zip(ASKED, table, strict=True):
            np.testing.assert_allclose(clf.predict_joint_log_proba(row)[0], expected, rtol=1e-9)


def test_the_exponent_of_a_column_multiplies_what_it_says_in_a_row_by_itself():
    """By hand: log P(class) and each column's log-likelihood, by models of one column, times its exponent."""
    prior = np.log(np.unique(Y, return_counts=True)[1] / 40)
    said = {}
    for name in FAMILIES:
        alone = NaiveBayes(families={name: FAMILIES[name]}, missing_as="skip", alpha=1.0, prior_alpha=0.0)
        alone.fit({name: TABLE[name]}, Y)
        said[name] = [alone.predict_joint_log_proba({name: row[name]})[0] - prior for row in ROWS[:6]]
    clf = make(weights=EXPONENTS, prior_alpha=0.0).fit(TABLE, Y)
    for i, row in enumerate(ROWS[:6]):
        expected = prior + sum(EXPONENTS[name] * said[name][i] for name in FAMILIES)
        np.testing.assert_allclose(clf.predict_joint_log_proba(row)[0], expected, rtol=1e-9)
