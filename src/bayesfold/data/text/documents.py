"""Texts of any library as one stretch of letters, with where each document begins."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from bayesfold.data.frame import is_text
from bayesfold.runtime.arrow_buffers import arrow_array


@dataclass(frozen=True)
class Documents:
    """UTF-8 text: document i is data[offsets[i] : offsets[i + 1]]."""

    data: NDArray[np.uint8]
    offsets: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def bytes(self) -> int:
        """Length of all documents."""
        return int(self.offsets[-1] - self.offsets[0])

    def lowered(self, d: int, lowercase: bool) -> "Documents":
        """One document through Python, which knows what depends on context and what is not UTF-8."""
        text = self.data[self.offsets[d] : self.offsets[d + 1]].tobytes().decode("utf-8", "replace")
        data = np.frombuffer((text.lower() if lowercase else text).encode(), np.uint8)
        return Documents(data, np.array([0, len(data)]))


def to_documents(values: Any) -> Documents:
    """A column of text as its UTF-8 bytes: Arrow's own buffers where that is possible."""
    array = values if isinstance(values, pa.Array | pa.ChunkedArray) else text_array(values)
    if isinstance(array, pa.ChunkedArray):
        array = array.combine_chunks() if array.num_chunks != 1 else array.chunk(0)
    kind = array.type
    if pa.types.is_null(kind):
        return Documents(np.empty(0, np.uint8), np.zeros(len(array) + 1, np.int64))
    if pa.types.is_dictionary(kind):
        array = array.dictionary_decode()
        kind = array.type
    if not (is_text(kind) or pa.types.is_binary(kind) or pa.types.is_large_binary(kind)):
        raise TypeError(f"documents must be text, not {kind}; turn numbers into text first, or leave the column out")
    if array.null_count:
        array = array.fill_null("" if is_text(kind) else b"")
    if is_text(kind) and not pa.types.is_string(kind) and not pa.types.is_large_string(kind):
        array = array.cast(pa.large_string())
    wide = pa.types.is_large_string(array.type) or pa.types.is_large_binary(array.type)
    _, ends, data = array.buffers()
    if ends is None or not len(array):
        return Documents(np.empty(0, np.uint8), np.zeros(len(array) + 1, np.int64))
    offsets = np.frombuffer(ends, np.int64 if wide else np.int32)[array.offset : array.offset + len(array) + 1]
    letters = np.frombuffer(data, np.uint8) if data is not None and data.size else np.empty(0, np.uint8)
    if offsets[0] < 0 or offsets[-1] > len(letters) or (np.diff(offsets) < 0).any():
        raise ValueError("the text column is damaged: its offsets point outside its buffer")
    return Documents(letters, offsets.astype(np.int64))


def text_array(values: Any) -> pa.Array:
    """Python's, numpy's or pandas' text as an Arrow array; what is no text is refused by row."""
    try:
        array = arrow_array(values)
    except UnicodeEncodeError:  # a lone surrogate: no text can hold it, and it is no word character
        array = pa.array([v if v is None else str(v).encode("utf-8", "replace").decode() for v in values])
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError):
        row = next((i for i, v in enumerate(values) if not (isinstance(v, str) or v is None or v != v)), None)
        what = "" if row is None else f"row {row} holds {type(values[row]).__name__}; "
        raise TypeError(f"{what}documents must be text (or None where one is missing)") from None
    return array
