"""A trained model as a whole, in words: its structure, what it decides by, its settings, what it can still do.

>>> from bayesfold.data.frame import Frame
>>> from bayesfold.learning.trained import find, train
>>> trained = train(find("naive")(), Frame.of({"coat": ["short", "long", "short"]}), ["cat", "cat", "dog"], "pet")
>>> structure_in_words(trained.model_, trained.target)
'P(pet) P(coat | pet)'
"""

from dataclasses import fields
from typing import Any

import numpy as np

from bayesfold.data.dates import columns_for
from bayesfold.data.graph import factorization
from bayesfold.data.schema import Schema
from bayesfold.learning.kinds import Settings
from bayesfold.learning.trained import DropIn, Trained
from bayesfold.models.model import Model
from bayesfold.models.pool import Pool


def weights_in_words(first: Model) -> str:
    """What the rows weigh, where that is not one each."""
    if not first.tally.weighted:
        return ""
    decayed = ", decayed" if first.decayed else ""
    return f" that weigh {float(first.class_weights().sum()):g}{decayed}"


def columns_in_words(trained: Trained) -> str:
    """How many columns are used, and how many are left out."""
    used = len(columns_for(trained.model_.schema.sources, trained.names))
    left = len(trained.names) - used
    return f"{used:,} column{'s' * (used != 1)}" + (f"; {left:,} left out" if left else "")


def structure_in_words(fitted: Model | Pool, target: str) -> str:
    """How the columns depend on each other."""
    if isinstance(fitted, Pool):
        members = [f"{name} ({weight:.3g})" for name, weight in zip(fitted.members, fitted.weights, strict=True)]
        return f"a pool of {', '.join(members)}, by weight"
    return networks_in_words(fitted, target)


def networks_in_words(model: Model, target: str) -> str:
    """The networks of a model that learned its classes from the column `target`."""
    mixture, networks = model.mixture, model.mixture.networks
    if len(networks) == 1:
        joint = factorization(networks[0], {model.schema.target.name: target})
        return joint if len(joint) <= 200 else f"{joint[:160].rpartition(' P(')[0]} ... ({len(networks[0])} factors)"
    how = {"mean": "the mean", "product": "the weighted product"}[mixture.combine]
    parents = len(mixture.roots[0])
    each = "a column" if parents == 1 else f"{parents} columns"
    return f"{how} of {len(networks):,} networks, in each of which all columns depend on {each} and the class"


def calibration_in_words(fitted: Model | Pool) -> str:
    """What held-out rows taught about the answers as a whole."""
    if isinstance(fitted, Pool) or fitted.is_textbook:
        return ""
    bias = zip(fitted.classes, fitted.calibration.bias_of(fitted.classes), strict=True)
    added = ", ".join(f"{b:+.3g} for {c!r}" for c, b in bias if b)
    return f"joint probability to the power {fitted.calibration.exponent:.4g}" + (f", its log {added}" if added else "")


def decision_in_words(trained: Trained) -> str:
    """How a decision is taken."""
    share = trained.unseen_share_
    new = f"; a class never seen has the probability {share:.3g}" if share else ""
    if trained.loss is None and trained.reject_cost is None:
        return "the most probable class" + new
    cost = "" if trained.loss is None else f"the least expected loss, loss[decision][truth] = {quote(trained.loss)}"
    reject = "" if trained.reject_cost is None else f"; rejects what would cost more than {quote(trained.reject_cost)}"
    return (cost or "the most probable class") + reject + new


def settings_in_words(trained: Trained) -> str:
    """The settings that are not the default."""
    given = trained.settings
    if isinstance(given, DropIn):
        return ", ".join(f"{name}={quote(value)}" for name, value in given.parameters.items() if value is not None)
    decision = ("loss", "reject_cost", "reject_label")
    return ", ".join(
        f"{field.name}={quote(getattr(given, field.name))}"
        for field in fields(given)
        if field.name not in decision and repr(getattr(given, field.name)) != repr(field.default)
    )


def quote(value: Any) -> str:
    """A setting in print."""
    if isinstance(value, Schema):
        return f"one of {len(value.features)} columns"
    text = repr(value.tolist() if isinstance(value, np.ndarray | np.generic) else value)
    return text if len(text) <= 80 else f"{text[:77]}..."


def abilities_in_words(trained: Trained) -> str:
    """What can still be done with the model."""
    fitted = trained.model_
    first = fitted.first if isinstance(fitted, Pool) else fitted
    if first.soft:
        return "predict only: rows without labels are in it, and what these count depends on all other rows"
    if first.iterative:
        return f"predict only: what the words of {first.iterative!r} say was found by iteration over all rows together"
    verbs = "learn, forget, merge, decay, leave rows out"
    if first.decayed:
        verbs = "learn, merge, decay; forget and leave rows out with the weights that they have now"
    if not isinstance(trained.settings, Settings):
        verbs += " (in Python, with bayesfold.load)"
    if trained.reweigh_needed:
        verbs += "; its rows have changed since its weights were fitted: reweigh(X, y) fits them again"
    return verbs
