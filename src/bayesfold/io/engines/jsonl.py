"""JSON lines: one object per line, its keys being the columns; a key that a line lacks is a missing value. Or JSON: one
array of such objects.

A column is what all of its values are together, so the file is passed over once before its rows come. Objects and lists
inside a row are the text that they are written as.

>>> import tempfile
>>> path = Path(tempfile.mkdtemp()) / "t.jsonl"
>>> _ = path.write_text('{"a": 1, "y": "no"}\\n\\n{"a": 2.5, "y": "yes", "b": [1]}\\n')
>>> JsonLines(path, "t.jsonl").open().read_all().to_pylist()
[{'a': 1.0, 'y': 'no', 'b': None}, {'a': 2.5, 'y': 'yes', 'b': '[1]'}]
"""

import io
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, islice
from pathlib import Path
from typing import Any

import pyarrow as pa

from bayesfold.io.engines._batches import Batches
from bayesfold.io.engines._cells import as_array, common_type, settled, type_of_cells
from bayesfold.io.signatures import Ends, codec_of
from bayesfold.runtime.json_members import members_once, refuse_half_characters

SUFFIXES = (".jsonl", ".ndjson", ".json")
PACKED = re.compile(r"\.(jsonl|ndjson|json)\.(gz|bz2|zst)$")
OBJECT = re.compile(rb"(?:\xef\xbb\xbf)?\s*(\{.*\})\s*(?:\n|$)")
"""The first line of JSON lines: an object of its own."""
ARRAY = re.compile(rb'(?:\xef\xbb\xbf)?\s*\[\s*\{\s*"(?:[^"\\]|\\.)*"\s*:')
"""How an array of objects begins, wherever its lines end."""
AT_ONCE = 8_192
"""Lines in a batch."""
DECODER = json.JSONDecoder(object_pairs_hook=members_once)
"""One for all lines: to make it takes as long as to read a line."""


def opens(ends: Ends) -> bool:
    """Whether a file has JSON lines, by its name or its first line."""
    named = ends.suffix in SUFFIXES or PACKED.search(ends.name.lower()) is not None
    return named or is_object(ends.head) or ARRAY.match(ends.head) is not None


def part(path: Path, label: str) -> Batches:
    """The rows of a file of JSON lines."""
    return Batches(JsonLines(path, label).open, label, path)


def is_object(head: bytes) -> bool:
    """Whether the first line of a file is an object in JSON: no header of a table is one.

    >>> is_object(b'{"a": 1}\\n'), is_object(b"{a},b\\n")
    (True, False)
    """
    line = OBJECT.match(head)
    try:
        return line is not None and isinstance(json.loads(line[1]), dict)
    except ValueError:
        return False


@dataclass(frozen=True)
class JsonLines:
    """A file of JSON lines."""

    path: Path
    label: str

    @cached_property
    def schema(self) -> pa.Schema:
        """The columns in the order in which they first appear."""
        kinds: dict[str, pa.DataType | None] = {}
        for rows in self._rows():
            for name in dict.fromkeys(key for row in rows for key in row):
                kinds[name] = common_type(kinds.get(name), type_of_cells([row.get(name) for row in rows]))
        if not kinds:
            raise ValueError(f"{self.label} has no rows")
        return pa.schema([(name, settled(kind)) for name, kind in kinds.items()])

    def open(self) -> pa.RecordBatchReader:
        """The rows, from the first on."""
        schema = self.schema
        return pa.RecordBatchReader.from_batches(schema, (make_batch(rows, schema) for rows in self._rows()))

    def _rows(self) -> Iterator[list[dict[str, Any]]]:
        with pa.input_stream(str(self.path), compression=codec_of(self.path)) as file:
            text = io.TextIOWrapper(io.BufferedReader(file), "utf-8-sig")
            try:
                rows = self._objects(text)
                while chunk := list(islice(rows, AT_ONCE)):
                    yield chunk
            except (OSError, UnicodeDecodeError) as error:
                raise ValueError(f"{self.label} cannot be read as JSON lines: {error}") from None

    def _objects(self, text: io.TextIOWrapper) -> Iterator[dict[str, Any]]:
        lines = enumerate(text, 1)
        first = next(((number, line) for number, line in lines if line.strip()), None)
        if first is None:
            return
        if first[1].lstrip().startswith("["):  # one array: all of it is read, since its lines may end anywhere
            rows = self._read("".join([first[1], *text]), self.label)
            yield from (self._object(row, f"{self.label}, row {i:,}") for i, row in enumerate(rows, 1))
            return
        for number, line in chain([first], lines):
            if line.strip():
                place = f"{self.label}, line {number:,}"
                yield self._object(self._read(line, place), place)

    def _read(self, text: str, place: str) -> Any:
        try:
            read = DECODER.decode(text)
            refuse_half_characters(text, read)
            return read
        except RecursionError:
            raise ValueError(f"{place}: too many lists within lists to be a table") from None
        except json.JSONDecodeError as error:
            wanted = "one object per line, or one array of objects"
            raise ValueError(f"{place}: this is not JSON ({error}); write {wanted}") from None
        except ValueError as error:
            raise ValueError(f"{place}: {error}") from None

    def _object(self, row: Any, place: str) -> dict[str, Any]:
        if not isinstance(row, dict):
            raise ValueError(f"{place}: this is no object; write one {{...}} per row")
        return row


def make_batch(rows: list[dict[str, Any]], schema: pa.Schema) -> pa.RecordBatch:
    """Rows as a batch."""
    columns = [as_array([row.get(field.name) for row in rows], field.type) for field in schema]
    return pa.RecordBatch.from_arrays(columns, schema=schema)
