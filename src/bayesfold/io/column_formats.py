"""How the numbers of text files are written, column by column, by their first rows; and what a person should know."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import pyarrow as pa
import pyarrow.compute as pc

from bayesfold.data.number_format import (
    NumberFormat,
    format_as_learned,
    format_of_numbers,
    has_decimal_points,
    is_plain,
    may_part_thousands,
    sample_values,
    shown_mark,
    write_plainly,
)
from bayesfold.io.csv.column_types import TEXT, NotANumber, as_numbers, decide_type
from bayesfold.io.engines import SourcePart, Types
from bayesfold.io.engines.csv import Csv
from bayesfold.runtime.arrow_buffers import arrow_texts, replace_columns

MOST_NAMED = 3
MOST_FILES = 100
"""Most files whose first rows are looked at."""


PLAIN = NumberFormat(".")


@dataclass
class NumberFormats:
    """The number formats of columns of some text files; `decimal` is the mark before decimals, if it was given."""

    parts: Sequence[Csv]
    decimal: str | None = None
    looked_up: dict[str, NumberFormat | None] = field(default_factory=dict)  # as far as they were looked for
    doubtful: set[str] = field(default_factory=set)  # columns like 1.234, whose points may separate thousands
    shown_marks: dict[str, str | None] = field(default_factory=dict)
    used: dict[str, NumberFormat] = field(default_factory=dict)  # of columns that were read as numbers

    def of(self, name: str) -> NumberFormat | None:
        """How the numbers of a column are written, where that is not plainly."""
        if name not in self.looked_up:
            self.looked_up[name] = self._of(name) if self.decimal is None else NumberFormat(self.decimal)
        return self.looked_up[name]

    def _of(self, name: str) -> NumberFormat | None:
        if not self._suspect:
            return None
        number_format = self._of_all(name)
        if len(self._alone) < 2 or not (odd := find_misread(name, number_format, self._alone)):
            return number_format
        for other in (PLAIN, NumberFormat(",")):
            if not find_misread(name, other, self._alone):
                return other
        raise ValueError(describe_two_ways(name, odd, self._alone))

    @cached_property
    def _alone(self) -> "list[NumberFormats]":
        """The number formats of each file by itself."""
        return [NumberFormats([part]) for part in self.parts[:MOST_FILES]]

    def _of_all(self, name: str) -> NumberFormat | None:
        """The number format of a column by what it holds in all files together."""
        shown, separator = self._shown(name), self.parts[0].separator
        number_format = format_of_numbers(shown, separator)
        if number_format is None and separator != "," and may_part_thousands(shown):
            others = (format_of_numbers(self._shown(other), ",") for other in self.parts[0].types if other != name)
            number_format = next((other for other in others if other == NumberFormat(",")), None)
            if number_format is None and not any(
                has_decimal_points(self._shown(other)) for other in self.parts[0].types if other != name
            ):
                self.doubtful.add(name)
        return number_format

    @cached_property
    def _suspect(self) -> bool:
        """Whether any number may be written in another way than plainly."""
        return any(part.may_format_numbers for part in self.parts[:MOST_FILES])

    def _shown(self, name: str) -> pa.Array:
        """Distinct values of a column in the first rows of the files."""
        columns = [part.beginning.column(name) for part in self.parts[:MOST_FILES] if name in part.types]
        return distinct_texts(
            pa.chunked_array([chunk for c in columns for chunk in c.chunks], TEXT).unify_dictionaries()
        )

    def texts(self, name: str) -> pa.Array:
        """The distinct values of a column in the first rows, without those that are missing."""
        return sample_values(self._shown(name))

    def use(self, name: str, learned: Mapping[str, str] | None = None) -> NumberFormat | None:
        """The number format of a column that is now read as numbers, which `notes` then mentions.

        `learned` are the marks that a model knows of columns: one decides where the files themselves do not.
        """
        mark = (learned or {}).get(name)
        if learned and mark and self.decimal is None and (self._suspect or mark != ".") and self._fit(name, learned):
            number_format = format_as_learned(self._shown(name), mark)
            if number_format is not None:
                self.used[name] = number_format
            return number_format
        number_format = self.of(name)
        if number_format is None and mark and self.decimal is None and not is_plain(self.texts(name)):
            number_format = format_as_learned(self._shown(name), mark)  # losses alone are numbers to who knows them
        if number_format is not None or name in self.doubtful:
            self.used[name] = number_format or PLAIN
        return number_format

    def _fit(self, name: str, learned: Mapping[str, str]) -> bool:
        """Whether the numbers of a column may have the mark that a model knows, and no other column lacks its own."""
        others = (self._mark(n) in (None, learned[n]) for n in self.parts[0].types if learned.get(n) and n != name)
        return self._mark(name) is None and all(others)

    def _mark(self, name: str) -> str | None:
        """The decimal mark that a column shows by itself."""
        if name not in self.shown_marks:
            self.shown_marks[name] = shown_mark(self._shown(name))
        return self.shown_marks[name]

    @cached_property
    def marks(self) -> set[str]:
        """The decimal marks that any column shows by itself."""
        return {mark for part in self.parts for name in part.types if (mark := self._mark(name))}

    def learned(self, types: Types) -> dict[str, str]:
        """The decimal marks of columns that were read as numbers; of whole numbers the one that all others have."""
        marks: dict[str, str] = {}
        if not self.parts:
            return marks
        whole = [name for name, kind in types.items() if pa.types.is_integer(kind)]
        for name, kind in types.items():
            if not pa.types.is_floating(kind) or name in self.doubtful:
                continue
            number_format = self.of(name)
            if number_format is not None and self.decimal is None and shows_no_mark(self._shown(name)):
                whole.append(name)
            else:
                marks[name] = (number_format or PLAIN).decimal
        every = {*marks.values()} if self.decimal is None else {self.decimal}
        return marks | (dict.fromkeys(whole, every.pop()) if len(every) == 1 else {})

    def use_for(self, types: Types) -> dict[str, NumberFormat]:
        """The number formats of those of these columns that are read as numbers."""
        numbers = [name for name, kind in types.items() if pa.types.is_floating(kind) or pa.types.is_integer(kind)]
        return {name: number_format for name in numbers if (number_format := self.use(name)) is not None}

    def kind_of(self, name: str, values: pa.Array, markers: frozenset[str]) -> pa.DataType:
        """What a column of text holds, by distinct values, however its numbers are written."""
        number_format = self.of(name)
        if number_format is None:
            return decide_type(values, markers)
        known = values.filter(pc.invert(pc.is_in(values, arrow_texts(sorted(markers)))))
        plain = write_plainly(known.cast(pa.string()), number_format)
        return pa.float64() if decide_type(plain, frozenset()) != TEXT else TEXT

    def as_written(self, target: str) -> dict[str, str]:
        """That a column of classes is text, where its numbers are not plain: 12 % and 1,3 are names there."""
        return {} if self.of(target) is None else {target: "text"}

    def notes(self, doubtful: bool = False) -> list[str]:
        """Notes on how numbers were read that are not plainly written, or may not be; or on the `doubtful` ones."""
        shown: dict[NumberFormat, list[str]] = {}
        order = dict.fromkeys(
            name for part in self.parts for name in part.types
        )  # threads look at columns in any order
        for name in order if self.decimal is None else ():
            if name in self.used and (not doubtful or (name in self.doubtful and self.used[name] == PLAIN)):
                shown.setdefault(self.used[name], []).append(name)
        notes = []
        for number_format, names in shown.items():
            examples = {name: longest_example(self._shown(name), number_format) for name in names}
            names = [name for name in names if examples[name][0]]  # not those of whole numbers alone, written plainly
            if not names:
                continue
            before, after = max((examples[name] for name in names), key=lambda pair: len(pair[0]))
            more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
            where = f"column{'s' * (len(names) > 1)} {', '.join(map(repr, names[:MOST_NAMED]))}{more}"
            notes.append(f"numbers of {where} are read like this one: {before!r} is {after}; decimal= says otherwise")
        return notes


def shows_no_mark(values: pa.Array) -> bool:
    """Whether numbers mean the same with either decimal mark: 5'142 and 950.

    >>> shows_no_mark(arrow_texts(["5'142", "950"])), shows_no_mark(arrow_texts(["5,142", "950"]))
    (True, False)
    """
    texts = sample_values(values)
    return bool(write_plainly(texts, PLAIN).equals(write_plainly(texts, NumberFormat(","))))


def find_misread(name: str, number_format: NumberFormat | None, files: Sequence[NumberFormats]) -> NumberFormats | None:
    """The first of some files whose numbers in a column are read otherwise in this format than by themselves; None
    where there is none, or where not all files hold numbers there."""
    columns = [(file, file.texts(name), file.of(name)) for file in files if name in file.parts[0].types]
    columns = [(file, texts, own) for file, texts, own in columns if len(texts)]
    if any(own is None and not is_plain(texts) for _, texts, own in columns):
        return None
    deciding = {file.parts[0].separator for file, texts, _ in columns if shown_mark(texts) is not None}
    for file, texts, own in columns:
        silent = not file.marks - {(number_format or PLAIN).decimal}
        told_by_others = silent and (name in file.doubtful or file.parts[0].separator in deciding)
        if not told_by_others and not write_plainly(texts, own).equals(write_plainly(texts, number_format)):
            return file
    return None


def describe_two_ways(name: str, odd: NumberFormats, files: Sequence[NumberFormats]) -> str:
    """What to say of a column whose numbers two files write in ways that do not go together."""
    other = next((file for file in files if find_misread(name, odd.of(name), [file])), files[0])
    (here, first), (there, second) = (
        (longest_example(file.texts(name), file.of(name) or PLAIN)[0] or file.texts(name)[0].as_py(), file)
        for file in (odd, other)
    )
    return (
        f"column {name!r} is written like {here!r} in {first.parts[0].label} and like {there!r} in "
        f"{second.parts[0].label}; write them alike, or learn and answer these files one after the other: alone, each "
        "is read by its own signs"
    )


def read_formatted(
    piece: pa.Table,
    formats: Mapping[str, NumberFormat],
    markers: Mapping[str, frozenset[str]],
    part: SourcePart,
    begin: int,
) -> pa.Table:
    """Columns of text as the numbers that they hold; what is not a number is refused by its line."""
    columns = {}
    for name, number_format in formats.items():
        texts = piece.column(name).cast(pa.string())
        try:
            columns[name] = as_numbers(texts, markers.get(name, frozenset()), name, number_format)
        except NotANumber as error:
            raise error.at(part.place(begin + error.row)) from None
    return replace_columns(piece, columns)


def longest_example(values: pa.Array, number_format: NumberFormat) -> tuple[str, str]:
    """The longest of values that are not plainly written, and how it is read, one that ends as a loss does before
    others; of plain ones the longest."""
    plain = write_plainly(values.cast(pa.string()), number_format)
    both = list(zip(values.to_pylist(), plain.to_pylist(), strict=True))
    pairs = [(a.strip(), b) for a, b in both if a != b] or [(a, f"{float(b):g}") for a, b in both if "." in b]
    return max(pairs, key=lambda pair: (pair[0].endswith((")", "-", "−")), len(pair[0])), default=("", ""))


def distinct_texts(column: pa.ChunkedArray) -> pa.Array:
    """The distinct values of a column of text."""
    chunk = column.combine_chunks() if column.num_chunks != 1 else column.chunk(0)
    return chunk.dictionary.take(chunk.indices.unique()) if pa.types.is_dictionary(chunk.type) else chunk.unique()
