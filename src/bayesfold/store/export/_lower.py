"""From a fitted classifier to its plan: the only place of the exports that knows models, families and schemas."""

from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesfold.data import encodings as columns
from bayesfold.data import schema, vector
from bayesfold.data.frame import Floats, Frame, Level
from bayesfold.data.text.column import Words
from bayesfold.data.text.tokenizer import letters
from bayesfold.decisions.decide import check_decision, reject_label
from bayesfold.decisions.loss import loss_matrix
from bayesfold.families._covariance import Normals
from bayesfold.families._forms import Density, Linear, Lookup, Quadratic, Whole
from bayesfold.families.poisson import Poisson
from bayesfold.models import pool as pooled
from bayesfold.models.model import Model
from bayesfold.models.scoring.missing_parents import MOST_SUMS
from bayesfold.models.scoring.mixture import MixtureScorer
from bayesfold.models.scoring.parent_tables import Stack
from bayesfold.models.scoring.scorer import Group, Scorer
from bayesfold.runtime.messages import listed
from bayesfold.store.export import _columns, _factors, _networks, _plan


def fitted(classifier: Any) -> Model | pooled.Pool:
    """The model in a fitted classifier, an estimator's or a loaded one."""
    model = getattr(classifier, "model_", None)
    if not isinstance(model, Model | pooled.Pool):
        raise TypeError(
            f"{type(classifier).__name__} cannot be exported: it is not a classifier of this library that has been "
            "fitted; fit it first, or export the classifier that it wraps"
        )
    return model


def lower(classifier: Any, texts: bool = False) -> _plan.Plan:
    """The plan of a fitted classifier; `texts` says whether whoever asks can read one word by word."""
    model = fitted(classifier)
    found = model.schema
    of_dates = [part for part in found.parts if part not in classifier._names]
    if of_dates:
        raise ValueError(
            f"this model reads {listed(of_dates)} out of dates, which only Python can do; learn it from columns that "
            "say so themselves, or leave the dates out"
        )
    place = {c.name: i for i, c in enumerate(found.features)}
    parts = (model,) if isinstance(model, Model) else tuple(model.members.values())
    classes = tuple(exact("the target", c) for c in classifier.classes_.tolist())
    return _plan.Plan(
        found.target.name,
        classes,
        found.sources,
        tuple(columns_of(found.features, texts)),
        tuple(member_of(part, place) for part in parts),
        None if isinstance(model, Model) else pool_of(model),
        impossible(classifier, model),
        decision_of(classifier),
    )


def decision_of(classifier: Any) -> _plan.Decision:
    """What decisions cost."""
    check_decision(classifier)
    costs = None if classifier.loss is None else loss_matrix(classifier.loss, classifier.classes_.tolist())
    if classifier.reject_cost is None:
        return _plan.Decision(costs, None, None)
    return _plan.Decision(costs, float(classifier.reject_cost), reject_label(classifier))


def impossible(classifier: Any, model: Any) -> tuple[int, ...]:
    """The classes that the classifier itself rules out, whatever the row."""
    ask = getattr(classifier, "_log_joint", None)
    if ask is None or any(isinstance(c, Words) for c in model.schema.features):  # drop-ins have the rule, and no text
        return ()
    names = model.schema.sources
    row = Frame(names, 1, {}, np.zeros((1, len(names))))
    return tuple(np.flatnonzero(np.isneginf(ask(model, model.schema.encode(row))[0])).tolist())


# columns


def columns_of(features: tuple[Any, ...], texts: bool) -> Iterator[_columns.Column]:
    """How each column reads its source; columns that read one text in the same way hold its terms once."""
    first: dict[Any, int] = {}
    for i, c in enumerate(features):
        if texts and isinstance(c, Words) and not c.analyser.buckets:
            like = first.setdefault((c.sources, c.analyser, c.vocabulary), i)
            yield terms_of(c, None if like == i else like)
        else:
            yield column_of(c)


def column_of(c: Any) -> _columns.Column:
    """How a column of the schema reads its source."""
    if isinstance(c, columns.Categories):
        source = c.source or c.name
        return _columns.Levels(c.name, source, levels_of(source, c.levels), c.hole, markers(source, c.missing))
    if isinstance(c, columns.Binned):
        source = c.source or c.name
        return _columns.Bins(c.name, source, c.cuts, c.hole, markers(source, c.missing))
    if isinstance(c, columns.Presence):
        return _columns.Presence(c.name, c.source, c.number, markers(c.source, c.missing))
    if isinstance(c, columns.Real):
        source = c.source or c.name
        return _columns.Number(c.name, source, bool(c.transform), markers(source, c.missing))
    if isinstance(c, columns.Counts):
        return _columns.Counts(c.name, c.sources, c.binarize)
    if isinstance(c, vector.Vector):
        return _columns.Vector(c.name, tuple(axis_of(axis) for axis in c.axes))
    hint = ""
    if isinstance(c, Words):
        hint = "; fit with hashed=None" if c.analyser.buckets else "; .js and .json can hold it"
    raise TypeError(f"column {c.name!r} is read as {schema.in_words(c)}, which cannot be exported yet{hint}")


def terms_of(c: Words, like: int | None) -> _columns.Terms:
    """How a text is read into terms."""
    return _columns.Terms(
        c.name,
        c.sources[0],
        tuple(c.vocabulary) if like is None else (),
        letters_of(c.analyser.lowercase) if like is None else None,
        like,
        c.analyser.analyzer,
        c.analyser.ngrams,
        c.weighing,
        c.norm,
        None if c.rarity is None else c.rarity.idf(np.arange(len(c.rarity.df) + 1)),
        tuple(sorted(map(str, c.missing))),
    )


@cache
def letters_of(lowercase: bool) -> _columns.Letters:
    """Every character, as the loops have it."""
    stage, fold = letters(lowercase)
    points = np.arange(len(stage) << 8)
    known = fold[(stage[points >> 8].astype(np.intp) << 8) | (points & 255)]
    capitals = np.flatnonzero(known >> 2)
    small = zip(capitals.tolist(), (capitals + (known[capitals] >> 2)).tolist(), strict=True)
    pairs = tuple((a, b) for a, b in small if a not in (0x130, 0x3A3))
    return _columns.Letters(runs(known & 1), runs(known & 2), pairs)


def runs(flags: NDArray[Any]) -> tuple[tuple[int, int], ...]:
    """Where flags are set, as first and last of each run."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], flags != 0, [0]]).astype(np.int8)))
    return tuple((int(a), int(b) - 1) for a, b in edges.reshape(-1, 2))


def axis_of(axis: vector.Axis) -> _columns.Axis:
    """One axis of a vector."""
    missing = markers(axis.source, axis.missing)
    if isinstance(axis, vector.Scaled):
        return _columns.Scaled(axis.source, missing, axis.centre, axis.unit, axis.limit, axis.knots)
    if isinstance(axis, vector.OneHot):
        return _columns.OneHot(axis.source, missing, levels_of(axis.source, axis.levels))
    return _columns.Flag(axis.source, missing)


def levels_of(source: str, levels: tuple[Level, ...]) -> tuple[Level, ...]:
    """Levels that other languages can hold."""
    return tuple(exact(f"column {source!r}", level) for level in levels)


def markers(source: str, missing: frozenset[Level]) -> tuple[Level, ...]:
    """Markers of missing values, in an order that does not change."""
    return levels_of(source, tuple(sorted(missing, key=lambda v: (type(v).__name__, str(v)))))


def exact(where: str, level: Level) -> Level:
    """A level, if a number in it is one that double precision holds."""
    if isinstance(level, int | float) and not (np.isfinite(float(level)) and float(level) == level):
        raise ValueError(f"{where} has the level {level!r}, which no other language reads exactly; make it text")
    return level


# members


def pool_of(pool: pooled.Pool) -> _plan.Pool:
    """How the members are weighed."""
    told = Model(pool.first.mixture, pool.first.families, pool.tally, pool.prior, pool.class_weight)
    return _plan.Pool(pool.weights, pool.bias_of(), pool.first.log_prior(), told.shift(), pool.doubt)


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
        return _factors.Table(at, power * form.table[:, 1:])
    if isinstance(form, Quadratic):
        return _factors.Normal(at, form.mean[0, 1:], power * form.precision[0, 1:], power * form.constant[0, 1:])
    if isinstance(form, Linear):
        return _factors.Linear(at, power * form.weights[:, 1:], power * form.constant[1:])
    if isinstance(form, Whole) and isinstance(form.density, Normals):
        return multinormal_of(at, form.density, power)
    if isinstance(form, Density) and isinstance(group.family, Poisson):
        rate = form.parameters[0][0, 1:]
        return _factors.Rate(at, power * np.log(rate), power * rate)
    name = type(group.family).__name__.lower()
    raise TypeError(f"column {group.names[0]!r} has a {name} density, which cannot be exported yet")


def multinormal_of(at: int, normals: Normals, power: float) -> _factors.Multinormal:
    """The normals of the classes in units of their columns."""
    unit = tuple(float(u) if np.isfinite(u) else None for u in normals.unit)
    mean: Floats = normals.mean / normals.unit
    if len(normals.whitening) == 1:
        mean = mean @ normals.whitening[0]
    return _factors.Multinormal(at, unit, mean, normals.whitening, normals.constant, power)


# networks


def networks_of(scorer: MixtureScorer, place: dict[str, int]) -> _networks.Networks:
    """The tables with parents, and how they are joined."""
    mixture = scorer.mixture
    shown = scorer.rows_shown
    gate = mixture.minimum - 1e-9
    heard = tuple(tuple((np.arange(len(n)) > 0) & (n >= gate)) for n in shown) if mixture.roots else ()
    return _networks.Networks(
        tuple(place[name] for name in scorer.columns),
        tuple(len(n) for n in shown),
        tuple(nodes_of(scorer.stack, a, b) for a, b in pairwise(scorer.ends)),
        nodes_of(scorer.naive, 0, len(scorer.naive.leaves)),
        tuple(tuple(roots) for roots in scorer.roots.tolist()) if mixture.roots else (),
        tuple(tuple(map(bool, slots)) for slots in heard),
        tuple(scorer.weights.tolist()),
        mixture.combine,
        tuple(implications_of(scorer)) if mixture.subsumption else (),
        MOST_SUMS if not mixture.roots and scorer.sums_out else 0,
    )


def nodes_of(stack: Stack, first: int, last: int) -> tuple[_networks.Node, ...]:
    """The tables of some nodes, each to its power."""
    return tuple(
        _networks.Node(leaf.columns, leaf.power * stack.log(k).reshape(-1, stack.classes))
        for k, leaf in enumerate(stack.leaves[first:last], first)
    )


def implications_of(scorer: MixtureScorer) -> Iterator[_networks.Implication]:
    """The pairs of values of which one says nothing more, once enough rows have shown the other."""
    often = [n >= scorer.mixture.subsumption - 1e-9 for n in scorer.rows_shown]
    for pair in scorer.implications:
        forth = pair.forth & often[pair.first][:, None]
        back = pair.back & often[pair.second] & ~forth
        if forth.any() or back.any():
            yield _networks.Implication(pair.first, pair.second, forth, back)
