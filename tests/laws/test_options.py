"""No option without an effect: each one changes an output, for classifiers, families and structures."""

from dataclasses import MISSING, fields, replace

import numpy as np
import pandas as pd
import pytest

from bayesfold import NaiveBayes, families
from bayesfold.data.encodings import Counts
from bayesfold.data.graph import Mixture
from bayesfold.data.text.tokenizer import Analyser
from bayesfold.families._covariance import Shrinkage
from bayesfold.families.gaussian import Gaussian
from bayesfold.learning.exponents import powered
from bayesfold.models.model import Model

from .tables import CLASSES, Rows, batch_of, kind, model_of

X = pd.DataFrame(
    {
        "colour": ["red", "green", "red", "blue", "green", "red", "?", "red"],
        "rooms": [1, 2, 2, 5, 3, 1, 2, 4],
        "mass": [1.5, 2.0, 1.0, 8.5, 3.5, 1.25, 2.0, 5.5],
        "shape": ["round", None, "flat", "flat", None, "round", "flat", None],
    }
)
Y = [*"ppqqqqpq"]
LARGER = NaiveBayes().fit(pd.concat([X, X.assign(colour="black")]), [*Y, *Y]).schema_
CHANGES = {
    "alpha": 5.0,
    "prior_alpha": 50.0,
    "numeric": "categorical",
    "families": {"mass": Gaussian(pseudo_rows=5.0)},
    "missing": "?",
    "missing_as": "value",
    "calibration": "temperature",
    "priors": [0.9, 0.1],
    "class_weight": {"p": 3.0},
    "weights": {"mass": 0.25},
    "schema": LARGER,
    "unlabelled": 0.5,
    "loss": [[0, 9], [1, 0]],
    "reject_cost": 0.01,
    "reject_label": "unsure",
    "unseen_class": 0.3,
    "weights_are": "counts",
}
DECIDING = {
    "loss": {},
    "reject_cost": {},
    "reject_label": {"reject_cost": 0.01},
    "unseen_class": {"reject_cost": 0.31},
}
"""Options that change labels and not probabilities, and what they go with."""


@pytest.mark.parametrize("option", sorted(NaiveBayes().get_params()))
def test_every_option_of_naive_bayes_changes_an_output(option):
    if option == "unlabelled":  # without it a missing label is refused
        hidden = [*Y[:5], None, None, None]
        default, changed = NaiveBayes().fit(X[:5], Y[:5]), NaiveBayes(unlabelled=CHANGES[option]).fit(X, hidden)
        assert np.abs(default.predict_proba(X) - changed.predict_proba(X)).max() > 1e-6
        return
    if option == "weights_are":  # which changes what is left out, and the choices that are made by it
        weight = np.arange(1.0, 9.0)
        ours, others = (NaiveBayes(weights_are=word).fit(X, Y, weight) for word in ("importance", "counts"))
        left_out = [clf.leave_one_out(X, Y, weight) for clf in (ours, others)]
        assert np.abs(left_out[0] - left_out[1]).max() > 1e-6
        return
    common = DECIDING.get(option, {})
    default, changed = (NaiveBayes(**common, **options).fit(X, Y) for options in ({}, {option: CHANGES[option]}))
    if option in DECIDING:
        assert (default.predict(X) != changed.predict(X)).any()
        return
    assert np.abs(default.predict_proba(X) - changed.predict_proba(X)).max() > 1e-6


@pytest.mark.parametrize("option", ["alpha", "prior_alpha"])
def test_auto_is_not_the_default(option):
    default, changed = (NaiveBayes(**options).fit(X, Y) for options in ({}, {option: "auto"}))
    assert np.abs(default.predict_proba(X) - changed.predict_proba(X)).max() > 1e-6


TEXT = {
    "model": "bernoulli",
    "alpha": 2.5,
    "idf": True,
    "normalised": True,
    "min_df": 8,
    "max_df": 0.5,
    "stop_words": ("ham",),
    "analyser": Analyser(lowercase=False, ngrams=(1, 2)),
    "tf": "log",
}


def with_family(model, family):
    """The model with one family for all its columns."""
    return Model(
        model.mixture, model.families | dict.fromkeys((c.name for c in model.schema.features), family), model.tally
    )


def own_options(family):
    """The options of a family: fields with a default, not those that hold what was learned."""
    return [f.name for f in fields(families.find(family)) if f.default is not MISSING and f.default is not None]


def another(value):
    if isinstance(value, Shrinkage):
        return Shrinkage(0.3, 0.2)
    return not value if isinstance(value, bool) else value + 1 if isinstance(value, int) else value + 1.5


def rows_of(name):
    """Rows in which every column differs from row to row and from class to class."""
    made = kind(name)
    draw = np.random.default_rng(1)
    least = 0 if isinstance(made.features[0], Counts) else 1

    def cell(i):
        if name == "text":
            return " ".join(["ham", "Eggs", "spam", "ham"][: int(draw.integers(1, 5))]) + " ham" * (i % 3)
        return "abcd"[draw.integers(4)] if name == "categorical" else int(draw.integers(least, 5)) * (1 + i % 3)

    cells = tuple(tuple(cell(i) for _ in made.cells) for i in range(12))
    return Rows(tuple(made.cells), cells, tuple(CLASSES[i % 3] for i in range(12)))


@pytest.mark.parametrize(("name", "option"), [(n, o) for n in families.names() for o in own_options(n)])
def test_every_option_of_a_family_changes_a_density(name, option):
    rows = rows_of(name)
    plain = model_of(name, "naive", rows)
    family = families.find(name)
    default = next(f.default for f in fields(family) if f.name == option)
    changed = family(**{option: TEXT[option] if name == "text" else another(default)})
    if option == "normalised":
        plain = with_family(plain, family(model="complement"))
        changed = replace(changed, model="complement")
    batch = batch_of(plain.schema, rows)
    if option in ("analyser", "tf"):  # these say how a text is read
        columns = tuple(changed.reads(c.name, frozenset()) for c in kind(name).features)
        schema = replace(plain.schema, features=columns).grown(rows.frame())
        other = with_family(model_of(name, "naive", rows, schema), changed)
        assert np.abs(plain.log_proba(batch) - other.log_proba(batch_of(schema, rows))).max() > 1e-6
        return
    other = with_family(plain, changed)
    assert np.abs(plain.log_proba(batch) - other.log_proba(batch)).max() > 1e-6


def test_every_family_is_asked_about_its_options():
    assert {n for n in families.names() if own_options(n)} == set(families.names())


def test_the_powers_of_a_structure_change_an_output():
    rows = rows_of("gaussian")
    plain = model_of("gaussian", "naive", rows)
    powers = dict.fromkeys(plain.schema.columns, 1.0) | {"gaussian 1": 0.5}
    other = Model(Mixture((powered(plain.mixture.networks[0], powers),)), plain.families, plain.tally)
    batch = batch_of(plain.schema, rows)
    assert np.abs(plain.log_proba(batch) - other.log_proba(batch)).max() > 1e-6
