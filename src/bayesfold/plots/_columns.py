"""What each value of each column says, for models whose columns add up: log P(value | class), times its exponent."""

from collections.abc import Container
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np

from bayesfold.data.batch import Batch, Panel
from bayesfold.data.encodings import Counts
from bayesfold.data.frame import Floats, Frame, Level
from bayesfold.data.graph import Mixture
from bayesfold.data.schema import Schema
from bayesfold.explanations.candidate_values import grids_of, is_additive, levels_of
from bayesfold.explanations.inner_range import members_of
from bayesfold.families.poisson import Poisson
from bayesfold.learning.intervals import bin_words
from bayesfold.models.model import Model
from bayesfold.models.plan import cliques
from bayesfold.runtime.unique import distinct

MOST_BINS = 10
"""So many bins have a name each; more are drawn as steps."""


@dataclass(frozen=True)
class ColumnLikelihood:
    """Values of a column, and log P(value | class) of each, [value, class]; of a count, less that of count 0."""

    name: str
    values: tuple[Any, ...]
    is_number: bool
    is_count: bool
    log_p: Floats


def require_additive(clf: Any) -> Model:
    """The model of a classifier whose columns add up; others are refused."""
    model = require_fitted(clf)
    if is_additive(model):
        return cast(Model, model)
    kind = clf.settings.estimator if hasattr(clf, "settings") else type(clf).__name__
    raise ValueError(
        f"this picture shows columns one by one, but in this {kind} columns depend on each other, or several models "
        "are combined; draw the waterfall of a row's explanation, or this picture of a NaiveBayes"
    )


def find_naive(clf: Any) -> Model:
    """Textbook naive Bayes as a classifier has it: itself or the part of a pool, without exponents; else refused."""
    model = require_fitted(clf)
    naive = next((member for member in members_of(model) if is_naive(member)), None)
    return require_additive(clf) if naive is None else drop_exponents(naive)


def is_naive(model: Model) -> bool:
    """Whether it is one network whose columns have no parent but the class."""
    target, networks = model.schema.target.name, model.mixture.networks
    return len(networks) == 1 and not model.has_vector and all(set(n.parents) <= {target} for n in networks[0])


def drop_exponents(model: Model) -> Model:
    """A naive Bayes as in the textbook, on the columns whose values it reads."""
    names = {c.name for c in model.schema.features if c not in model.schema.presences} | {model.schema.target.name}
    network = tuple(replace(n, power=1.0) for n in model.mixture.networks[0] if names.issuperset(n.children))
    names = {child for node in network for child in node.children}
    schema = Schema(model.schema.target, tuple(c for c in model.schema.features if c.name in names))
    mixture, families = Mixture((network,)), {name: model.families[name] for name in names}
    return Model(mixture, families, model.tally.on(schema, cliques(schema, mixture, families)))


def restrict_to(model: Model, source: str) -> Model:
    """A model whose columns add up, of one source column alone: what it says of that is what the whole model says."""
    own = {c.name for c in model.schema.features if c.origin == source}
    target = model.schema.target.name
    network = tuple(n for n in model.mixture.networks[0] if own.union((target,)).issuperset(n.children))
    schema = Schema(model.schema.target, tuple(c for c in model.schema.features if c.name in own))
    mixture, families = Mixture((network,)), {name: model.families[name] for name in (*own, target)}
    tally = model.tally.on(schema, cliques(schema, mixture, families))
    return Model(mixture, families, tally, model.prior, model.class_weight, model.calibration)


def require_fitted(clf: Any) -> Any:
    """The model of a classifier that has learned something."""
    if not hasattr(clf, "model_"):
        raise ValueError(f"this {type(clf).__name__} has not learned anything yet; call fit first")
    return clf.model_


def column_likelihoods(
    model: Model, points: int, smooth: bool = False, only: Container[str] | None = None
) -> tuple[tuple[Level, ...], Floats, tuple[ColumnLikelihood, ...]]:
    """The classes, what is said of them whatever the columns show, and what each column says.

    A source that is read in several ways says the sum of what they say. With `smooth`, densities of whole numbers are
    asked between them too: a curve through few points has corners that the density has not. Of
    these sources `only`, or of all.
    """
    known = levels_of(model, missing=True)
    drawn = grids_of(model, points, density_sources(model) if smooth else ())
    bins = bins_by_source(model)
    columns: list[ColumnLikelihood] = []
    parts = frozenset(model.parts)
    base = model.log_prior()
    for source in model.schema.sources:
        in_bins = source in bins
        values = bins[source][0] if in_bins else known.get(source, [])
        values = values or drawn.get(source, np.empty(0)).tolist()
        if source in parts and values and (only is None or source in only):
            by_itself = restrict_to(model, source)
            lines = by_itself.contributions(by_itself.schema.encode(Frame.of({source: values})))
            log_p = lines[:, by_itself.parts.index(source)]
            words = bins[source][1] if in_bins else name_missing(values)
            columns.append(ColumnLikelihood(source, words, source in drawn and not in_bins, False, log_p))
            base = sum_own_lines(by_itself, lines)
    for column in model.schema.counts:
        for k, source in enumerate(column.sources):
            lines, says = count_likelihood(model, column, k, drawn[source])
            columns.append(says)
        base = sum_own_lines(model, lines) + lines[0, model.parts.index(column.name)]
    return model.classes, base, tuple(columns)


def density_sources(model: Model) -> set[str]:
    """The source columns of numbers that have a density; a Poisson's are probabilities of whole numbers alone."""
    return {c.origin for c in model.schema.numbers if not isinstance(model.families[c.name], Poisson)}


def bins_by_source(model: Model) -> dict[str, tuple[list[float | None], tuple[str, ...]]]:
    """A number of each bin, and the bins in words, of source columns read as a few bins and in no other way."""
    bins_of: dict[str, tuple[list[float | None], tuple[str, ...]]] = {}
    for c in model.schema.binned:
        if c.is_table and len(c.cuts) < MOST_BINS:
            below = float(np.nextafter(c.cuts[0], -np.inf)) if c.cuts else 0.0
            hole = [None] if c.holes else []
            bins_of[c.origin] = ([below, *c.cuts, *hole], (*bin_words(c.cuts), *("missing" for _ in hole)))
    twice = [c.origin for c in (*model.schema.categories, *model.schema.numbers)]
    return {source: bins for source, bins in bins_of.items() if source not in twice}


def name_missing(values: list[Any]) -> tuple[Any, ...]:
    """Values in words, where a missing one is a value."""
    return tuple("missing" if v is None else v for v in values)


def sum_own_lines(model: Model, lines: Floats) -> Floats:
    """The sum of the lines that are no column's, in a row that shows something."""
    own = {*model.schema.sources, *(c.name for c in model.schema.counts)}
    return np.asarray(lines[0, [i for i, part in enumerate(model.parts) if part not in own]].sum(axis=0))


def count_likelihood(model: Model, column: Counts, k: int, grid: Floats) -> tuple[Floats, ColumnLikelihood]:
    """The lines of rows that show one column of a block of counts alone, and what it says beyond a row of zeros."""
    values = distinct(np.concatenate([[0.0], grid]))
    from scipy.sparse import csr_array  # it is slow to load, and most tables do without

    block = csr_array((values, np.full(len(values), k), np.arange(len(values) + 1)), (len(values), column.width))
    lines = model.contributions(Batch(len(values), counts=(Panel((column.name,), block),)))
    log_p = lines[:, model.parts.index(column.name)]
    return lines, ColumnLikelihood(column.sources[k], tuple(values.tolist()), True, True, log_p - log_p[:1])
