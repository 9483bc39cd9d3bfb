"""From a fitted classifier to its plan: the only place of the exports that knows models, families and schemas."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np

from bayesfold.data.frame import Floats, Frame
from bayesfold.decisions.decide import check_decision, known_limit, reject_label
from bayesfold.decisions.loss import loss_matrix
from bayesfold.decisions.unseen_class import share_of
from bayesfold.families._covariance import Normals
from bayesfold.families._forms import Density, Linear, Lookup, Quadratic, Whole
from bayesfold.families.parzen import Near
from bayesfold.families.poisson import Poisson
from bayesfold.models import pool as pooled
from bayesfold.models.model import Model
from bayesfold.models.scoring.group import Group
from bayesfold.models.scoring.missing_parents import MOST_SUMS
from bayesfold.models.scoring.mixture import MixtureScorer
from bayesfold.models.scoring.parent_tables import ParentTables
from bayesfold.models.scoring.scorer import Scorer
from bayesfold.runtime.messages import listed
from bayesfold.store.export import _factors, _networks, _plan
from bayesfold.store.export._lower_columns import check_exact, columns_of


def fitted_model(classifier: Any) -> Model | pooled.Pool:
    """The model in a fitted classifier, an estimator's or a loaded one."""
    model = getattr(classifier, "model_", None)
    if not isinstance(model, Model | pooled.Pool):
        raise TypeError(
            f"{type(classifier).__name__} cannot be exported: it is not a classifier of this library that has been "
            "fitted; fit it first, or export the classifier that it wraps"
        )
    return model


def lower(classifier: Any, texts: bool = False) -> _plan.Plan:
    """The plan of a fitted classifier; `texts` says whether the caller can read texts term by term."""
    model = fitted_model(classifier)
    schema = model.schema
    of_dates = [part for part in schema.parts if part not in classifier._names]
    if of_dates:
        raise ValueError(
            f"this model computes {listed(of_dates)} from dates, which an export cannot; put these parts into columns "
            "of their own before you fit, or leave the dates out"
        )
    place = {c.name: i for i, c in enumerate(schema.features)}
    parts = (model,) if isinstance(model, Model) else tuple(model.members.values())
    classes = tuple(check_exact("the target", c) for c in classifier.classes_.tolist())
    return _plan.Plan(
        schema.target.name,
        classes,
        schema.sources,
        tuple(columns_of(schema.features, texts)),
        tuple(member_of(part, place) for part in parts),
        None if isinstance(model, Model) else pool_of(model),
        impossible_classes(classifier, model),
        decision_of(classifier),
    )


def decision_of(classifier: Any) -> _plan.Decision:
    """The costs of decisions, as the plan holds them."""
    check_decision(classifier)
    costs = None if classifier.loss is None else loss_matrix(classifier.loss, classifier.classes_.tolist())
    limit, share = known_limit(classifier), share_of(classifier)
    if limit is None:
        return _plan.Decision(costs, None, None, share)
    return _plan.Decision(costs, float(limit), reject_label(classifier), share)


def impossible_classes(classifier: Any, model: Any) -> tuple[int, ...]:
    """The classes that the classifier itself rules out, whatever the row."""
    ask = getattr(classifier, "_log_joint", None)
    if ask is None or model.schema.texts:  # drop-ins have the rule, and no text
        return ()
    names = model.schema.sources
    row = Frame(names, 1, {}, np.zeros((1, len(names))))
    return tuple(np.flatnonzero(np.isneginf(ask(model, model.schema.encode(row))[0])).tolist())


# members


def pool_of(pool: pooled.Pool) -> _plan.PoolPlan:
    """How the members of a pool are weighed, as the plan holds it."""
    under_given_priors = Model(pool.first.mixture, pool.first.families, pool.tally, pool.prior, pool.class_weight)
    return _plan.PoolPlan(pool.weights, pool.bias_of(), pool.first.log_prior(), under_given_priors.shift(), pool.doubt)


def member_of(model: Model, place: dict[str, int]) -> _plan.Member:
    """One model's factors, its networks, and what was learned about its joint as a whole."""
    classes = len(model.classes)
    shift = np.zeros(classes)
    if not model.is_textbook and (model.prior is not None or model.class_weight is not None):
        shift = model.shift()  # the fit was made without them: they are applied to its answers
        model = Model(model.mixture, model.families, model.tally, None, None, model.calibration)
    scorer = model.scorer
    power = scorer.power if isinstance(scorer, MixtureScorer) else 1.0
    bare = None if model.is_textbook and not model.has_vector else model.log_prior()
    return _plan.Member(
        power * model.prior_power * model.log_prior(),
        tuple(factors_of(model.flat, power, place)),
        networks_of(scorer, place) if isinstance(scorer, MixtureScorer) else None,
        model.calibration.exponent,
        model.calibration.bias_of(model.classes),
        bare,
        shift,
    )


def factors_of(flat: Scorer, power: float, place: dict[str, int]) -> Iterator[_factors.Factor]:
    """The columns below the class alone, each to its power."""
    for group, form in zip(flat.groups, flat.forms, strict=True):
        for j, name in enumerate(group.names):
            yield factor_of(place[name], group, flat.form_of(form, group, j), power * float(group.powers[j]))


def factor_of(at: int, group: Group, form: Any, power: float) -> _factors.Factor:
    """One column's log density, but for what all classes have in common; group 0 is that of a missing class."""
    if isinstance(form, Lookup):
        return _factors.TableFactor(at, power * form.table[:, 1:])
    if isinstance(form, Quadratic):
        return _factors.NormalFactor(at, form.mean[0, 1:], power * form.precision[0, 1:], power * form.constant[0, 1:])
    if isinstance(form, Linear):
        return _factors.LinearFactor(at, power * form.weights[:, 1:], power * form.constant[1:])
    if isinstance(form, Whole) and isinstance(form.density, Normals):
        return multinormal_of(at, form.density, power)
    if isinstance(form, Whole) and isinstance(form.density, Near):
        return parzen_of(at, form.density, power)
    if isinstance(form, Density) and isinstance(group.family, Poisson):
        rate = form.parameters[0][0, 1:]
        return _factors.RateFactor(at, power * np.log(rate), power * rate)
    name = type(group.family).__name__.lower()
    raise TypeError(f"column {group.names[0]!r} has a {name} density, which cannot be exported yet")


def multinormal_of(at: int, normals: Normals, power: float) -> _factors.MultinormalFactor:
    """The normals of the classes in units of their columns."""
    unit = tuple(float(u) if np.isfinite(u) else None for u in normals.unit)
    mean: Floats = normals.mean / normals.unit
    if len(normals.whitening) == 1:
        mean = mean @ normals.whitening[0]
    return _factors.MultinormalFactor(at, unit, mean, normals.whitening, normals.constant, power)


def parzen_of(at: int, near: Near, power: float) -> _factors.ParzenFactor:
    """The landmarks at which there are rows, in the coordinates in which distances are plain."""
    landmarks, there = near.landmarks, near.weight.any(0)
    return _factors.ParzenFactor(
        at,
        landmarks.centre,
        landmarks.whitening,
        np.ascontiguousarray(landmarks.coordinates.T[there]),
        np.ascontiguousarray(near.weight.T[there]),
        near.total,
        near.precision,
        near.m,
        power,
    )


# networks


def networks_of(scorer: MixtureScorer, place: dict[str, int]) -> _networks.Networks:
    """The tables with parents, and how they are joined."""
    mixture = scorer.mixture
    shown = scorer.rows_shown
    gate = mixture.minimum - 1e-9
    has_say = tuple(tuple((np.arange(len(n)) > 0) & (n >= gate)) for n in shown) if mixture.roots else ()
    return _networks.Networks(
        tuple(place[name] for name in scorer.columns),
        tuple(len(n) for n in shown),
        tuple(nodes_of(scorer.stack, a, b) for a, b in pairwise(scorer.ends)),
        nodes_of(scorer.naive, 0, len(scorer.naive.leaves)),
        tuple(tuple(roots) for roots in scorer.roots.tolist()) if mixture.roots else (),
        tuple(tuple(map(bool, slots)) for slots in has_say),
        tuple(scorer.weights.tolist()),
        mixture.combine,
        tuple(implications_of(scorer)) if mixture.subsumption else (),
        MOST_SUMS if not mixture.roots and scorer.sums_out else 0,
    )


def nodes_of(stack: ParentTables, first: int, last: int) -> tuple[_networks.NodeTable, ...]:
    """The tables of some nodes, each to its power."""
    return tuple(
        _networks.NodeTable(leaf.columns, leaf.power * stack.log(k).reshape(-1, stack.classes))
        for k, leaf in enumerate(stack.leaves[first:last], first)
    )


def implications_of(scorer: MixtureScorer) -> Iterator[_networks.ImplicationTables]:
    """The pairs of values of which one says nothing more, once enough rows have shown the other."""
    often = [n >= scorer.mixture.subsumption - 1e-9 for n in scorer.rows_shown]
    for pair in scorer.implications:
        forth = pair.forth & often[pair.first][:, None]
        back = pair.back & often[pair.second] & ~forth
        if forth.any() or back.any():
            yield _networks.ImplicationTables(pair.first, pair.second, forth, back)
