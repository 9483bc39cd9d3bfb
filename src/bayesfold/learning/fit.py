"""From a table to a model: discover the schema, count once, done."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from bayesfold.data.batch import Batch
from bayesfold.data.encodings import Binned, Presence, Real
from bayesfold.data.frame import Coded, Floats, Frame, Level, code
from bayesfold.data.own_names import own_name
from bayesfold.data.schema import Block, Schema
from bayesfold.data.text.column import Words
from bayesfold.data.vector import Vector
from bayesfold.families._covariance import Shrinkage
from bayesfold.families.categorical import Categorical
from bayesfold.families.m_estimate import MEstimate
from bayesfold.learning import choices as choose
from bayesfold.learning.column_table import ColumnReport, ColumnTable
from bayesfold.learning.discover import Found, discover, with_holes_as_values
from bayesfold.learning.gaussian_vector import FARTHEST, NAME, gathered
from bayesfold.learning.holes import by_class as holes_by_class
from bayesfold.learning.holes import strength
from bayesfold.learning.number_selection import first_least
from bayesfold.learning.one_column import Options, make, name_of
from bayesfold.models.model import Model
from bayesfold.models.plan import cliques
from bayesfold.models.scoring.parent_nodes import leaves_of
from bayesfold.models.structures.naive import Naive
from bayesfold.runtime.messages import listed
from bayesfold.tally.counter import add_rows, count
from bayesfold.tally.layout import MOST_BYTES, Clique, Layout, TooLargeError
from bayesfold.tally.mutual_information import with_class
from bayesfold.tally.statistic import Tally

LARGEST_WEIGHT = 1e100
"""Of a row; the smallest is 1 / LARGEST_WEIGHT."""

LARGEST_POWER = 1e6
"""Exponents on likelihoods beyond this one would only turn sums of logs into infinities."""

EARNED = 5.0
"""Nats, over all rows, by which a larger structure must predict rows left out better: it was learned with them."""

A_CUT_COLUMN = 3.0
"""... and cuts that were learned with the rows' classes, for each column that has some."""

ALL_TOGETHER = 200
"""Columns up to which a covariance of those that tell nothing by themselves is tried too."""

SPARSE = 100
"""Cells for each row and column beyond which a structure is not tried if a smaller one was: nearly all are empty."""


@dataclass(frozen=True)
class Normal:
    """The covariances to choose from: shares of the tied one and of its diagonal, numbers as they are or by rank."""

    tied: tuple[float, ...] = (0.0, 0.1, 0.5, 1.0)
    diagonal: tuple[float, ...] = (0.01, 0.1, 0.3)
    start: Shrinkage = Shrinkage(pseudo_rows=4.0)  # noqa: RUF009  (it is frozen)
    ranks: tuple[bool, ...] = (False, True)
    limit: float = FARTHEST
    screened: tuple[bool, ...] = (True, False)  # only columns that tell by themselves, or also those that do not


@dataclass(frozen=True)
class Recipe:
    """Everything that `learn` may be told."""

    options: Options = field(default_factory=Options)
    schema: Schema | None = None
    classes: Sequence[Level] = ()
    prior: Mapping[Level, float] | Sequence[float] | None = None
    class_weight: Mapping[Level, float] | str | None = None
    structure: Any = field(default_factory=Naive)  # or several, ever larger, of which the best held-out score is kept
    weights: Mapping[str, float] | str | None = None  # exponents by column; "information"; "auto": by held-out rows
    calibration: str | None = None
    deeper: tuple[float, ...] = choose.DEEPER  # pseudo rows of tables with parents, to choose from
    hurried: bool = False  # fit weights under ever weaker ridges only until one is no better
    normal: Normal | None = None  # all columns as one vector, normal in each class
    one_network: bool = False  # of a structure's networks, keep the one with the least held-out loss
    selective: bool = False  # only as many columns as predict held-out rows best, the most telling first
    most_bytes: float = np.inf  # more than this the tables may not take


def learn(frame: Frame, y: Any, weight: Any, recipe: Recipe) -> tuple[Model, ColumnTable]:
    """A model of the rows, and the table that says what became of each column."""
    check_choices(recipe)
    labels = coded_labels(y, frame.rows)
    weight, frame, labels = weighed(weight, frame, labels)
    structures = recipe.structure if isinstance(recipe.structure, tuple) else (recipe.structure,)
    ways = [Way.of(found, frame, labels, weight, recipe) for found in readings(frame, labels, weight, recipe)]
    compared = len(ways) * len(structures) > 1
    tried = [best_way(ways, replace(recipe, structure=structures[0]), compared)]
    full = SPARSE * 8.0 * frame.rows * len(ways[0].schema.features)
    with suppress(TooLargeError):  # of a structure and so of those after it
        for structure in structures[1:]:
            bounded = replace(recipe, structure=structure, most_bytes=min(recipe.most_bytes, full))
            tried.append(best_way(ways, bounded, compared))
    earned = EARNED / choose.rows_in(ways[0].batch)
    model, way, _ = first_least(tried, lambda t: t.loss, earned)
    batch, columns = way.batch, way.found.columns
    if recipe.weights == "information":
        names = model.schema.tables
        telling = with_class(count(model.schema, [Clique((n, model.schema.target.name)) for n in names], batch), names)
        model = choose.informed(model, telling, names)
    elif recipe.weights == "auto":
        model = choose.weighed(model, batch, recipe.hurried)[0]
    if recipe.calibration == "temperature":
        model = choose.tempered(model, batch)[0]
    return told(model, recipe), columns


def told(model: Model, recipe: Recipe) -> Model:
    """The model with the class probabilities and weights that were given; nothing was chosen under them."""
    classes = model.classes
    prior = by_class(recipe.prior, classes)
    class_weight = check_weights(recipe.class_weight, () if recipe.options.more_to_come else classes)
    return Model(model.mixture, model.families, model.tally, prior, class_weight, model.calibration)


@dataclass(frozen=True)
class Way:
    """One way to read the columns: what was found, the schema, the rows, and what structures have had counted.

    `larger`: it also reads columns that tell nothing by themselves.
    """

    found: Found
    schema: Schema
    batch: Batch
    larger: bool = False
    known: dict[Any, Tally] = field(default_factory=dict)

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
        cut = [self.schema.columns.get(c.name) for c in self.found.columns if c.family == "mdl"]
        learned = sum(isinstance(column, Binned) and len(column.cuts) > 0 for column in cut)
        return (A_CUT_COLUMN * learned + EARNED * self.larger) / choose.rows_in(self.batch)

    def count(self, cliques: tuple[Clique, ...]) -> Tally:
        """A tally of the rows; the same one when another structure asks for the same."""
        if cliques not in self.known:
            self.known[cliques] = count(self.schema, cliques, self.batch)
        return self.known[cliques]

    def tally(self, cliques: tuple[Clique, ...]) -> Tally:
        """A tally that is the caller's own; what a structure has had counted is not counted again."""
        known = [*self.known.values()]
        if not known:
            return count(self.schema, cliques, self.batch)
        lacking = [c for c in cliques if not any(c in tally.layout.offsets for tally in known)]
        if len(lacking) == len(cliques):
            return count(self.schema, cliques, self.batch)
        return Tally.side_by_side(cliques, [*known, count(self.schema, lacking, self.batch)] if lacking else known)


class Tried(NamedTuple):
    """The model of one way to read the columns, that way, and the held-out loss if it was needed."""

    model: Model
    way: Way
    loss: float


def best_way(ways: Sequence[Way], recipe: Recipe, compared: bool) -> Tried:
    """The way to read the columns under which a structure predicts rows left out best.

    They are compared under the smoothing that is best for the first, which is then sought again for the best.
    """
    first = counted(ways[0], recipe, compared)
    deeper = choose.deeper_of(first.model)
    same = recipe if deeper is None else replace(recipe, deeper=(deeper,))
    best = min([first, *[counted(way, same, compared) for way in ways[1:]]], key=lambda t: t.loss)
    if best is first or deeper is None:
        return best
    names, tempered = best.model.schema.tables, is_tempered(recipe)
    model, loss = choose.smoothed(best.model, best.way.batch, names, tempered, recipe.deeper)
    return best._replace(model=model, loss=loss + best.way.price)


def is_tempered(recipe: Recipe) -> bool:
    """Whether the model will have a temperature, so that choices are made under the best one."""
    return recipe.calibration is not None or recipe.weights == "auto"


def counted(way: Way, recipe: Recipe, compared: bool) -> Tried:
    """What comes of one way to read the columns."""
    found, schema, batch = way.found, way.schema, way.batch
    powers = recipe.weights if isinstance(recipe.weights, Mapping) else {}
    check_powers(powers, schema)
    mixture = recipe.structure.learn(schema, way.count)
    if recipe.weights == "auto":  # under exponents there is nothing to sum: choose as the model will be used
        mixture = replace(mixture, sum_out=False)
    if powers:
        named = {c.name: powers.get(c.name, 1.0) for c in (schema.target, *schema.features)}
        mixture = replace(mixture, networks=tuple(choose.powered(n, named) for n in mixture.networks))
    deep = any(leaves_of(network, schema.target.name) for network in mixture.networks)
    families = dict(found.families)
    if deep:
        alpha = recipe.options.alpha
        families |= dict.fromkeys(schema.tables, MEstimate() if alpha == "auto" else Categorical(alpha))
    wanted = cliques(schema, mixture, families)
    if recipe.most_bytes < MOST_BYTES:
        Layout(schema, wanted).check(recipe.most_bytes)
    tally = way.tally(wanted)
    model, loss = choose.texts_smoothed(Model(mixture, families, tally), batch), 0.0
    tempered = is_tempered(recipe)
    if recipe.one_network and len(mixture.networks) > 1:
        mixture = choose.best_network(model, batch, tempered)
        tally = count(schema, cliques(schema, mixture, families), batch)
        model = Model(mixture, families, tally)
    if recipe.normal is not None:
        tried = recipe.normal.tied, recipe.normal.diagonal
        model, loss = choose.shrunk(model, batch, NAME, recipe.normal.start, *tried, compared)
    elif deep and recipe.options.alpha == "auto":
        model, loss = choose.smoothed(model, batch, schema.tables, tempered, recipe.deeper, compared)
    elif deep and compared:
        loss = choose.held_out_loss(model, choose.asked(model, batch, choose.FEW), tempered)
    if recipe.selective:
        names = schema.tables
        told = with_class(count(schema, [Clique((n, schema.target.name)) for n in names], batch), names)
        model, loss = choose.selected(model, batch, dict(zip(names, told.tolist(), strict=True)), tempered)
    return Tried(model, way, loss + way.price)


def readings(frame: Frame, labels: Coded, weight: Floats | None, recipe: Recipe) -> Iterator[Found]:
    """The ways to read the columns that are to be compared: of tables, two kinds of bins, holes skipped or a value."""
    options = recipe.options
    if recipe.schema is not None:
        yield given(recipe)
    elif recipe.normal is not None:
        for found in telling_or_all(frame, labels, weight, options, recipe.normal.screened):
            numbers = any(isinstance(c, Real) for c in found.schema.features)
            for ranks in recipe.normal.ranks if numbers else (False,):
                yield gathered(found, frame, weight, ranks, recipe.normal.limit, options.missing_as != "skip")
    elif isinstance(recipe.structure, Naive):
        if recipe.weights == "auto":
            found = discover(frame, labels, replace(options, missing_as="skip", together=False), weight)
            yield found if options.missing_as == "skip" else with_presence(found, frame, labels, weight, options.copies)
        else:
            yield discover(frame, labels, options, weight)
    else:
        options = replace(options, silent={**options.silent, **options.shallow})
        holes = ("skip", "value") if options.missing_as == "auto" else (options.missing_as,)
        seen: list[Schema] = []
        for numeric in ("mdl", "quintiles") if options.numeric == "auto" else (options.numeric,):
            first = discover(frame, labels, replace(options, numeric=numeric, missing_as=holes[0]), weight)
            values_too = len(holes) > 1 and not options.more_to_come
            both = (
                (first, with_holes_as_values(first, frame, labels, weight, options.copies)) if values_too else (first,)
            )
            for found in both:
                if found.schema not in seen:
                    seen.append(found.schema)
                    yield found
            if not any(isinstance(column, Binned) for column in first.schema.features):
                break  # there is nothing to cut in another way


def telling_or_all(
    frame: Frame, labels: Coded, weight: Floats | None, options: Options, screened: tuple[bool, ...]
) -> Iterator[Found]:
    """The columns that tell by themselves, and all, where that differs: some tell only beside others.

    A covariance of all columns is not tried where they are very many.
    """
    options = replace(options, numeric="gaussian", missing_as="skip")
    if not options.silent or len(frame.names) > ALL_TOGETHER:
        screened = (True,)
    for only in screened:
        yield discover(frame, labels, options if only else replace(options, silent={}), weight)


def with_presence(found: Found, frame: Frame, labels: Coded, weight: Floats | None, copies: bool) -> Found:
    """One more column for each that has missing cells: whether it has a value. It has no weight until it earns one.

    Its table is pulled to the share over all classes, the more the less these are known to differ.
    """
    features = list(found.schema.features)
    slots = Schema(found.schema.target).encode_labels(labels)
    assert slots is not None
    families = dict(found.families)
    for column in found.schema.features:
        if isinstance(column, Block | Presence):
            continue
        number = isinstance(column, Real | Binned)
        called = own_name({*families, *found.schema.sources}, f"{column.name} is missing")
        missing = Presence(called, column.source or column.name, column.missing, number)
        absent = missing.encode(frame) == 2
        if absent.any():
            features.append(missing)
            counts = holes_by_class(absent, slots.astype(np.intp) - 1, weight, copies)
            families[missing.name] = MEstimate(strength(*counts))
    return replace(found, schema=replace(found.schema, features=tuple(features)), families=families)


def check_choices(recipe: Recipe) -> None:
    """Refuse words that are no choice."""
    if isinstance(recipe.weights, str) and recipe.weights not in ("auto", "information"):
        raise ValueError(
            f"weights={recipe.weights!r} is not None, 'auto', 'information' or a dict of exponents by column"
        )
    if recipe.calibration not in (None, "temperature"):
        raise ValueError(f"calibration={recipe.calibration!r} is not None or 'temperature'")


def check_powers(powers: Mapping[str, float], schema: Schema) -> None:
    """Refuse exponents of columns there are not, or that are no numbers."""
    unknown = set(powers) - set(schema.columns)
    if unknown:
        raise ValueError(f"weights names columns that are not in the schema: {listed(sorted(unknown))}")
    for name, power in powers.items():
        if not isinstance(power, int | float) or not abs(power) <= LARGEST_POWER:
            raise ValueError(
                f"weights is {power!r} for column {name!r}; an exponent is a number of at most {LARGEST_POWER:g}"
            )


def update(model: Model, frame: Frame, y: Any, weight: Any) -> None:
    """Learn more rows; new levels and classes are welcome."""
    labels = coded_labels(y, frame.rows)
    weight, frame, labels = weighed(weight, frame, labels)
    schema = model.schema.with_classes(labels.levels).grown(frame)
    batch = schema.encode(frame, labels, weight)
    model.learn(batch, schema)


def added(
    tally: Tally, frame: Frame, labels: Coded, weight: Any, check: Callable[[Schema], None] | None = None
) -> Tally:
    """A tally with one more block of rows in it; `check` may refuse the schema that new levels and classes make."""
    if weight is not None and not weight.any():
        return tally
    weight, frame, labels = weighed(weight, frame, labels)
    schema = tally.schema.with_classes(labels.levels).grown(frame)
    if schema is not tally.schema:
        if check is not None:
            check(schema)
        tally = tally.on(schema)
    add_rows(tally, schema.encode(frame, labels, weight), few=0)
    return tally


def coded_labels(y: Any, rows: int) -> Coded:
    """Labels by class; a missing label is refused by row."""
    labels = y if isinstance(y, Coded) else code(y)
    if len(labels) != rows:
        raise ValueError(f"there are {rows} rows but {len(labels)} labels")
    if rows == 0:
        raise ValueError("there are no rows to learn from")
    missing = labels.first_missing()
    if missing is not None:
        raise ValueError(f"row {missing} has no label; leave out rows whose class is unknown")
    return labels


def weighed(weight: Any, frame: Frame, labels: Coded) -> tuple[Floats | None, Frame, Coded]:
    """Checked weights; rows of weight zero are dropped before anything is learned from them."""
    if weight is None:
        return None, frame, labels
    w = np.ascontiguousarray(weight, np.float64).ravel()
    if len(w) != frame.rows:
        raise ValueError(f"there are {frame.rows} rows but {len(w)} weights")
    if not np.isfinite(w).all() or (w < 0).any():
        row = int(np.flatnonzero(~np.isfinite(w) | (w < 0))[0])
        raise ValueError(f"row {row} has the weight {w[row]}; weights must be finite and at least 0")
    keep = w > 0
    odd = keep & ((w < 1 / LARGEST_WEIGHT) | (w > LARGEST_WEIGHT))
    if odd.any():
        row = int(odd.argmax())
        raise ValueError(
            f"row {row} has the weight {w[row]}; weights are 0, or from {1 / LARGEST_WEIGHT:g} to {LARGEST_WEIGHT:g}, "
            "beyond which their sums and squares are no numbers; scale them"
        )
    if keep.all():
        return w, frame, labels
    if not keep.any():
        raise ValueError("every sample weight is zero, so there is nothing to learn")
    return w[keep], frame.take(keep), labels.take(keep)


def given(recipe: Recipe) -> Found:
    """A schema that was handed over: nothing is discovered, families follow the encodings unless declared."""
    assert recipe.schema is not None
    schema, options = recipe.schema.all_declared(), recipe.options
    vectors = [isinstance(column, Vector) for column in schema.features]
    if schema.features and (recipe.normal is not None) != all(vectors):
        raise ValueError(
            "this schema is that of another kind of model: Gaussian Bayes reads all columns as one vector, and other "
            "models read none so; give the schema_ of a model of the same class"
        )
    families: dict[str, Any] = {schema.target.name: Categorical(options.prior_alpha)}
    report = []
    for column in schema.features:
        block = "multinormal" if isinstance(column, Vector) else "text" if isinstance(column, Words) else "categorical"
        learned = column.family if isinstance(column, Real | Binned) else block
        families[column.name] = make(options.families.get(column.name, learned), options)
        report.append(ColumnReport(column.name, name_of(families[column.name]), "given by schema="))
    return Found(schema, families, ColumnTable(report))


def by_class(prior: Any, classes: tuple[Level, ...]) -> dict[Level, float] | None:
    """Class probabilities that were given, by class and checked."""
    if prior is None:
        return None
    if isinstance(prior, Mapping):
        lacking = [c for c in classes if c not in prior]
        if lacking:
            raise ValueError(f"the priors lack {listed(lacking)}: every class needs a probability")
        values = [float(prior[c]) for c in classes]
    else:
        values = [float(p) for p in prior]
        if len(values) != len(classes):
            raise ValueError(f"priors has {len(values)} entries for {len(classes)} classes: {listed(classes)}")
    if not (min(values) >= 0 and abs(sum(values) - 1) <= 1e-6):
        strangers = [c for c in prior if c not in classes] if isinstance(prior, Mapping) else []
        hint = f" without {listed(strangers)}; the classes are {listed(classes)}" if strangers else ""
        raise ValueError(f"priors must be at least 0 and sum to 1; they sum to {sum(values):g}{hint}")
    return dict(zip(classes, values, strict=True))


def check_weights(class_weight: Any, classes: tuple[Level, ...]) -> Any:
    """Class weights: a dict by class, "balanced", or none; a class that is not among `classes` (if any) is refused."""
    if isinstance(class_weight, Mapping):
        strangers = [c for c in class_weight if classes and c not in classes]
        if strangers:
            raise ValueError(f"class_weight names {listed(strangers)}; the classes are {listed(classes)}")
        odd = [c for c, w in class_weight.items() if not 0 <= w < np.inf]
        if odd:
            raise ValueError(
                f"class_weight is {class_weight[odd[0]]!r} for {odd[0]!r}; weights are at least 0 and finite"
            )
    elif class_weight is not None and class_weight != "balanced":
        raise ValueError(f"class_weight={class_weight!r} is not None, 'balanced' or a dict of a weight by class")
    return class_weight
