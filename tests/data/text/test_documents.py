"""Texts of any library as letters and where each begins."""

import numpy as np
import pyarrow as pa
import pytest

from bayesfold.data.text.documents import Documents, to_documents


def texts(documents):
    return [
        documents.data[a:b].tobytes().decode("utf-8", "replace")
        for a, b in zip(documents.offsets, documents.offsets[1:], strict=False)
    ]


WORDS = ["one", "", "zwei é", "three"]
STORED = {
    "list": WORDS,
    "numpy": np.array(WORDS, object),
    "string": pa.array(WORDS),
    "large": pa.array(WORDS, pa.large_string()),
    "view": pa.array(WORDS, pa.string_view()),
    "bytes": pa.array([w.encode() for w in WORDS]),
    "large bytes": pa.array([w.encode() for w in WORDS], pa.large_binary()),
    "codes": pa.array(WORDS).dictionary_encode(),
    "chunks": pa.chunked_array([WORDS[:1], [], WORDS[1:]]),
    "slice": pa.array(["skip", *WORDS, "skip"]).slice(1, 4),
}


@pytest.mark.parametrize("stored", STORED)
def test_documents_are_the_texts_however_they_are_stored(stored):
    found = to_documents(STORED[stored])
    assert texts(found) == WORDS
    assert len(found) == 4
    assert found.bytes == len("".join(WORDS).encode())


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.binary()])
def test_missing_and_empty_documents_have_no_letters(kind):
    found = to_documents(pa.array([None, "", "ab"]).cast(kind))
    assert texts(found) == ["", "", "ab"]
    assert texts(to_documents(pa.nulls(2))) == ["", ""]
    assert len(to_documents(pa.array([], kind))) == 0
    nothing = to_documents(pa.array(["", ""]).cast(kind))
    assert (len(nothing), nothing.bytes) == (2, 0)


def test_what_is_no_text_is_refused():
    with pytest.raises(TypeError, match="documents must be text, not int64; turn numbers into text first"):
        to_documents(pa.array([1, 2]))
    with pytest.raises(TypeError, match="row 2 holds int; documents must be text"):
        to_documents(["a", None, 7])


def test_one_document_in_lower_case():
    found = Documents(np.frombuffer("ABΣ Ä\xff".encode("latin-1", "replace"), np.uint8), np.array([0, 2, 6]))
    assert texts(found.lowered(0, True)) == ["ab"]
    assert texts(found.lowered(0, False)) == ["AB"]
    assert "\ufffd" in texts(found.lowered(1, True))[0]
