"""A table is the same table in whatever library and of whatever kinds of columns it comes, for every verb.

Each kind of table below holds the same cells as plain lists do; every estimator learns it, answers for it, learns more,
forgets, leaves rows out, drops rows of no weight, and gives the numbers that the lists give.
"""

from collections.abc import Callable
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import bayesfold as bf

pytestmark = pytest.mark.filterwarnings("ignore::bayesfold.ColumnWarning")

ROWS = 60
DRAW = np.random.default_rng(5)
PLAIN: dict[str, list[Any]] = {
    "city": DRAW.choice(["Rome", "Bern", "Oslo"], ROWS).tolist(),
    "rooms": DRAW.integers(0, 5, ROWS).tolist(),
    "price": DRAW.normal(3, 1, ROWS).round(1).tolist(),
    "lift": (DRAW.random(ROWS) < 0.5).tolist(),
    "nothing": [None] * ROWS,
}
PLAIN["city"][4] = PLAIN["lift"][5] = PLAIN["price"][6] = None
LABELS = np.where(np.array(PLAIN["rooms"]) + DRAW.normal(size=ROWS) > 2, "buy", "rent")
WEIGHTS = DRAW.integers(0, 3, ROWS).astype(float)
UNLABELLED = [None if i % 3 == 0 else label for i, label in enumerate(LABELS.tolist())]
RECORDS = [dict(zip(PLAIN, values, strict=True)) for values in zip(*PLAIN.values(), strict=True)]
TABLE = pa.table(PLAIN)
FRAME = pd.DataFrame(PLAIN)
POLARS = pl.DataFrame(PLAIN)


def cast(**kinds: Any) -> pa.Table:
    """The table with columns cast to other kinds of Arrow's."""
    made = TABLE
    for name, kind in kinds.items():
        made = made.set_column(made.column_names.index(name), name, made[name].cast(kind))
    return made


def in_pieces(**arrays: Any) -> pa.Table:
    """The table with columns replaced."""
    made = TABLE
    for name, values in arrays.items():
        made = made.set_column(made.column_names.index(name), name, values)
    return made


def sparse() -> pd.DataFrame:
    """pandas' sparse columns."""
    rooms = pd.arrays.SparseArray(np.array(PLAIN["rooms"]), fill_value=0)
    price = pd.arrays.SparseArray(np.array(PLAIN["price"], float))
    return FRAME.assign(rooms=rooms, price=price)


def records() -> Any:
    """A numpy array of records."""
    kinds = [("city", object), ("rooms", "i2"), ("price", "f8"), ("lift", object), ("nothing", object)]
    return np.array([tuple(np.nan if k == "price" and v is None else v for k, v in r.items()) for r in RECORDS], kinds)


INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
KINDS: dict[str, Callable[[], Any]] = {
    "list of dicts": lambda: RECORDS,
    "dict of arrays": lambda: {n: np.array(v, object) for n, v in PLAIN.items()},
    "dict of masked arrays": lambda: {
        **PLAIN,
        "price": np.ma.masked_invalid(np.array(PLAIN["price"], float)),
        "rooms": np.ma.masked_array(PLAIN["rooms"]),
    },
    "dict of big-endian arrays": lambda: {
        **PLAIN,
        "rooms": np.array(PLAIN["rooms"], ">i4"),
        "price": np.array(PLAIN["price"], float).astype(">f8"),
    },
    "dict of long doubles": lambda: {**PLAIN, "price": np.array(PLAIN["price"], np.longdouble)},
    "dict of fixed text": lambda: {**PLAIN, "city": np.array([c or "" for c in PLAIN["city"]])},
    "dict of series": lambda: {n: pl.Series(n, v) for n, v in PLAIN.items()},
    "records": records,
    "pandas": lambda: FRAME,
    "pandas objects": lambda: FRAME.astype(object),
    "pandas empty text": lambda: FRAME.astype(object).fillna(""),
    "pandas nullable": lambda: FRAME.convert_dtypes(),
    "pandas arrow": lambda: FRAME.convert_dtypes(dtype_backend="pyarrow"),
    "pandas category": lambda: FRAME.astype({"city": "category", "lift": "category"}),
    "pandas sparse": sparse,
    "polars": lambda: POLARS,
    "polars lazy": lambda: POLARS.lazy(),
    "polars categorical": lambda: POLARS.with_columns(pl.col("city").cast(pl.Categorical)),
    "polars enum": lambda: POLARS.with_columns(pl.col("city").cast(pl.Enum(["Bern", "Oslo", "Rome"]))),
    "polars decimal": lambda: POLARS.with_columns(pl.col("price").cast(pl.Decimal(10, 1))),
    "polars int128": lambda: POLARS.with_columns(pl.col("rooms").cast(pl.Int128)),
    "arrow": lambda: TABLE,
    "arrow chunks": lambda: pa.concat_tables([TABLE.slice(0, 7), TABLE.slice(7)]),
    "arrow slice": lambda: pa.concat_tables([TABLE.slice(0, 3), TABLE]).combine_chunks().slice(3),
    "arrow view": lambda: cast(city=pa.string_view()),
    "arrow large": lambda: cast(city=pa.large_string()),
    "arrow dictionary": lambda: in_pieces(city=TABLE["city"].dictionary_encode()),
    "arrow wide dictionary": lambda: cast(city=pa.dictionary(pa.int64(), pa.large_string())),
    "arrow runs": lambda: in_pieces(city=pa.compute.run_end_encode(TABLE["city"])),
    "arrow decimal": lambda: cast(rooms=pa.decimal128(30, 2)),
    "arrow halves": lambda: cast(rooms=pa.float16()),
    "arrow singles": lambda: cast(rooms=pa.float32()),
    "arrow reader": lambda: pa.RecordBatchReader.from_batches(TABLE.schema, TABLE.to_batches(max_chunksize=25)),
    "duckdb": lambda: duckdb.from_arrow(TABLE),
    **{f"arrow {kind}": lambda kind=kind: cast(rooms=getattr(pa, kind)()) for kind in INTEGERS},  # type: ignore[misc]
}
ESTIMATORS: dict[str, Callable[[], Any]] = {
    "naive": bf.NaiveBayes,
    "spode": bf.SPODE,
    "aode": bf.AODE,
    "tan": bf.TAN,
    "kdb": bf.KDB,
    "gaussian": bf.GaussianBayes,
    "text": lambda: bf.TextClassifier(families={"rooms": "categorical"}),
    "pool": bf.BayesClassifier,
}


def answers(make: Callable[[], Any], table: Callable[[], Any]) -> list[Any]:
    """What every verb gives for a table."""
    clf = make().fit(table(), LABELS)
    found = [clf.predict_log_proba(table()), clf.leave_one_out(table(), LABELS)]
    found.append(make().fit(table(), LABELS, sample_weight=WEIGHTS).predict_log_proba(table()))
    clf.partial_fit(table(), LABELS[::-1].copy())
    found.append(clf.predict_log_proba(table()))
    found.append(clf.forget(table(), LABELS).predict_log_proba(table()))
    if isinstance(clf, bf.NaiveBayes):
        found.append(bf.NaiveBayes(unlabelled="em").fit(table(), UNLABELLED).predict_log_proba(table()))
    return found


@pytest.fixture(scope="module")
def expected() -> Callable[[str], list[Any]]:
    """The answers of an estimator for plain lists, worked out once."""
    known: dict[str, list[Any]] = {}

    def of(name: str) -> list[Any]:
        if name not in known:
            known[name] = answers(ESTIMATORS[name], lambda: PLAIN)
        return known[name]

    return of


SLOW = {k for k in KINDS if k.split()[-1] in INTEGERS or k in ("arrow chunks", "arrow slice", "arrow singles")}
CASES = [(n, k) for n in ESTIMATORS for k in KINDS if n != "pool" or k not in SLOW]


@pytest.mark.parametrize(("name", "kind"), CASES)
def test_every_kind_of_table_gives_the_same_answers(name: str, kind: str, expected: Any) -> None:
    if name == "text" and "category" in kind:
        pytest.skip("categories of truth values are not text")
    for own, theirs in zip(expected(name), answers(ESTIMATORS[name], KINDS[kind]), strict=True):
        np.testing.assert_allclose(theirs, own, rtol=1e-9, atol=1e-12)


NUMBERS = {"rooms": PLAIN["rooms"], "twice": [2.0 * n for n in PLAIN["rooms"]]}
NUMERIC: dict[str, Callable[[], Any]] = {
    "array": lambda: np.column_stack([*NUMBERS.values()]),
    "integers": lambda: np.column_stack([*NUMBERS.values()]).astype(np.int16),
    "big-endian": lambda: np.column_stack([*NUMBERS.values()]).astype(">f8"),
    "pandas": lambda: pd.DataFrame(NUMBERS),
    "pandas nullable": lambda: pd.DataFrame(NUMBERS).convert_dtypes(),
    "pandas sparse": lambda: pd.DataFrame(NUMBERS).astype(pd.SparseDtype(float, 0.0)),
    "polars": lambda: pl.DataFrame(NUMBERS),
    "polars lazy": lambda: pl.DataFrame(NUMBERS).lazy(),
    "arrow": lambda: pa.table(NUMBERS),
    "duckdb": lambda: duckdb.from_arrow(pa.table(NUMBERS)),
    "list of dicts": lambda: pd.DataFrame(NUMBERS).to_dict("records"),
}


@pytest.mark.filterwarnings("ignore:.*pandas.DataFrame with sparse columns found")
@pytest.mark.parametrize("kind", NUMERIC)
@pytest.mark.parametrize("name", ["BernoulliNB", "CategoricalNB", "ComplementNB", "GaussianNB", "MultinomialNB"])
def test_the_drop_ins_read_every_kind_of_numbers(name: str, kind: str) -> None:
    if kind == "pandas sparse" and name in ("CategoricalNB", "GaussianNB"):
        pytest.skip("scikit-learn's own refuse it")
    make, table = getattr(bf, name), NUMERIC[kind]

    def of(X: Callable[[], Any]) -> list[Any]:
        clf = make().fit(X(), LABELS)
        found = [clf.predict_log_proba(X()), clf.leave_one_out(X(), LABELS)]
        found.append(make().fit(X(), LABELS, sample_weight=WEIGHTS).predict_log_proba(X()))
        return [*found, clf.partial_fit(X(), LABELS[::-1].copy()).forget(X(), LABELS).predict_log_proba(X())]

    for own, theirs in zip(of(lambda: pa.table(NUMBERS)), of(table), strict=True):
        np.testing.assert_allclose(theirs, own, rtol=1e-9, atol=1e-12)
