"""Terms of documents: how the loop stops and goes on. What it finds is judged in tests/test_terms.py, by scikit-learn.

The source is not run uncompiled: its keys are 64-bit numbers that wrap around, which numpy's and Python's do not alike.
"""

import numpy as np
import pytest
from tests.kernels.reference import compiled

from bayesfold.data.text.documents import to_documents
from bayesfold.data.text.tokenizer import NO_TABLES, Analyser
from bayesfold.data.text.vocabulary import Store


def reader(rows, **short):
    """A reader with little room, some arrays cut shorter still; and the arrays by name."""
    store = Store(400, 4_000)
    given = {
        "scratch": np.zeros(200, np.uint8),
        "starts": np.zeros(200, np.intp),
        "table": store.table,
        "ends": store.ends,
        "arena": store.arena,
        "top": store.top,
        "last": np.full(401, -1, np.int32),
        "rows": np.zeros(rows + 1, np.int64),
        "columns": np.zeros(600, np.int32),
        "values": np.zeros(600, np.int32),
        "tokens": np.zeros((rows, 2), np.int32),
    }
    for name, size in short.items():
        given[name] = given[name][:size].copy()
    keys, slots = np.zeros((2, 256), np.uint64)
    at, sizes = np.zeros((2, 256), np.intp)
    made = compiled("words").Reader(Analyser().code, True, 0, (keys, at, sizes, slots))
    made.look_up_in(*(given[name] for name in ("table", "ends", "arena", "top", "last")))
    made.read_by(*NO_TABLES, given["scratch"], given["starts"])
    made.write_to(*(given[name] for name in ("rows", "columns", "values", "tokens")))
    return made, given


def run(docs, **short):
    text = to_documents(docs)
    made, given = reader(len(docs), **short)
    done = made.read(text.data, text.offsets, 0, len(docs), 0, False)
    return (done, made.why), made, given


def test_other_letters_without_tables_stop_the_call():
    assert run(["plain", "é"])[0] == (1, 5)


@pytest.mark.parametrize(
    ("short", "stopped"),
    [
        ({}, (2, 0)),
        ({"table": 4}, (1, 1)),
        ({"last": 3}, (1, 1)),
        ({"arena": 30}, (1, 2)),
        ({"columns": 3, "values": 3}, (1, 3)),
        ({"scratch": 40}, (1, 4)),
    ],
)
def test_what_is_too_small_is_named_and_the_document_starts_over(short, stopped):
    how, made, given = run(["one two", "three four one"], **short)
    assert how == stopped
    if stopped[0] == 1:
        assert made.entries == given["rows"][1] == 2
        assert (given["last"] < 2).all()
        how, made, given = run(["one two", "three four one"])
        assert how == (2, 0)
        assert given["rows"].tolist() == [0, 2, 5]
