"""Counts that are not the same have different keys, so that none is taken up as another."""

import copy
import os
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet
import pytest

from bayesfold.io.checkpoint import key_of
from bayesfold.io.open import open_source
from bayesfold.io.selection import select_columns
from bayesfold.learning.kinds import find

TOLD: dict[str, Any] = {"kind": "naive", "target": "y", "weight": None, "columns": ["a", "b"], "missing": None}


def key(path: Path, encoding: str | None = None, decimal: str | None = None, **told: Any) -> str:
    """The key of a count, of which something may be told otherwise."""
    told = TOLD | told
    with open_source(path, encoding, decimal) as source:
        wanted = select_columns(source, told["target"], told["weight"], told["columns"], told["missing"])
        declared = told["columns"] if isinstance(told["columns"], dict) else {}
        return key_of(find(told["kind"])(**told.get("settings", {})), source, wanted, declared)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A table, as a text file."""
    file = tmp_path / "t.csv"
    file.write_text("a,b,w,y\n1,2,1,p\n3,?,2,q\n", encoding="utf-8")
    return file


@pytest.mark.parametrize(
    "other",
    [
        {"weight": "w"},
        {"target": "w"},
        {"columns": ["a"]},
        {"columns": ["b", "a"]},
        {"columns": {"a": "text"}},
        {"columns": {"a": "number"}},
        {"missing": "?"},
        {"missing": "-"},
        {"kind": "aode"},
        {"settings": {"alpha": 2.0}},
        {"encoding": "latin-1"},
        {"decimal": ","},
    ],
    ids=str,
)
def test_whatever_is_told_otherwise_is_another_count(other: dict[str, Any], path: Path) -> None:
    assert key(path) == key(path)
    assert key(path, **other) != key(path)


def costs(middle: float) -> np.ndarray[Any, Any]:
    """A loss of so many classes that print elides the middle of it."""
    loss = 1 - np.eye(40)
    loss[20, 19] = middle
    return loss


@pytest.mark.parametrize(
    ("name", "one", "other"),
    [
        ("loss", costs(1), costs(2)),
        ("loss", pd.DataFrame(costs(1)), pd.DataFrame(costs(2))),
        ("loss", pa.table(pd.DataFrame(costs(1))), pa.table(pd.DataFrame(costs(2)))),
        ("loss", pl.DataFrame(costs(1)), pl.DataFrame(costs(2))),
        ("priors", pd.Series(costs(1)[20]), pd.Series(costs(2)[20])),
        ("priors", pd.Series(np.r_[np.ones(99), 1, 1]), pd.Series(np.r_[np.ones(50), 2, np.ones(50)])),
        ("priors", np.array([0.5, 0.5]), np.array([0.5 + 1e-10, 0.5 - 1e-10])),
        ("class_weight", pl.Series(range(100)), pl.Series([*range(50), 7, *range(51, 100)])),
    ],
    ids=lambda told: type(told).__name__,
)
def test_settings_count_where_print_elides_them_or_rounds(name: str, one: Any, other: Any, path: Path) -> None:
    assert key(path, settings={name: one}) == key(path, settings={name: copy.deepcopy(one)})
    assert key(path, settings={name: one}) != key(path, settings={name: other})


def test_the_order_of_a_set_is_not_another_setting(path: Path) -> None:
    told = [{"*": set(order)} for order in ([0, 8, 16], [16, 8, 0])]  # numbers that want the same place in a small set
    assert len({repr(one) for one in told}) > 1
    assert len({key(path, settings={"missing": one}) for one in told}) == 1


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_a_file_that_is_changed_in_place_is_another(form: str, path: Path) -> None:
    if form == "parquet":
        path = path.with_suffix(".parquet")
        pa.parquet.write_table(pa.table({"a": [1, 3], "b": [2, 4], "y": [*"pq"]}), path)
    before, stat = key(path), path.stat()
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns + 1_000_000))  # the same size, and another date
    assert key(path) != before
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    assert key(path) == before
    assert key(path.rename(path.with_name(f"other.{form}"))) != before
