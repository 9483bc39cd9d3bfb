"""Terms of documents: how the loop stops and goes on. What it finds is judged in tests/test_terms.py, by scikit-learn.

The source is not run uncompiled: its keys are 64-bit numbers that wrap around, which numpy's and Python's do not alike.
"""

import numpy as np
import pytest

from bayesfold.terms import NO_TABLES, Analyser, documents
from bayesfold.vocabulary import Store

from .reference import compiled


def arguments(docs, **short):
    """What the kernel is given, by name, with some arrays cut short."""
    text, store, rows = documents(docs), Store(400, 4_000), len(docs)
    given = {
        "data": text.data,
        "offsets": text.offsets,
        "begin": 0,
        "end": rows,
        "row": 0,
        "ready": False,
        "analyser": Analyser().code,
        **dict(zip(("stage", "kind", "shift"), NO_TABLES, strict=True)),
        "scratch": np.zeros(200, np.uint8),
        "starts": np.zeros(200, np.intp),
        "keys": np.zeros(256, np.uint64),
        "at": np.zeros(256, np.intp),
        "sizes": np.zeros(256, np.intp),
        "grow": True,
        "known": 0,
        "table": store.table,
        "ends": store.ends,
        "arena": store.arena,
        "top": store.top,
        "last": np.full(401, -1, np.int64),
        "indptr": np.zeros(rows + 1, np.int64),
        "indices": np.zeros(600, np.int32),
        "values": np.zeros(600, np.int32),
        "tokens": np.zeros((rows, 2), np.int32),
        "state": np.zeros(3, np.intp),
    }
    for name, size in short.items():
        given[name] = given[name][:size].copy()
    return given


def run(given):
    done = compiled("words").index(*given.values())
    return done, int(given["state"][0])


def test_other_letters_without_tables_stop_the_call():
    assert run(arguments(["plain", "é"])) == (1, 5)


@pytest.mark.parametrize(
    ("short", "stopped"),
    [
        ({}, (2, 0)),
        ({"table": 4}, (1, 1)),
        ({"last": 3}, (1, 1)),
        ({"arena": 30}, (1, 2)),
        ({"indices": 3, "values": 3}, (1, 3)),
        ({"scratch": 40}, (1, 4)),
    ],
)
def test_what_is_too_small_is_named_and_the_document_starts_over(short, stopped):
    given = arguments(["one two", "three four one"], **short)
    assert run(given) == stopped
    if stopped[0] == 1:
        assert given["state"][1] == given["indptr"][1] == 2
        assert (given["last"] < 2).all()
        room = arguments(["one two", "three four one"])
        assert run(room) == (2, 0)
        assert room["indptr"].tolist() == [0, 2, 5]
