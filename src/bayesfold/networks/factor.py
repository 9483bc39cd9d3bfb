"""A labelled table of numbers over discrete variables: the algebra of probability.

P(a, b) = P(a) P(b | a) is a product, P(b) = sum_a P(a, b) a sum, P(a | b=1) = P(a, b=1) / P(b=1) a cut and a quotient.

>>> rain = Factor({"rain": ("yes", "no")}, [0.2, 0.8])
>>> wet = Factor({"rain": ("yes", "no"), "wet": ("yes", "no")}, [[0.9, 0.1], [0.15, 0.85]])    # P(wet | rain)
>>> print((rain * wet).condition(wet="yes").normalise())
P(rain | wet=yes)
rain=yes  0.6
rain=no   0.4
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import reduce
from itertools import islice, product
from operator import mul
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesfold.data.frame import Floats, Level
from bayesfold.networks.factor_states import (
    States,
    as_arrow,
    check_name,
    divide,
    find_state,
    join_given,
    key_by_name,
    print_number,
    read_scale,
    refuse_size,
    scale_to_sum,
    shape_cells,
    write_pairs,
)
from bayesfold.runtime.messages import listed
from bayesfold.runtime.text_table import html_table, text_table

if TYPE_CHECKING:
    import pyarrow as pa

MOST_LINES = 64  # a longer table is cut where it is printed


class ImpossibleEvidence(ValueError):
    """What was observed has probability zero."""


@dataclass(frozen=True, eq=False, repr=False)
class Factor:
    """A table over named variables. axes: their states; values: one axis each; given: evidence; label: its title."""

    axes: Mapping[str, States]
    values: Floats
    given: Mapping[str, Level] = field(default_factory=dict)
    label: str = ""

    def __post_init__(self) -> None:
        axes = {name: tuple(states) for name, states in key_by_name(self.axes).items()}
        for name, states in axes.items():
            if not states or len(set(states)) < len(states):
                raise ValueError(f"the states of {name!r} must be distinct, and at least one: {listed(states)}")
        refuse_size(axes)
        values = shape_cells(self.values, axes)
        values.flags.writeable = False
        object.__setattr__(self, "axes", axes)
        object.__setattr__(self, "values", values)
        object.__setattr__(self, "given", dict(self.given))

    @classmethod
    def made(cls, axes: Mapping[str, States], values: Floats, given: Mapping[str, Level]) -> "Factor":
        """A table that its maker has checked and nobody else holds: nothing is looked at, nothing copied."""
        values.setflags(write=False)
        factor = object.__new__(cls)
        object.__setattr__(factor, "__dict__", {"axes": axes, "values": values, "given": given, "label": ""})
        return factor

    @property
    def variables(self) -> tuple[str, ...]:
        """The variables, one per axis."""
        return tuple(self.axes)

    @property
    def total(self) -> float:
        """The sum of every cell."""
        return float(self.values.sum())

    def states(self, variable: str) -> States:
        """The states of a variable, in order."""
        return self.axes[check_name("variable", variable, self.axes)]

    # ----------------------------------------------------------------------------------------------------- arithmetic

    __array_ufunc__ = None  # numpy would multiply each of an array's numbers by the table

    def __mul__(self, other: "Factor | float") -> "Factor":
        return self._with(other, np.multiply)

    __rmul__ = __mul__

    def __add__(self, other: "Factor | float") -> "Factor":
        return self._with(other, np.add)

    def __truediv__(self, other: "Factor | float") -> "Factor":
        """Cell by cell; 0 / 0 is 0, as in P(a | b) where b never happens."""
        return self._with(other, divide)

    def _with(self, other: "Factor | float", operation: Callable[[Any, Any], Any]) -> "Factor":
        if not isinstance(other, Factor):
            return Factor(self.axes, operation(self.values, read_scale(other)), self.given)
        axes = {**self.axes, **{name: states for name, states in other.axes.items() if name not in self.axes}}
        refuse_size(axes)
        given = {**self.given, **other.given}
        clash = next((v for v in self.given if v in other.given and self.given[v] != other.given[v]), None)
        if clash is not None:
            raise ValueError(
                f"tables are cut at {clash}={self.given[clash]} and at {clash}={other.given[clash]}: cut both alike"
            )
        return Factor(axes, operation(spread_over(self, axes), spread_over(other, axes)), given)

    # -------------------------------------------------------------------------------------------- sums, cuts and scales

    def sum(self, *variables: str) -> "Factor":
        """These variables summed out; all of them when none is named."""
        return self._without(variables, np.sum)

    def max(self, *variables: str) -> "Factor":
        """These variables maximised out; all of them when none is named."""
        return self._without(variables, np.max)

    def _without(self, variables: tuple[str, ...], operation: Callable[..., Any]) -> "Factor":
        gone = list(dict.fromkeys(check_name("variable", v, self.axes) for v in variables)) or list(self.axes)
        places = tuple(self.variables.index(v) for v in gone)
        axes = {v: states for v, states in self.axes.items() if v not in gone}
        return Factor(axes, operation(self.values, axis=places), self.given)

    def marginal(self, *variables: str) -> "Factor":
        """Every other variable summed out; the axes stand in the order named.

        >>> f = Factor({"a": (0, 1), "b": (0, 1)}, [[0.1, 0.2], [0.3, 0.4]])
        >>> f.marginal("b").values.round(2)
        array([0.4, 0.6])
        """
        kept = [check_name("variable", v, self.axes) for v in variables]
        others = [v for v in self.axes if v not in kept]
        return (self.sum(*others) if others else self).ordered(*kept)

    def ordered(self, *variables: str) -> "Factor":
        """The same table with its axes in this order."""
        places = [self.variables.index(check_name("variable", v, self.axes)) for v in variables]
        if sorted(places) != list(range(len(self.axes))):
            raise ValueError(f"name each of {listed(self.axes)} once, not {listed(variables)}")
        return Factor({v: self.axes[v] for v in variables}, self.values.transpose(places), self.given)

    def condition(self, evidence: Mapping[str, Level] | None = None, /, **more: Level) -> "Factor":
        """The cells that agree with what was observed; `normalise` makes P(rest | observed) of them."""
        seen = {check_name("variable", v, self.axes): s for v, s in join_given(evidence, more).items()}
        places = {v: find_state(v, self.axes[v], s) for v, s in seen.items()}
        axes = {v: states for v, states in self.axes.items() if v not in seen}
        exact = {v: self.axes[v][place] for v, place in places.items()}
        return Factor(axes, self.values[tuple(places.get(v, slice(None)) for v in self.axes)], {**self.given, **exact})

    def normalise(self, *given: str) -> "Factor":
        """Divided by its sum; with `given`, P(rest | given): each state of `given` sums to 1, or never happens."""
        cells = Factor(self.axes, scale_to_sum(self.values, self.axes), self.given)
        if given:
            rest = [v for v in self.axes if v not in {check_name("variable", g, self.axes) for g in given}]
            scaled = cells / cells.sum(*rest) if rest else cells / cells
            seen = ", ".join(filter(None, [*given, write_pairs(self.given)]))
            return Factor(scaled.axes, scaled.values, self.given, f"P({', '.join(rest)} | {seen})")
        total = cells.total
        if not total > 0:
            seen = write_pairs(self.given)
            why = f"{seen} has probability 0, so nothing can be concluded from it" if seen else ""
            raise ImpossibleEvidence(why or f"every cell over {listed(self.axes)} is 0: the table cannot be normalised")
        return Factor(self.axes, cells.values / total, self.given)

    # -------------------------------------------------------------------------------------------------------- reading

    def __getitem__(self, states: Any) -> float:
        """One cell, by its states in the order of the variables, or by a mapping from every variable to its state.

        >>> Factor({"a": ("x", "y"), "b": (0, 1)}, [[1, 2], [3, 4]])["y", 0]
        3.0
        """
        if not isinstance(states, Mapping):
            states = states if isinstance(states, tuple) else (states,)
            if len(states) != len(self.axes):
                raise KeyError(f"a cell over {listed(self.axes)} needs {len(self.axes)} states, not {len(states)}")
            states = dict(zip(self.axes, states, strict=True))
        cell = self.condition(states)
        if cell.axes:
            raise KeyError(f"a cell also needs the state of {listed(cell.axes)}")
        return float(cell.values)

    def argmax(self) -> dict[str, Level]:
        """The states of the largest cell, the first of several."""
        places = np.unravel_index(int(self.values.argmax()), self.values.shape)
        return {v: states[int(i)] for (v, states), i in zip(self.axes.items(), places, strict=True)}

    def to_dict(self) -> Any:
        """The cells as nested dicts, state by state; a plain number for a table without variables."""

        def nested(values: Any, axes: list[States]) -> Any:
            if not axes:
                return float(values)
            return {state: nested(part, axes[1:]) for state, part in zip(axes[0], values, strict=True)}

        return nested(self.values, list(self.axes.values()))

    def to_frame(self) -> "pa.Table":
        """The cells as an Arrow table: one row per cell, one column per variable, and the number in `value`.

        Every library of frames takes it: `.to_pandas()`, `polars.from_arrow(...)`, DuckDB by its name.

        >>> Factor({"a": ("x", "y"), "b": (0, 1)}, [[1, 2], [3, 4]]).to_frame().to_pydict()
        {'a': ['x', 'x', 'y', 'y'], 'b': [0, 1, 0, 1], 'value': [1.0, 2.0, 3.0, 4.0]}
        """
        import pyarrow as pa  # most questions never ask for it

        value = "value"
        while value in self.axes:
            value += "_"
        places = np.indices(self.values.shape).reshape(len(self.axes), self.values.size)
        columns = {v: as_arrow(s).take(pa.array(at)) for (v, s), at in zip(self.axes.items(), places, strict=True)}
        return pa.table({**columns, value: self.values.ravel()})

    def __eq__(self, other: object) -> bool:
        """The same numbers for the same states of the same variables, in whatever order these stand.

        What was observed and the label are not compared: a table is its cells.
        """
        if not isinstance(other, Factor):
            return NotImplemented
        return self._is_over(other) and bool(np.array_equal(self.values, spread_over(other, self.axes), equal_nan=True))

    def __hash__(self) -> int:
        """The same for tables that are equal: it is made of what no order of axes or states changes."""
        cells = np.sort(self.values[~np.isnan(self.values)]).tolist()
        return hash((frozenset((v, frozenset(states)) for v, states in self.axes.items()), tuple(cells)))

    def isclose(self, other: "Factor", rtol: float = 1e-9, atol: float = 1e-12) -> bool:
        """Whether two tables over the same variables and states have the same numbers, to rounding."""
        alike = self._is_over(other)
        return alike and bool(np.allclose(self.values, spread_over(other, self.axes), rtol, atol, equal_nan=True))

    def _is_over(self, other: "Factor") -> bool:
        return self.axes.keys() == other.axes.keys() and all(set(self.axes[v]) == set(other.axes[v]) for v in self.axes)

    def __repr__(self) -> str:
        return f"<Factor {self.title()}: {' x '.join(str(len(s)) for s in self.axes.values()) or 'one number'}>"

    def title(self) -> str:
        """The label, or P(variables | what was observed) for what sums to 1, and f(...) for any other table."""
        seen, letter = write_pairs(self.given), "P" if abs(self.total - 1) < 1e-9 else "f"
        return self.label or f"{letter}({', '.join(self.axes)}{' | ' if seen else ''}{seen})"

    def grid(self) -> tuple[list[str], list[list[str]], int]:
        """For print: heads, rows of cells (the last of several variables across), and how many rows were left out."""
        down, across = list(self.axes.items()), []
        if len(down) > 1:
            name, states = down.pop()
            across = [f"{name}={state}" for state in states]
        lines = product(*([f"{v}={s}" for s in states] for v, states in down))
        numbers = self.values.reshape(-1, max(len(across), 1))
        shown = zip(islice(lines, MOST_LINES), numbers, strict=False)
        cells = [[*line, *map(print_number, row)] for line, row in shown]
        return ([""] * len(down) + across if across else []), cells, len(numbers) - len(cells)

    def __str__(self) -> str:
        heads, rows, more = self.grid()
        lines = [heads, *rows] if heads else rows
        text = text_table(lines[0], lines[1:], left=len(lines[0]))
        return "\n".join([self.title(), text, *([f"... and {more} more rows"] if more else [])])

    def _repr_html_(self) -> str:
        heads, rows, more = self.grid()
        tail = f"<p>... and {more} more rows</p>" if more else ""
        return html_table(heads or [""] * len(rows[0]), rows, len(self.axes) - bool(heads), self.title()) + tail


def multiply(factors: Iterable[Factor]) -> Factor:
    """The product of several tables; of none, the number 1."""
    return reduce(mul, factors, Factor({}, np.array(1.0)))


def spread_over(factor: Factor, axes: Mapping[str, States]) -> Floats:
    """The values with an axis of length 1 for each variable of `axes` that the factor does not have."""
    values = factor.values
    for i, (v, states) in enumerate(factor.axes.items()):
        if axes[v] != states:
            if len(axes[v]) != len(states) or set(axes[v]) != set(states):
                raise ValueError(
                    f"{v!r} has the states {listed(axes[v])} in one table and {listed(states)} in the other"
                )
            values = values.take([states.index(s) for s in axes[v]], axis=i)
    order = [factor.variables.index(v) for v in axes if v in factor.axes]
    return values.transpose(order).reshape([len(s) if v in factor.axes else 1 for v, s in axes.items()])
