"""Arcs between categories and numbers, learned from rows: what `learn_network` does where numbers are nodes."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.frame import Floats, Frame
from bayesfold.networks.dag import Dag
from bayesfold.networks.factor_states import States, check_name
from bayesfold.networks.learning.counts import encode_whole_rows, find_states
from bayesfold.networks.learning.parameters import Estimate
from bayesfold.networks.learning.rules import Links, Rules
from bayesfold.networks.learning.search import Search, Watch
from bayesfold.networks.mixed.moments import find_scales
from bayesfold.networks.mixed.network import MixedNetwork
from bayesfold.networks.mixed.rows import read_numbers
from bayesfold.networks.mixed.scores import MixedScores
from bayesfold.networks.mixed.search import MixedTask
from bayesfold.runtime.unique import distinct

FEW = 12
"""Different numbers up to which a column is one of categories, unless it is named."""

NUMERIC = ("int", "uint", "float", "double", "halffloat")
"""How numpy and Arrow call types of numbers."""

SOME = 1_000
"""Rows that are looked at before all are."""


@dataclass(frozen=True)
class MixedRows:
    """Rows without holes: the states of categories, () for a number; codes [category, row]; values [row, number]."""

    axes: Mapping[str, States]
    codes: NDArray[np.uint16]
    values: Floats
    units: Floats
    weight: Floats | None

    @classmethod
    def of(cls, frame: Frame, axes: Mapping[str, States], weight: Floats | None) -> "MixedRows":
        """The rows of a table whose columns have these states; a hole is refused."""
        chosen = [v for v, states in axes.items() if not states]
        categories = {v: states for v, states in axes.items() if states}
        codes = encode_whole_rows(frame, categories, weight) if categories else np.empty((0, frame.rows), np.uint16)
        scales = find_scales(frame, chosen)
        values = np.empty((frame.rows, len(chosen)))
        for j, v in enumerate(chosen):
            x = read_numbers(frame, v)
            holes = np.isnan(x) if weight is None else np.isnan(x) & (weight > 0)
            if holes.any():
                refuse_hole(v, int(holes.argmax()))
            values[:, j] = np.where(np.isnan(x), 0.0, (x - scales[v].centre) / scales[v].unit)
        units = np.array([scales[v].unit for v in chosen])
        return cls(axes, codes, values, units, weight)

    def rules(self, rules: Rules) -> Rules:
        """The rules, and that no category depends on a number."""
        is_number = np.array([not self.axes[v] for v in rules.names])
        backwards = np.outer(is_number, ~is_number)
        if (bad := np.argwhere(rules.required & backwards)).size:
            u, v = (rules.names[i] for i in bad[0])
            raise ValueError(f"{u} -> {v} is required, but {v!r} is a category and cannot depend on the number {u!r}")
        return replace(rules, allowed=rules.allowed & ~backwards)

    def look(
        self,
        search: Callable[[MixedTask], Search],
        rules: Rules,
        score: str,
        given: Links | None,
        rows: Any,
        draw: "np.random.Generator",
        watch: Watch | None = None,
    ) -> tuple[Search, MixedTask]:
        """What a search finds in some of the rows."""
        arrays = np.ascontiguousarray(self.codes[:, rows]), self.values[rows]
        weight = None if self.weight is None else np.ascontiguousarray(self.weight[rows])
        cards = tuple(len(self.axes[v]) for v in rules.names)
        watched = watch if isinstance(rows, slice) else None  # not of samples
        task = MixedTask(MixedScores(cards, *arrays, self.units, score, weight), rules, given, draw, watched)
        return search(task), task


def count_mixed(
    axes: Mapping[str, States], frame: Frame, weight: Floats | None, estimate: Estimate, dag: Dag
) -> MixedNetwork:
    """A network of these arcs with its tables and lines; a row with a hole in a family is left out of that family."""
    return MixedNetwork(dag, {v: axes[v] for v in dag.names}).fitted(frame, estimate, weight)


def refuse_with_numbers(posterior: Any, em: Any) -> None:
    """Refuse what only counts of states can do."""
    for option, asked in (("posterior", posterior), ("em", em)):
        if asked:
            raise ValueError(
                f"{option} needs states; with numbers as nodes leave it out (bootstrap says how sure arcs are)"
            )


def mixed_states(
    frame: Frame, names: tuple[str, ...], numbers: str | Iterable[str], states: Mapping[str, States]
) -> dict[str, States]:
    """The states of every column, () for a number; `numbers` and `states` as in `learn_network`."""
    chosen = set(find_numbers(frame, names, numbers, states))
    for v in chosen:
        read_numbers(frame, v)  # text is refused
    categories = [v for v in names if v not in chosen]
    axes = find_states(frame, categories, {v: states[v] for v in categories if v in states})
    return {v: axes.get(v, ()) for v in names}


def find_numbers(
    frame: Frame, names: tuple[str, ...], numbers: str | Iterable[str], states: Mapping[str, Any]
) -> list[str]:
    """The columns that are numbers: those named, or those of many different numbers whose states are not given."""
    if not isinstance(numbers, str):
        named = {check_name("column", v, names) for v in numbers}
        return [v for v in names if v in named]
    if numbers != "gaussian":
        raise ValueError(f'numbers must be "states", "gaussian" or names of columns, not {numbers!r}')
    return [v for v in names if v not in states and is_measured(frame, v)]


def is_measured(frame: Frame, name: str) -> bool:
    """Whether a column holds more than a few different numbers."""
    column = frame.column(name)
    kind = column.dtype.name if isinstance(column, np.ndarray) else str(getattr(column, "type", ""))
    if kind.startswith(NUMERIC):
        x = frame.numbers(name)
        x = x[~np.isnan(x)]
        return len(distinct(x[:SOME])) > FEW or len(distinct(x)) > FEW
    levels = frame.coded(name).levels
    numeric = all(isinstance(level, int | float) and not isinstance(level, bool) for level in levels)
    return numeric and len(distinct(np.array(levels, np.float64))) > FEW


def refuse_hole(name: str, row: int) -> None:
    """A score compares families over the same rows: none may have a hole."""
    raise ValueError(
        f"row {row} has no value of {name!r}: structures are learned from whole rows. Leave out the rows or the "
        "columns with holes, or fill them"
    )
