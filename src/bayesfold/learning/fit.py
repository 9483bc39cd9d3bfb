"""From a table to a model: discover the schema, count once, done."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, islice
from typing import Any, NamedTuple

from bayesfold.data.batch import Batch
from bayesfold.data.frame import Coded, Floats, Frame
from bayesfold.data.schema import Schema
from bayesfold.families.categorical import Categorical
from bayesfold.families.m_estimate import MEstimate
from bayesfold.learning import choices as choose
from bayesfold.learning import exponents
from bayesfold.learning.column_table import ColumnTable
from bayesfold.learning.discover import Found
from bayesfold.learning.gaussian_vector import NAME
from bayesfold.learning.labels_and_weights import by_class, check_row_weights, check_weights, coded_labels
from bayesfold.learning.number_selection import A_CUT_COLUMN, first_least
from bayesfold.learning.readings import readings
from bayesfold.learning.recipe import Recipe, check_choices, check_powers, is_tempered
from bayesfold.models.calibration import NONE
from bayesfold.models.model import Model
from bayesfold.models.plan import cliques
from bayesfold.models.scoring.parent_nodes import all_leaves
from bayesfold.tally.counter import count, count_alike
from bayesfold.tally.layout import MOST_BYTES, Clique, Layout, TooLargeError
from bayesfold.tally.mutual_information import with_class
from bayesfold.tally.statistic import Tally

EARNED = 5.0
"""Nats, over all rows, by which a larger structure must predict rows left out better: it was learned with them."""

SPARSE = 100
"""Cells for each row and column beyond which a structure is not tried if a smaller one was: nearly all are empty."""


def learn(frame: Frame, y: Any, weight: Any, recipe: Recipe) -> tuple[Model, ColumnTable]:
    """A model of the rows, and the table that says what became of each column."""
    model, way = learn_near(frame, y, weight, recipe)
    return model, way.found.columns


def learn_near(frame: Frame, y: Any, weight: Any, recipe: Recipe, near: "Way | None" = None) -> tuple[Model, "Way"]:
    """A model of the rows, and the way in which it reads the columns; `near` is a way that is known to be good.

    A larger structure reads the columns as a smaller one found best; one that is worse by more than it would have to
    earn is the last to be tried.
    """
    check_choices(recipe)
    labels = coded_labels(y, frame.rows)
    weight, frame, labels = check_row_weights(weight, frame, labels)
    structures = recipe.structure if isinstance(recipe.structure, tuple) else (recipe.structure,)
    made: Iterator[Way] = iter(() if near is None else (near,))
    if near is None:
        made = (Way.of(found, frame, labels, weight, recipe) for found in readings(frame, labels, weight, recipe))
    first = [*islice(made, 2)]
    compared = len(first) * len(structures) > 1
    best = best_way(chain(first, made), replace(recipe, structure=structures[0]), compared)
    way = best.way
    earned = EARNED / choose.rows_in(way.batch)
    full = SPARSE * 8.0 * frame.rows * len(way.schema.features)
    with suppress(TooLargeError):  # of a structure and so of those after it
        for structure in structures[1:]:
            bounded = replace(recipe, structure=structure, most_bytes=min(recipe.most_bytes, full))
            larger = best_way([way], bounded, compared, choose.deeper_of(best.model))
            if larger.loss > best.loss + earned:
                break
            best = first_least((best, larger), lambda t: t.loss, earned)
    model, batch = best.model, way.batch
    if recipe.weights == "information":
        names = model.schema.tables
        telling = with_class(count(model.schema, [Clique((n, model.schema.target.name)) for n in names], batch), names)
        model = exponents.weigh_by_information(model, telling, names)
    elif recipe.weights == "auto":
        model, fitted = exponents.fit_weights(model, batch, recipe.hurried, recipe.ridges)
        way = replace(way, ridge=fitted.ridge)
    if recipe.calibration == "temperature" and model.calibration == NONE:
        model = exponents.fit_temperature(model, batch)[0]
    return apply_given_priors(model, recipe), way


def apply_given_priors(model: Model, recipe: Recipe) -> Model:
    """The model with the class probabilities and weights that were given; nothing was chosen under them."""
    classes = model.classes
    prior = by_class(recipe.prior, classes)
    class_weight = check_weights(recipe.class_weight, () if recipe.options.more_to_come else classes)
    if prior is model.prior and class_weight is model.class_weight:
        return model  # with the tables that it has worked out
    return Model(model.mixture, model.families, model.tally, prior, class_weight, model.calibration)


@dataclass(frozen=True)
class Way:
    """One way to read the columns: what was found, the schema, the rows, and what structures have had counted.

    `larger`: it also reads columns that tell nothing by themselves. `ridge` is that under which weights were fitted.
    `asked` is which tally of the known answered for which cliques.
    """

    found: Found
    schema: Schema
    batch: Batch
    larger: bool = False
    ridge: float | None = None
    known: list[Tally] = field(default_factory=list)
    asked: dict[int, tuple[tuple[Clique, ...], Tally]] = field(default_factory=dict)

    @classmethod
    def of(cls, found: Found, frame: Frame, labels: Coded, weight: Floats | None, recipe: Recipe) -> "Way":
        """The rows as they are read in the way that was found."""
        schema = found.schema.with_classes([*labels.levels, *recipe.classes]).grown(frame)
        if recipe.classes:
            schema = schema.declaring(recipe.classes)
        larger = any(c.family and c.name in recipe.options.silent for c in found.columns)
        return cls(found, schema, replace(schema.encode(frame, labels, weight), copies=recipe.options.copies), larger)

    @property
    def price(self) -> float:
        """By how much, in nats a row, this way must predict rows left out better than others that have seen less."""
        cut = {c.name for c in self.found.columns if c.family == "mdl"}
        learned = sum(c.name in cut and len(c.cuts) > 0 for c in self.schema.binned)
        return (A_CUT_COLUMN * learned + EARNED * self.larger) / choose.rows_in(self.batch)

    def count(self, cliques: tuple[Clique, ...], most_bytes: float = MOST_BYTES) -> Tally:
        """A tally of the rows; the same one when another structure asks for the same.

        One that would take more than `most_bytes` is refused.
        """
        if id(cliques) in self.asked:  # k-dependence asks for each number of parents
            return self.asked[id(cliques)][1]
        for tally in self.known:
            if tally.layout.cliques is cliques or all(map(tally.layout.places.__contains__, cliques)):
                self.asked[id(cliques)] = cliques, tally
                return tally
        layout = Layout(self.schema, cliques)
        layout.check(most_bytes)
        self.known.append(count_alike(layout, self.batch))
        return self.known[-1]

    def tally(self, cliques: tuple[Clique, ...], most_bytes: float = MOST_BYTES) -> Tally:
        """A tally of just these cliques; what a structure has had counted is not counted again."""
        known = self.known
        if not known:
            return self.count(cliques, most_bytes)
        layout = Layout(self.schema, cliques)
        layout.check(most_bytes)
        lacking = [c for c in cliques if not any(c in tally.layout.places for tally in known)]
        if len(lacking) == len(cliques):
            return count_alike(layout, self.batch)
        return Tally.side_by_side(layout, [*known, count(self.schema, lacking, self.batch)] if lacking else known)


class Tried(NamedTuple):
    """The model of one way to read the columns, that way, and the held-out loss if it was needed."""

    model: Model
    way: Way
    loss: float


def best_way(ways: Iterable[Way], recipe: Recipe, compared: bool, near: float | None = None) -> Tried:
    """The way to read the columns under which a structure predicts rows left out best, each with its best smoothing.

    That is sought from `near` on, and for further ways from where the first had it. A way that also reads columns that
    tell nothing by themselves is first tried with one covariance for all classes: if that is worse by more than it
    would have to earn, neither it nor any after it, which read them too, is looked at.
    """
    best: Tried | None = None
    for way in ways:
        if best is None:
            best = count_way(way, recipe, compared, near)
            near = choose.deeper_of(best.model)
            continue
        if way.larger and recipe.normal is not None:
            shared = replace(recipe, normal=replace(recipe.normal, tied=(max(recipe.normal.tied),)))
            if count_way(way, shared, compared, near).loss > best.loss + EARNED / choose.rows_in(way.batch):
                break
        best = min(best, count_way(way, recipe, compared, near), key=lambda tried: tried.loss)
    assert best is not None
    return best


def count_way(way: Way, recipe: Recipe, compared: bool, near: float | None) -> Tried:
    """What comes of one way to read the columns; its smoothing is sought from `near` on, None: from the middle."""
    found, schema, batch = way.found, way.schema, way.batch
    powers = recipe.weights if isinstance(recipe.weights, Mapping) else {}
    check_powers(powers, schema)
    mixture = recipe.structure.learn(schema, partial(way.count, most_bytes=recipe.most_bytes))
    if recipe.weights == "auto":  # under exponents there is nothing to sum: choose as the model will be used
        mixture = replace(mixture, sum_out=False)
    if powers:
        named = {c.name: powers.get(c.name, 1.0) for c in (schema.target, *schema.features)}
        mixture = replace(mixture, networks=tuple(exponents.powered(n, named) for n in mixture.networks))
    deep = any(all_leaves(mixture.networks, schema.target.name))
    families = dict(found.families)
    if deep:
        alpha = recipe.options.alpha
        pseudo_rows = MEstimate(choose.weight_of_a_row(batch), near)
        families |= dict.fromkeys(schema.tables, pseudo_rows if alpha == "auto" else Categorical(alpha))
    tally = way.tally(cliques(schema, mixture, families), recipe.most_bytes)
    model, loss = choose.texts_smoothed(Model(mixture, families, tally), batch), 0.0
    tempered = is_tempered(recipe)
    if recipe.one_network and len(mixture.networks) > 1:
        mixture = choose.best_network(model, batch, tempered)
        tally = count(schema, cliques(schema, mixture, families), batch)
        model = Model(mixture, families, tally)
    if recipe.normal is not None:
        tried = recipe.normal.tied, recipe.normal.diagonal
        model, loss = choose.shrunk(model, batch, NAME, recipe.normal.start, *tried, compared)
        model = model if recipe.calibration == "temperature" else exponents.calibrated(model, NONE)
    elif deep and recipe.options.alpha == "auto":
        model, loss = choose.smoothed(model, batch, schema.tables, tempered, recipe.deeper, compared)
    elif deep and compared:
        loss = choose.held_out_loss(model, choose.rows_left_out(model, batch, choose.FEW), tempered)
    if recipe.selective:
        names = schema.tables
        told = with_class(count(schema, [Clique((n, schema.target.name)) for n in names], batch), names)
        model, loss = exponents.select_columns(model, batch, dict(zip(names, told.tolist(), strict=True)), tempered)
    return Tried(model, way, loss + way.price)
