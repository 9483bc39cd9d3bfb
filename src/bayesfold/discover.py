"""What each column is, and why: categories, numbers and their density, or left out.

Declared families win. Text and truth values are categories. A number's density is the one under which the column alone
best predicts the class of rows it has not seen (leave-one-out, on at most `SAMPLE` rows).

>>> from bayesfold.frame import Frame
>>> f = Frame.of({"pet": ["cat", "dog"] * 30, "mass": [4.0, 30.0] * 30, "one": [1] * 60})
>>> found = discover(f, Frame.of({"y": ["m", "w"] * 30}).coded("y"), Options())
>>> found.columns
column  family       why
pet     categorical  text
mass    gaussian     best held-out density of gaussian, lognormal, poisson, categorical
one     -            left out: every row has the value 1
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from bayesfold.count import count
from bayesfold.families import Family, find, names
from bayesfold.families.categorical import Categorical
from bayesfold.frame import Coded, Floats, Frame, Level, is_text
from bayesfold.schema import (
    Batch,
    Categories,
    Column,
    Counts,
    Real,
    Schema,
    listed,
    ordered,
    refuse_infinity,
    refuse_negative,
)
from bayesfold.score import Group, Scorer
from bayesfold.tally import Clique
from bayesfold.threads import each

SAMPLE = 8_192
MOST_LEVELS = 65_536
FEW_LEVELS = 64
ROWS_A_LEVEL = 5  # with fewer, leaving a row out betrays its class by the one count that is gone
CANDIDATES = ("gaussian", "lognormal", "poisson", "categorical")


@dataclass(frozen=True)
class Options:
    """How to read columns: `families` by column, `numeric` for the other numbers, `missing` markers, smoothing."""

    families: Mapping[str, Any] = field(default_factory=dict)
    numeric: str = "auto"
    missing: Any = None
    alpha: float | str = 1.0
    prior_alpha: float | str = 1.0
    more_to_come: bool = False  # these are the first rows of a stream: a column that is constant so far is kept


@dataclass(frozen=True)
class ColumnReport:
    """One line of the column table."""

    name: str
    family: str
    why: str


class ColumnTable(tuple[ColumnReport, ...]):
    """The column table: one line a column; prints as a table."""

    __slots__ = ()

    def __repr__(self) -> str:
        lines = [("column", "family", "why"), *((c.name, c.family or "-", c.why) for c in self)]
        wide = [max(len(line[i]) for line in lines) for i in range(2)]
        return "\n".join(f"{name:{wide[0]}}  {family:{wide[1]}}  {why}" for name, family, why in lines)


@dataclass(frozen=True)
class Found:
    """A schema, each column's family, and the column table."""

    schema: Schema
    families: dict[str, Any]
    columns: ColumnTable


def discover(frame: Frame, labels: Coded, options: Options, weight: Floats | None = None) -> Found:
    """The schema of a table; a row of weight w says as much as w copies of it.

    The two differ only past `SAMPLE` rows, of which some are looked at: the copies are thinned, a weight is not.
    """
    frame_knows(frame, options)
    target = Categories("class" if "class" not in frame.names else "class label", ordered(labels.levels))
    families: dict[str, Any] = {target.name: Categorical(options.prior_alpha)}
    columns: list[Column] = []
    report: list[ColumnReport] = []
    left_out: dict[str, str] = {}
    each(lambda name: read(frame, name, options), frame.names)  # side by side; the frame keeps what was read
    for name in frame.names:
        column, family, why = one_column(frame, name, options, weight)
        if column is None:
            left_out[name] = why
        else:
            columns.append(column)
            families[column.name] = family
        report.append(ColumnReport(name, "" if column is None else name_of(family), why))
    schema = Schema(target, tuple(columns), left_out)
    undecided = [c for c in columns if families[c.name] is None]
    if undecided:
        choose(frame, labels, weight, schema, families, undecided, report, options)
        schema = replace(schema, features=tuple(settled(frame, c, families) for c in columns))
    return Found(schema, families, ColumnTable(report))


def read(frame: Frame, name: str, options: Options) -> Any:
    """A column as its kind will need it."""
    discrete = kind_of(frame.column(name)) != "number" or options.families.get(name) == "categorical"
    return frame.coded(name) if discrete else frame.numbers(name)


def frame_knows(frame: Frame, options: Options) -> None:
    """Refuse options that name a column the table does not have, or a family there is not."""
    frame.require(options.families)
    frame.require(k for k in (options.missing if isinstance(options.missing, Mapping) else ()) if k != "*")
    if options.numeric != "auto" and options.numeric not in CANDIDATES:
        raise ValueError(f"numeric={options.numeric!r} is not one of 'auto', {listed(CANDIDATES)}")


def markers(missing: Any, name: str, levels: Iterable[Level] = ()) -> frozenset[Level]:
    """The values that mean "missing" in a column: missing= is a value, several, or a dict by column ("*": all).

    0 does not mark the level False, nor False the level 0, though they are equal in Python.

    >>> sorted(markers({"*": "?", "Glucose": [0, -1]}, "Glucose"), key=str)
    [-1, 0, '?']
    >>> markers(["?", 0], "Smoker", [False, True])
    frozenset({'?'})
    """
    if missing is None:
        return frozenset()
    if isinstance(missing, Mapping):
        some = [*several(missing.get("*", ())), *several(missing.get(name, ()))]
    else:
        some = several(missing)
    level = {v: v for v in levels}
    return frozenset(v for v in some if is_truth(v) == is_truth(level.get(v, v)))


def several(value: Any) -> list[Any]:
    """One value or several as a list."""
    return list(value) if isinstance(value, Iterable) and not isinstance(value, str) else [value]


def is_truth(value: Any) -> bool:
    """Whether a value is True or False, Python's or numpy's."""
    return isinstance(value, bool | np.bool_)


def name_of(family: Any) -> str:
    """A family's registry key."""
    return type(family).__name__.lower() if family is not None else ""


def make(family: Any, options: Options) -> Any:
    """A family given by name or as itself."""
    if isinstance(family, str):
        return Categorical(options.alpha) if family == "categorical" else find(family)()
    if isinstance(family, Family):
        return family
    raise TypeError(f"{family!r} is not a family: give a name ({listed(names())}) or a family object")


def one_column(frame: Frame, name: str, options: Options, weight: Floats | None) -> tuple[Column | None, Any, str]:
    """A column's encoding, its family (None: a number to be decided) and the reason."""
    kind = kind_of(frame.column(name))
    possible = {"truth values": (False, True), "number": (0, 1)}.get(kind)
    missing = markers(options.missing, name, possible or frame.coded(name).levels)
    if name in options.families:
        family = make(options.families[name], options)
        return encoding(frame, name, family, missing), family, "declared"
    if kind == "number":
        if options.numeric == "auto":
            x = Real(name, missing=missing).encode(frame)[:: max(1, frame.rows // SAMPLE)]
            seen = x[~np.isnan(x)]
            if len(seen) == 0 or (seen.min() == seen.max() and not options.more_to_come):
                why = constant(name, Real(name, missing=missing).encode(frame))
                if why:
                    return None, None, why
            return Real(name, missing=missing), None, ""
        family = make(options.numeric, options)
        return encoding(frame, name, family, missing), family, f"numeric={options.numeric!r}"
    column = encoding(frame, name, Categorical(options.alpha), missing)
    assert isinstance(column, Categories)
    if not column.levels:
        return None, None, "left out: no row has a value"
    if len(column.levels) == 1 and not options.more_to_come:
        return None, None, f"left out: every row has the value {column.levels[0]!r}"
    shown = frame.rows if weight is None else copies(np.ones(frame.rows, bool), weight)
    if len(column.levels) > 0.5 * shown:
        shown = copies(frame.coded(name).index >= 0, weight)
    if len(column.levels) > MOST_LEVELS or (shown >= 50 and len(column.levels) > 0.9 * shown):
        declare = f"families={{{name!r}: 'categorical'}} keeps it"
        return None, None, f"left out as an identifier: {len(column.levels)} values in {shown} rows ({declare})"
    return column, Categorical(options.alpha), kind


def copies(chosen: NDArray[np.bool_], weight: Floats | None) -> int:
    """How many rows are chosen, each as often as it weighs; one that weighs less than 1 is still a row.

    >>> copies(np.array([True, True, False]), np.array([3.0, 0.1, 5.0]))
    4
    """
    return int(chosen.sum() if weight is None else np.maximum(weight[chosen], 1.0).sum())


def kind_of(values: Any) -> str:
    """number, truth values, text or categories."""
    if isinstance(values, np.ndarray):
        return {"b": "truth values", "O": "values of several kinds"}.get(values.dtype.kind, "number")
    if pa.types.is_dictionary(values.type):
        return "categories"
    if pa.types.is_boolean(values.type):
        return "truth values"
    return "text" if is_text(values.type) or pa.types.is_null(values.type) else "number"


def constant(name: str, x: NDArray[np.float64]) -> str:
    """Why a column of one value is left out; empty when it has two."""
    seen = x[~np.isnan(x)]
    if np.isinf(seen).any():
        refuse_infinity(name, int(np.flatnonzero(np.isinf(x))[0]))
    if not len(seen):
        return "left out: no row has a value"
    return f"left out: every row has the value {seen[0]:g}" if seen.min() == seen.max() else ""


def encoding(frame: Frame, name: str, family: Any, missing: frozenset[Level]) -> Column:
    """The encoding a family reads, levels and all."""
    if family.order == 0:
        return Categories(name, missing=missing).grow(ordered(frame.coded(name).levels))
    transform = getattr(family, "transform", "")
    if transform:
        x = Real(name, missing=missing).encode(frame)
        if (x <= 0).any():
            row = int(np.flatnonzero(x <= 0)[0])
            raise ValueError(
                f"column {name!r} is {x[row]:g} in row {row}, but {name_of(family)} needs positive numbers; make it "
                f"missing (NaN), or fit with another density: families={{{name!r}: 'gaussian'}}"
            )
    column = Real(name, transform=transform, missing=missing, family=name_of(family))
    if column.family == "poisson":
        refuse_negative(name, column.encode(frame))
    return column


def settled(frame: Frame, column: Column, families: Mapping[str, Any]) -> Column:
    """A number's encoding once its family is known."""
    return encoding(frame, column.name, families[column.name], column.missing) if isinstance(column, Real) else column


def choose(
    frame: Frame,
    labels: Coded,
    weight: Floats | None,
    schema: Schema,
    families: dict[str, Any],
    undecided: list[Column],
    report: list[ColumnReport],
    options: Options,
) -> None:
    """Settle the density of each undecided number by its held-out score; all candidates are counted in one pass."""
    rows = np.arange(0, frame.rows, max(1, frame.rows // SAMPLE))
    weight = None if weight is None else weight[rows]
    tried: dict[str, list[tuple[Column, Any]]] = {}
    for column in undecided:
        assert not isinstance(column, Counts)
        tried[column.name] = candidates(frame, column, rows, options, weight)
    every = [pair for pairs in tried.values() for pair in pairs]
    trial = replace(schema, features=tuple(c for c, _ in every))
    slots = schema.encode_labels(labels)
    assert slots is not None
    scores = held_out_scores(frame, rows, trial, slots[rows], weight, [f for _, f in every])
    best: dict[str, tuple[float, Any]] = {}
    for (c, family), score in zip(every, scores, strict=True):
        assert not isinstance(c, Counts)
        if c.source not in best or score > best[c.source][0] + 1e-9:
            best[c.source] = (score, family)
    for i, line in enumerate(report):
        if line.name in best:
            family = best[line.name][1]
            families[line.name] = family
            named = ", ".join(name_of(f) for _, f in tried[line.name])
            only = "not all positive, so no other density fits"
            why = f"best held-out density of {named}" if len(tried[line.name]) > 1 else only
            report[i] = ColumnReport(line.name, name_of(family), why)


def candidates(
    frame: Frame, column: Column, rows: NDArray[np.intp], options: Options, weight: Floats | None
) -> list[tuple[Column, Any]]:
    """The densities that a column of numbers could have; `weight` is that of `rows`."""
    assert isinstance(column, Real)
    name, whole = column.name, column.encode(frame)
    known = ~np.isnan(whole[rows])
    x = whole[rows][known]
    found: list[tuple[Column, Any]] = [(replace(column, name=f"{name}:gaussian", source=name), find("gaussian")())]
    if (x > 0).all() and not (whole <= 0).any():
        found.append((replace(column, name=f"{name}:lognormal", source=name, transform="log"), find("lognormal")()))
    if not (whole < 0).any() and (x == np.floor(x)).all():
        found.append((replace(column, name=f"{name}:poisson", source=name), find("poisson")()))
    levels = tuple(np.unique(x).tolist()) if (x == np.floor(x)).all() else ()
    if 0 < len(levels) <= min(FEW_LEVELS, copies(known, weight) // ROWS_A_LEVEL):
        found.append((Categories(f"{name}:levels", levels, name, column.missing), Categorical(options.alpha)))
    return found


def held_out_scores(
    frame: Frame,
    rows: NDArray[np.intp],
    trial: Schema,
    slots: NDArray[np.int32],
    weight: Floats | None,
    families: list[Any],
) -> list[float]:
    """Mean log P(class | one column) over rows left out in turn, for each column of a trial schema."""
    batch = replace(trial.encode(frame).take(rows), labels=slots, weight=weight)
    target = trial.target.name
    found: dict[Any, list[str]] = {}
    for column, family in zip(trial.features, families, strict=True):
        found.setdefault((type(family), family), []).append(column.name)
    made = {
        key: [Clique((n, target)) if key[1].order == 0 else Clique((target,), (n,), key[1].order) for n in named]
        for key, named in found.items()
    }
    tally = count(trial, (Clique((target,)), *(c for some in made.values() for c in some)), batch)
    groups = [
        Group(tuple(named), tuple(made[key]), tally.layout.span(made[key]), key[1], np.ones(len(named)))
        for key, named in found.items()
    ]
    n = tally.cells(tally.layout.span([Clique((target,))])).weight[1:, 0]
    scorer = Scorer(np.zeros(len(n)), groups, tally)
    parts = one_by_one(scorer, batch, np.log((n + 1) / (n.sum() + len(n))))
    found_at = {name: i for i, name in enumerate(scorer.names)}
    return [float(parts[found_at[c.name]]) for c in trial.features]


def one_by_one(scorer: Scorer, batch: Batch, prior: NDArray[np.float64]) -> NDArray[np.float64]:
    """Mean held-out log posterior of the true class from each column by itself."""
    assert batch.labels is not None
    joint = scorer.left_out(batch) + prior
    own = np.take_along_axis(joint, (batch.labels - 1).astype(np.intp)[:, None, None], 2)[..., 0]
    top = joint.max(2)
    log_p = own - top - np.log(np.exp(joint - top[..., None]).sum(2))
    scores: NDArray[np.float64] = np.average(log_p, axis=0, weights=batch.weight)
    return scores
