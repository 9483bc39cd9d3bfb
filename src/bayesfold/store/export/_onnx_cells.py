"""ONNX operators that read raw columns, one input each: slots, numbers with NaN where missing, vectors."""

from typing import Any

import numpy as np

from bayesfold.data.frame import Level
from bayesfold.store.export._columns import (
    BinsColumn,
    Column,
    CountsColumn,
    FlagAxis,
    LevelsColumn,
    NumberColumn,
    OneHotAxis,
    PresenceColumn,
    ScaledAxis,
    VectorColumn,
)
from bayesfold.store.export._graph import OnnxGraph
from bayesfold.store.export._plan import Plan
from bayesfold.store.export._types import TEXT, types_of, written_truths


class OnnxCells:
    """`values[i]` are the slots, the numbers or the vectors of column i; `says` and `infinite` are by row."""

    def __init__(self, graph: OnnxGraph, plan: Plan) -> None:
        self.g = graph
        self.types = types_of(plan)
        self.rows = graph.op("Shape", plan.sources[0])
        self.says: list[str] = []
        self.numbers: list[str] = []
        self.values = [self._column(column) for column in plan.columns]
        self.infinite = graph.any_of([graph.op("IsInf", x) for x in self.numbers], self.rows)
        self.bare = graph.op("Not", graph.any_of(self.says, self.rows))

    def _column(self, column: Column) -> str:
        g = self.g
        if isinstance(column, LevelsColumn):
            slot = self._slot(column.source, column.levels, column.missing, column.hole)
            seen = [
                g.op("Not", g.op("Equal", slot, np.int64(column.hole))),
                g.op("Greater", slot, np.int64(0)),
                g.op("Less", slot, np.int64(column.slots)),
            ]
            self.says.append(g.all_of(seen))
            return slot
        if isinstance(column, BinsColumn):
            x = self._number(column.source, column.missing)
            gone = g.op("IsNaN", x)
            self.says.append(g.op("Not", gone))
            return g.where(gone, np.int64(column.hole), g.op("Add", self._not_below(column.cuts, x), np.int64(1)))
        if isinstance(column, PresenceColumn):
            return g.where(self._missing(column.source, column.missing), np.int64(2), np.int64(1))
        if isinstance(column, NumberColumn):
            x = self._number(column.source, column.missing)
            if column.log:
                positive = g.op("Greater", x, np.float64(0))
                x = g.where(positive, g.op("Log", g.where(positive, x, np.float64(1))), np.float64(np.nan))
            self.says.append(g.op("Not", g.op("IsNaN", x)))
            return x
        if isinstance(column, CountsColumn):
            return self._counts(column)
        assert isinstance(column, VectorColumn), "no text is in a plan that was not asked for one"
        return self._vector(column)

    def _counts(self, column: CountsColumn) -> str:
        g = self.g
        x = g.op("Concat", *(g.column(self._number(source, ())) for source in column.sources), axis=1)
        if column.above is not None:
            above = g.cast(g.op("Greater", x, np.float64(column.above)), "DOUBLE")
            x = g.where(g.op("IsNaN", x), x, above)
        self.says.append(g.op("Not", g.op("Equal", g.reduced("Sum", x, 1, keep=False), np.float64(0))))
        return x

    def _vector(self, column: VectorColumn) -> str:
        g = self.g
        parts = []
        for axis in column.axes:
            if isinstance(axis, OneHotAxis):
                slot = self._slot(axis.source, axis.levels, axis.missing, 0)
                size = len(axis.levels)
                indicators = np.concatenate([[axis.hole], np.eye(size), [axis.unseen]])
                parts.append(g.op("Gather", indicators, slot))
                known = [g.op("Greater", slot, np.int64(0)), g.op("LessOrEqual", slot, np.int64(size))]
                self.says.append(g.all_of(known))
                continue
            x = self._number(axis.source, axis.missing)
            gone = g.op("IsNaN", x)
            if isinstance(axis, FlagAxis):
                parts.append(g.column(g.cast(gone, "DOUBLE")))
                continue
            self.says.append(g.op("Not", gone))
            z = g.op("Div", g.op("Sub", self._moved(axis, x), np.float64(axis.centre)), np.float64(axis.unit))
            parts.append(g.column(g.where(gone, np.float64(0), g.clipped(z, axis.limit))))
        return g.op("Concat", *parts, axis=1)

    def _moved(self, axis: ScaledAxis, x: str) -> str:
        """Along straight lines between knots."""
        g = self.g
        if not axis.knots:
            return x
        at, height = np.array(axis.knots).T
        if len(at) == 1:
            return g.where(g.op("IsNaN", x), x, height[0])
        last = np.int64(len(at) - 2)
        j = g.op("Min", g.op("Max", g.op("Sub", self._not_below(tuple(at), x), np.int64(1)), np.int64(0)), last)
        slope = g.op("Gather", np.diff(height) / np.diff(at), j)
        line = g.op("Mul", slope, g.op("Sub", x, g.op("Gather", at, j)))
        line = g.op("Add", line, g.op("Gather", height, j))
        line = g.where(g.op("GreaterOrEqual", x, at[-1]), height[-1], line)
        return g.where(g.op("LessOrEqual", x, at[0]), height[0], line)

    def _not_below(self, cuts: tuple[float, ...], x: str) -> str:
        """How many of the cuts a number is not below."""
        g = self.g
        if not cuts:
            return g.op("Expand", np.int64(0), self.rows)
        passed = g.op("GreaterOrEqual", g.column(x), np.array([cuts], np.float64))
        return g.reduced("Sum", g.cast(passed, "INT64"), 1, keep=False)

    # raw values

    def _slot(self, source: str, levels: tuple[Level, ...], missing: tuple[Level, ...], hole: int) -> str:
        mine = str if self.types[source] == TEXT else int | float
        keys: dict[Any, int] = {v: j + 1 for j, v in enumerate(levels) if isinstance(v, mine)}
        if mine is str:  # a truth value may be written in other letters
            truths = written_truths([v for v in levels if v is not None])
            keys = {
                way: keys[v] for v in levels if v in truths for way in (truths[v], truths[v].title(), truths[v].upper())
            } | keys
        keys |= {v: hole for v in missing if isinstance(v, mine)}
        unseen = len(levels) + 1
        if mine is str:
            return self.g.encoded_text(source, {**keys, "": hole}, unseen)
        slot = self.g.encoded_number(source, keys, unseen)
        return self.g.where(self.g.op("IsNaN", source), np.int64(hole), slot)

    def _missing(self, source: str, missing: tuple[Level, ...]) -> str:
        if self.types[source] == TEXT:
            return self.g.op("Equal", self._slot(source, (), missing, 0), np.int64(0))
        return self.g.op("IsNaN", self._number(source, missing))

    def _number(self, source: str, missing: tuple[Level, ...]) -> str:
        """The input with NaN for its markers."""
        x = source
        for marker in (m for m in missing if isinstance(m, int | float)):
            x = self.g.where(self.g.op("Equal", x, np.float64(marker)), np.float64(np.nan), x)
        if x not in self.numbers:
            self.numbers.append(x)
        return x
