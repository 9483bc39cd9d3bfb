"""What a file holds: a trained model taken apart into plain objects and three arrays, and put together again."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.by_label import by_label
from bayesfold.data.frame import Floats, Level
from bayesfold.data.graph import Mixture
from bayesfold.data.schema import Schema
from bayesfold.decisions.loss import is_frame, lines_of
from bayesfold.learning.column_table import ColumnReport, ColumnTable
from bayesfold.learning.pool.report import Report
from bayesfold.learning.scores import Scores
from bayesfold.learning.trained import DropIn, Step, Trained
from bayesfold.learning.unlabelled import Unlabelled
from bayesfold.models.calibration import Calibration
from bayesfold.models.model import Model
from bayesfold.models.pool import Pool
from bayesfold.store.known import word_for
from bayesfold.tally.layout import Clique, Layout
from bayesfold.tally.statistic import Tally

Prior = Mapping[Level, float] | None
ClassWeight = Mapping[Level, float] | str | None


@dataclass(frozen=True)
class Part:
    """One model of the tally: family_of[column] is the place of its family."""

    mixture: Mixture
    families: tuple[Any, ...]
    family_of: Mapping[str, int]
    prior: Prior
    class_weight: ClassWeight
    calibration: Calibration

    def by_column(self) -> dict[str, Any]:
        """The family of each column."""
        return {name: self.families[at] for name, at in self.family_of.items()}


@dataclass(frozen=True)
class Joined:
    """How the parts of a pool are joined."""

    weights: tuple[float, ...]
    bias: tuple[tuple[Level, float], ...]
    prior: Prior
    class_weight: ClassWeight
    doubt: float = 0.0


@dataclass(frozen=True)
class Content:
    """All of a file. `pool` is None where there is one part alone; `extra` is the caller's."""

    settings: Any
    schema: Schema
    cliques: tuple[Clique, ...]
    counts: NDArray[np.int64]
    weights: Floats
    sums: Floats
    parts: Mapping[str, Part]
    pool: Joined | None
    decayed: bool
    soft: bool
    columns: tuple[ColumnReport, ...]
    names: tuple[str, ...]
    named: bool
    target: str
    label_type: np.dtype[Any] | None
    report: Report | None
    unlabelled: Unlabelled | None
    reweigh_needed: bool
    history: tuple[Step, ...]
    extra: Any
    scores: Scores | None = None


def take_apart(trained: Trained, extra: Any = None) -> Content:
    """A model as a file holds it."""
    model = trained.model_
    pool = model if isinstance(model, Pool) else None
    members: dict[str, Model] = pool.members if pool is not None else {"": model}  # type: ignore[dict-item]
    first = next(iter(members.values()))
    tally = first.tally
    return Content(
        settings=without_frames(trained),
        schema=tally.schema,
        cliques=tally.layout.cliques,
        counts=tally.counts,
        weights=tally.weights,
        sums=tally.sums,
        parts={name: part_of(member) for name, member in members.items()},
        pool=None if pool is None else Joined(pool.weights, pool.bias, pool.prior, pool.class_weight, pool.doubt),
        decayed=first.decayed,
        soft=first.soft,
        columns=tuple(trained.columns),
        names=trained.names,
        named=trained.named,
        target=trained.target,
        label_type=trained.label_type,
        report=trained.report,
        unlabelled=trained.unlabelled,
        reweigh_needed=trained.reweigh_needed,
        history=trained.history,
        extra=extra,
        scores=trained.scores,
    )


def part_of(model: Model) -> Part:
    """One model without its tally; a family that several columns have is kept once."""
    places: dict[Any, int] = {}
    kept: list[Any] = []
    family_of: dict[str, int] = {}
    for name, family in model.families.items():
        family_of[name] = places.setdefault(identity_of(family), len(kept))
        if family_of[name] == len(kept):
            kept.append(family)
    return Part(model.mixture, tuple(kept), family_of, model.prior, model.class_weight, model.calibration)


def identity_of(family: Any) -> Any:
    """A key that is equal for families which are the same in every field, also in those that equality ignores."""
    if word_for(family) is None:
        return id(family)
    return type(family), *(id(v) if isinstance(v, np.ndarray) else repr(v) for v in vars(family).values())


def without_frames(trained: Trained) -> Any:
    """The settings, those that came as a data frame or a Series as dicts."""
    settings, classes = trained.settings, trained.model_.classes
    loss = lines_of(settings.loss, classes) if is_frame(settings.loss) else settings.loss
    if isinstance(settings, DropIn):
        return (
            settings if loss is settings.loss else replace(settings, parameters={**settings.parameters, "loss": loss})
        )
    given = {name: vars(settings)[name] for name in ("priors", "class_weight") if name in vars(settings)}
    plain: dict[str, Any] = {"loss": loss} | {name: by_label(value, classes) for name, value in given.items()}
    changed = {name: value for name, value in plain.items() if value is not vars(settings)[name]}
    return replace(settings, **changed) if changed else settings


def put_together(content: Content) -> Trained:
    """The trained model of a content that has been checked."""
    layout = Layout(content.schema, content.cliques)
    tally = Tally(layout, content.counts, content.weights, content.sums)
    members = {}
    for name, part in content.parts.items():
        model = Model(part.mixture, part.by_column(), tally, part.prior, part.class_weight, part.calibration)
        model.decayed, model.soft = content.decayed, content.soft
        members[name] = model
    pool = content.pool
    made: Model | Pool
    if pool is None:
        made = members[""]
    else:
        made = Pool(members, pool.weights, pool.bias, pool.prior, pool.class_weight, pool.doubt)
    return Trained(
        content.settings,
        made,
        ColumnTable(content.columns),
        content.names,
        content.target,
        content.label_type,
        content.report,
        content.unlabelled,
        content.reweigh_needed,
        content.named,
        content.history,
        content.scores,
    )
