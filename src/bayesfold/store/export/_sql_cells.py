"""SQL that reads raw columns: values with NULL where they are missing, slots, numbers, vectors."""

import re
from collections.abc import Mapping
from typing import Any

from bayesfold.data.frame import Level
from bayesfold.data.spelling import TRUTHS, as_text
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
from bayesfold.store.export._plan import Plan
from bayesfold.store.export._query import DOUBLE, all_of, any_of, quote_name, quote_text, write_number, write_sum
from bayesfold.store.export._types import NUMBER, TEXT, TRUTH, types_of, written_truths

NAN = f"CAST('NaN' AS {DOUBLE})"


class SqlCells:
    """`raw`, `shown` and `columns` are the expressions of three steps: values, levels of indicators, all columns.

    `says[i]` is whether column i of a row says something, `numbers` are the values that have to be finite.
    """

    def __init__(self, plan: Plan, renamed: Mapping[str, str]) -> None:
        self.renamed = renamed
        self.types = types_of(plan)
        self.raw: dict[str, str] = {}
        self.shown: dict[str, str] = {}
        self.columns: dict[str, str] = {}
        self.numbers: list[str] = []
        self.says = [self._column(i, column) for i, column in enumerate(plan.columns)]

    def _column(self, i: int, column: Column) -> str:
        if isinstance(column, LevelsColumn):
            self.columns[f"c{i}"] = self._slot(column.source, column.levels, column.missing, column.hole)
            return all_of([f"c{i} <> {column.hole}", f"c{i} > 0", f"c{i} < {column.slots}"])
        if isinstance(column, BinsColumn):
            x = self._number(column.source, column.missing)
            cuts = " ".join(f"WHEN {x} < {write_number(cut)} THEN {j + 1}" for j, cut in enumerate(column.cuts))
            self.columns[f"c{i}"] = f"CASE WHEN {x} IS NULL THEN {column.hole} {cuts} ELSE {len(column.cuts) + 1} END"
            return f"c{i} <> {column.hole}"
        if isinstance(column, PresenceColumn):
            value = self._number if column.number else self._value
            self.columns[f"c{i}"] = f"CASE WHEN {value(column.source, column.missing)} IS NULL THEN 2 ELSE 1 END"
            return "FALSE"
        if isinstance(column, NumberColumn):
            x = self._number(column.source, column.missing)
            self.columns[f"x{i}"] = f"CASE WHEN {x} > 0 THEN ln({x}) END" if column.log else x
            return f"x{i} IS NOT NULL"
        if isinstance(column, CountsColumn):
            return self._counts(i, column)
        assert isinstance(column, VectorColumn), "no text is in a plan that was not asked for one"
        return self._vector(i, column)

    def _counts(self, i: int, column: CountsColumn) -> str:
        for d, source in enumerate(column.sources):
            x = self._number(source, ())
            above = "" if column.above is None else write_number(column.above)
            self.columns[f"v{i}_{d}"] = (
                f"CASE WHEN {x} > {above} THEN 1e0 WHEN {x} <= {above} THEN 0e0 END" if above else x
            )
        return f"{write_sum([f'v{i}_{d}' for d in range(len(column.sources))])} <> 0"

    def _vector(self, i: int, column: VectorColumn) -> str:
        says = []
        d = 0
        for axis in column.axes:
            if isinstance(axis, OneHotAxis):
                slot = f"s{i}_{d}"
                self.shown[slot] = self._slot(axis.source, axis.levels, axis.missing, 0)
                says.append(f"({slot} > 0 AND {slot} <= {len(axis.levels)})")
                d += len(axis.levels)
                continue
            x = self._number(axis.source, axis.missing)
            if isinstance(axis, FlagAxis):
                self.columns[f"v{i}_{d}"] = f"CASE WHEN {x} IS NULL THEN 1e0 ELSE 0e0 END"
            else:
                self.columns[f"v{i}_{d}"] = self._scaled(axis, x)
                says.append(f"{x} IS NOT NULL")
            d += 1
        return any_of(says)

    def _scaled(self, axis: ScaledAxis, x: str) -> str:
        moved = x
        if axis.knots:
            moved = f"CASE WHEN {x} <= {write_number(axis.knots[0][0])} THEN {write_number(axis.knots[0][1])}"
            for (x0, y0), (x1, y1) in zip(axis.knots, axis.knots[1:], strict=False):
                line = f"{write_number((y1 - y0) / (x1 - x0))} * ({x} - {write_number(x0)}) + {write_number(y0)}"
                moved += f" WHEN {x} < {write_number(x1)} THEN {line}"
            moved += f" ELSE {write_number(axis.knots[-1][1])} END"
        z = f"({moved} - {write_number(axis.centre)}) / {write_number(axis.unit)}"
        limit = write_number(axis.limit)
        return f"CASE WHEN {x} IS NULL THEN 0e0 ELSE LEAST(GREATEST({z}, -{limit}), {limit}) END"

    # raw values, NULL where missing

    def _value(self, source: str, missing: tuple[Level, ...]) -> str:
        """A value to be told apart."""
        if self.types[source] == NUMBER:
            return self._number(source, missing, checked=False)
        value = f"CAST({self._named(source)} AS VARCHAR)"
        if self.types[source] == TRUTH:
            bare = f"LOWER(TRIM({value}))"
            gone = ["'nan'", *(write_truth(m) for m in missing if m in (0, 1))]
            return self._raw(f"CASE WHEN {value} <> '' AND {bare} NOT IN ({', '.join(gone)}) THEN {bare} END")
        gone = ["''", *(quote_text(m) for m in missing if isinstance(m, str))]
        return self._raw(f"CASE WHEN {value} NOT IN ({', '.join(gone)}) THEN {value} END")

    def _slot(self, source: str, levels: tuple[Level, ...], missing: tuple[Level, ...], hole: int) -> str:
        value, kind = self._value(source, missing), self.types[source]
        texts = [level for level in levels if level is not None]
        truths = written_truths(texts) if kind == TEXT else {}

        def is_level(level: Any) -> str:
            if kind == TRUTH:
                return f"{value} IN ({write_truth(level)})"
            if kind == NUMBER:
                return f"{value} = {write_number(float(level))}"
            if level in truths:
                return f"LOWER({value}) = {quote_text(truths[level])}"
            return any_of([f"{value} = {quote_text(level)}", *self._of_other_types(source, level, levels)])

        cases = " ".join(f"WHEN {is_level(v)} THEN {j + 1}" for j, v in enumerate(levels) if v is not None)
        return f"CASE WHEN {value} IS NULL THEN {hole} {cases} ELSE {len(levels) + 1} END"

    def _of_other_types(self, source: str, level: str, levels: tuple[Level, ...]) -> list[str]:
        """When a number or a truth value is this text: as JSON they stand without quotation marks, and texts do not."""
        spelled = [text for text, value in spellings(level) if as_text(value, levels) == level and text != level]
        if not spelled:
            return []
        value = self._raw(f"CAST(to_json({self._named(source)}) AS VARCHAR)")
        return [f"{value} = {quote_text(text)}" for text in spelled]

    def _number(self, source: str, missing: tuple[Level, ...], checked: bool = True) -> str:
        column = self._named(source)
        texts = [m for m in missing if isinstance(m, str)]
        value = f"CAST({column} AS {DOUBLE})"
        if texts:
            marks = ", ".join(map(quote_text, ("", *texts)))
            value = f"CASE WHEN CAST({column} AS VARCHAR) NOT IN ({marks}) THEN {value} END"
        for marker in (NAN, *(write_number(float(m)) for m in missing if isinstance(m, int | float))):
            value = f"NULLIF({value}, {marker})"
        raw = self._raw(value)
        if checked and raw not in self.numbers:
            self.numbers.append(raw)
        return raw

    def _named(self, source: str) -> str:
        return quote_name(self.renamed.get(source, source))

    def _raw(self, value: str) -> str:
        for column, expression in self.raw.items():
            if expression == value:
                return column
        self.raw[f"r{len(self.raw)}"] = value
        return f"r{len(self.raw) - 1}"


def write_truth(value: object) -> str:
    """A truth value as text, whatever the type of its column."""
    return "'true', '1', '1.0'" if value else "'false', '0', '0.0', '-0', '-0.0'"


def spellings(level: str) -> list[tuple[str, bool | float]]:
    """What JSON writes for a truth value or a whole number that this text may be of, and the value.

    >>> spellings("1"), spellings("x")
    ([('1', 1), ('1.0', 1.0)], [])
    """
    if level.lower() in TRUTHS:
        return [(level.lower(), TRUTHS[level.lower()])]
    if re.fullmatch(r"-?[0-9]{1,15}(\.0)?", level) is None:
        return []
    whole = int(float(level))
    return [(str(whole), whole), (f"{whole}.0", float(whole))]
