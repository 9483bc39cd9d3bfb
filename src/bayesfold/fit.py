"""From a table to a model: discover the schema, count once, done."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from bayesfold.columns import Binned
from bayesfold.count import count
from bayesfold.discover import ColumnReport, ColumnTable, Found, Options, discover, make, name_of
from bayesfold.families.categorical import Categorical
from bayesfold.frame import Coded, Floats, Frame, Level, code
from bayesfold.model import Model, cliques
from bayesfold.schema import Real, Schema, listed
from bayesfold.structures.naive import Naive


@dataclass(frozen=True)
class Recipe:
    """Everything that `learn` may be told."""

    options: Options = field(default_factory=Options)
    schema: Schema | None = None
    classes: Sequence[Level] = ()
    prior: Mapping[Level, float] | Sequence[float] | None = None
    class_weight: Mapping[Level, float] | str | None = None
    powers: Mapping[str, float] = field(default_factory=dict)


def learn(frame: Frame, y: Any, weight: Any, recipe: Recipe) -> tuple[Model, ColumnTable]:
    """A model of the rows, and the table that says what became of each column."""
    labels = coded_labels(y, frame.rows)
    weight, frame, labels = weighed(weight, frame, labels)
    found = given(recipe) if recipe.schema is not None else discover(frame, labels, recipe.options, weight)
    schema = found.schema.with_classes([*labels.levels, *recipe.classes]).grown(frame)
    unknown = set(recipe.powers) - set(schema.columns)
    if unknown:
        raise ValueError(f"weights names columns that are not in the schema: {listed(sorted(unknown))}")
    for name, power in recipe.powers.items():
        if not isinstance(power, int | float) or not np.isfinite(power):
            raise ValueError(f"weights is {power!r} for column {name!r}; an exponent is a finite number")
    mixture = Naive(recipe.powers).learn(schema)
    batch = schema.encode(frame, labels, weight)
    tally = count(schema, cliques(schema, mixture, found.families), batch)
    prior = by_class(recipe.prior, schema.target.levels)
    class_weight = check_weights(recipe.class_weight, () if recipe.options.more_to_come else schema.target.levels)
    return Model(mixture, found.families, tally, prior, class_weight), found.columns


def update(model: Model, frame: Frame, y: Any, weight: Any) -> None:
    """Learn more rows; new levels and classes are welcome."""
    labels = coded_labels(y, frame.rows)
    weight, frame, labels = weighed(weight, frame, labels)
    schema = model.schema.with_classes(labels.levels).grown(frame)
    batch = schema.encode(frame, labels, weight)
    model.learn(batch, schema)


def coded_labels(y: Any, rows: int) -> Coded:
    """Labels by class; a missing label is refused by row."""
    labels = code(y)
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
    if keep.all():
        return w, frame, labels
    if not keep.any():
        raise ValueError("every sample weight is zero, so there is nothing to learn")
    return w[keep], frame.take(keep), labels.take(keep)


def given(recipe: Recipe) -> Found:
    """A schema that was handed over: nothing is discovered, families follow the encodings unless declared."""
    assert recipe.schema is not None
    schema, options = recipe.schema, recipe.options
    families: dict[str, Any] = {schema.target.name: Categorical(options.prior_alpha)}
    report = []
    for column in schema.features:
        learned = column.family if isinstance(column, Real | Binned) else "categorical"
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
            raise ValueError(f"priors lacks the classes {listed(lacking)}")
        values = [float(prior[c]) for c in classes]
    else:
        values = [float(p) for p in prior]
        if len(values) != len(classes):
            raise ValueError(f"priors has {len(values)} entries for {len(classes)} classes: {listed(classes)}")
    if not (min(values) >= 0 and abs(sum(values) - 1) <= 1e-6):
        raise ValueError(f"priors must be at least 0 and sum to 1; they sum to {sum(values):g}")
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
