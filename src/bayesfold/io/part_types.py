"""What the parts of a source have in common: the type that holds a column in all of them, and how large each is."""

from pathlib import Path

import pyarrow as pa

from bayesfold.data.frame import is_text
from bayesfold.io.engines import SourcePart


def common_part_type(name: str, kind: pa.DataType, part: SourcePart, first: SourcePart) -> pa.DataType:
    """A type that holds what a column holds in two parts."""
    other = part.types[name]
    if kind == other or (is_text_type(kind) and is_text_type(other)):
        return kind
    if all(pa.types.is_integer(t) or pa.types.is_floating(t) or pa.types.is_decimal(t) for t in (kind, other)):
        return pa.float64()
    raise ValueError(f"column {name!r} holds {kind} in {first.label} and {other} in {part.label}; make them alike")


def is_text_type(kind: pa.DataType) -> bool:
    """Whether a type is text, plain or in a dictionary."""
    return is_text(kind) or (pa.types.is_dictionary(kind) and is_text(kind.value_type))


def size_of(part: SourcePart) -> int:
    """How large a part is, to share a sample among files."""
    path = getattr(part, "path", None)
    return 1 if path is None else max(1, Path(path).stat().st_size)
