"""Explanations add up, for every family, structure and classifier: 1,000 random models and rows of each when soaked."""

import os
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bayesfold as bf
from bayesfold.estimators.base import Classifier
from bayesfold.explanations.explain import explain

from .tables import EXAMPLES, KINDS, every, model_of, several

CLASSIFIERS = [n for n in bf.__all__ if isinstance(getattr(bf, n), type) and issubclass(getattr(bf, n), Classifier)]
SLOW = ["BayesClassifier"]  # it fits four models and weighs them: a tenth of the examples unless soaked
SOAKED = os.environ.get("BAYESFOLD_SOAK") == "1"
each = pytest.mark.parametrize("name", KINDS)


def explained(model, rows, against=None):
    frame = rows.frame()
    batch = model.schema.encode(frame)
    joint = model.log_joint(batch)
    best = joint.argmax(1)
    return explain(model, batch, frame, best, against, np.array(model.classes)[best]), joint


@every
@given(data=st.data())
def test_contributions_sum_to_the_models_log_odds(data, structure, name):
    learned, *asked = data.draw(several(name, 6))
    weight = data.draw(st.sampled_from([None, {"p": 4.0}, "balanced"]))
    model = model_of(name, structure, learned, class_weight=weight)
    if len(model.classes) < 2:
        return
    for rows in asked:
        found, joint = explained(model, rows)
        assert found.parts[0] == "prior"
        np.testing.assert_array_equal(found.margins.shape, (len(rows), len(model.parts)))
        order = np.sort(joint, axis=1)
        margin = order[:, -1] - order[:, -2]
        size = np.abs(found.margins).sum(1) + np.abs(joint).max(1) + 1
        assert (np.abs(found.log_odds - margin) <= 1e-9 * np.maximum(1, 1e-4 * size)).all()
        for i, one in enumerate(found):
            assert abs(one.log_odds - found.log_odds[i]) <= 1e-9 * max(1, 1e-4 * size[i])
            assert {reason.part for reason in one.reasons} >= set(model.parts)


@each
@given(data=st.data())
def test_an_explanation_turned_round_changes_sign(data, name):
    learned, asked = data.draw(several(name, 2))
    model = model_of(name, "naive", learned)
    if len(model.classes) < 2:
        return
    frame = asked.frame()
    batch = model.schema.encode(frame)
    one, two = np.zeros(len(asked), np.intp), np.ones(len(asked), np.intp)
    there, back = (explain(model, batch, frame, a, b, np.array(model.classes)[a]) for a, b in ((one, two), (two, one)))
    np.testing.assert_array_equal(there.margins, -back.margins)
    np.testing.assert_array_equal(there.words.margins, -back.words.margins)


def awkward(seed, plain):
    """Rows that say something about the class, their labels, and rows to ask about, with holes and unseen values."""
    draw = np.random.default_rng(seed)
    rows, classes = int(draw.integers(6, 60)), int(draw.integers(2, 5))
    y = np.array([*"pqrs"])[np.r_[:classes, draw.integers(0, classes, rows - classes)]]
    if plain:  # scikit-learn's classes: whole numbers, none missing
        place = np.array([*map(ord, y)])[:, None]
        table = pd.DataFrame(draw.poisson(1 + (np.arange(4) + place) % 3), columns=[*"abcd"])
        return table, y, table.iloc[draw.integers(0, rows, 8)]
    table = pd.DataFrame(
        {
            "text": np.where(draw.random(rows) < 0.6, y, draw.choice([*"pqrs"], rows)),
            "word": draw.choice(["up", "down", "left"], rows),
            "size": draw.normal(size=rows) + (y == "p"),
            "dose": draw.poisson(3, rows) * (1 + (y == "q")),
            "flag": draw.random(rows) < 0.5,
        }
    )
    asked = table.astype(object).iloc[draw.integers(0, rows, 12)].reset_index(drop=True)
    for column in table:
        asked.loc[draw.random(12) < 0.3, column] = None
    asked.loc[draw.random(12) < 0.2, "text"] = "never seen"
    return table, y, asked.infer_objects()


def check_sums(clf, seed, change=None):
    plain = "missing" not in clf.get_params()  # one that refuses holes
    table, y, asked = awkward(seed, plain)
    if change:
        table, asked = change(table), change(asked)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        clf.fit(table, y)
    joint = clf.model_.log_joint(clf.schema_.encode(clf._read(asked, reset=False)))
    np.testing.assert_allclose(clf.predict_joint_log_proba(asked), joint, rtol=1e-12)
    found = clf.explain(asked)
    order = np.sort(joint, axis=1)
    margin = order[:, -1] - order[:, -2]
    allowed = 1e-9 * np.maximum(1.0, margin)
    assert (np.abs(found.log_odds - margin) <= allowed).all()
    assert found.parts[0] == "prior"
    for i, one in enumerate(found):
        assert abs(one.log_odds - margin[i]) <= allowed[i]
        for reason in one.reasons:
            cell = asked.iloc[i].get(reason.part)
            if reason.value is not None and reason.value == reason.value and reason.part in asked:
                assert reason.value == cell


def positive(table):
    """Numbers above zero, for densities that want them."""
    return table.assign(size=np.exp(table["size"].astype(float)), dose=table["dose"].astype(float) + 1)


def whole(table):
    """Counts."""
    return table.assign(size=np.floor(np.exp(table["size"].astype(float))))


WAYS = {
    **{f"NaiveBayes, {n}": (bf.NaiveBayes, {"numeric": n}, None) for n in ("gaussian", "kde", "mdl", "categorical")},
    "NaiveBayes, lognormal": (bf.NaiveBayes, {"numeric": "lognormal"}, positive),
    "NaiveBayes, poisson": (bf.NaiveBayes, {"numeric": "poisson"}, whole),
    **{f"{n}, weights": (getattr(bf, n), {"weights": "auto"}, None) for n in ("NaiveBayes", "TAN", "KDB")},
    "NaiveBayes, temperature": (bf.NaiveBayes, {"calibration": "temperature"}, None),
    "AODE, pool": (bf.AODE, {"combine": "pool"}, None),
    "A2DE": (bf.AODE, {"n": 2}, None),
    "A2DE, pool": (bf.AODE, {"n": 2, "combine": "pool"}, None),
    **{f"GaussianBayes, {c}": (bf.GaussianBayes, {"covariance": c}, None) for c in ("full", "tied", "diagonal")},
    "ComplementNB, norm": (bf.ComplementNB, {"norm": True}, None),
    **{n: (getattr(bf, n), {}, None) for n in CLASSIFIERS if n not in SLOW},
}


@pytest.mark.parametrize("way", WAYS)
@settings(max_examples=1_000 if SOAKED else EXAMPLES)
@given(seed=st.integers(0, 2**32 - 1))
def test_the_explanations_of_every_classifier_sum_to_its_log_odds(way, seed):
    kind, options, change = WAYS[way]
    check_sums(kind(**options), seed, change)


@pytest.mark.parametrize("name", SLOW)
@settings(max_examples=1_000 if SOAKED else max(1, settings().max_examples // 10))
@given(seed=st.integers(0, 2**32 - 1))
def test_the_explanations_of_a_pool_sum_to_its_log_odds(name, seed):
    check_sums(getattr(bf, name)(), seed)


@each
@given(data=st.data())
def test_the_raw_cells_stand_beside_what_they_say(data, name):
    learned, asked = data.draw(several(name, 2))
    model = model_of(name, "naive", learned)
    if len(model.classes) < 2:
        return
    found, _ = explained(model, asked)
    flagged = "class spread" in model.parts
    for i, one in enumerate(found):
        cells = dict(zip(asked.names, asked.cells[i], strict=True))
        for reason in one.reasons:
            if reason.part not in cells:
                assert reason.value is None or name in ("text", "mixed")  # a term has a line, with what it weighs
            elif cells[reason.part] is None:
                assert reason.value is None or reason.value != reason.value
                assert reason.contribution == 0.0 or flagged  # a vector knows that a cell is missing
            else:
                assert reason.value == cells[reason.part]
