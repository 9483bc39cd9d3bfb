"""A table is the same table in whatever library it comes, and what cannot be read is refused with advice."""

import copy
import datetime as dt
import gc
import pickle
import warnings
import weakref
from collections.abc import Callable
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.exceptions import DataConversionWarning, NotFittedError

import bayesfold

ROWS = 90


def columns() -> dict[str, list[Any]]:
    """Text, whole numbers, fractions and truth values, with holes."""
    rng = np.random.default_rng(0)
    table: dict[str, list[Any]] = {
        "city": rng.choice(["Rome", "Bern", "Oslo"], ROWS).tolist(),
        "age": rng.integers(1, 80, ROWS).tolist(),
        "mass": rng.normal(size=ROWS).tolist(),
        "vip": (rng.random(ROWS) < 0.5).tolist(),
    }
    for name in ("city", "mass", "vip"):
        table[name][3] = None
    return table


COLUMNS = columns()
LABELS = np.where(np.array(COLUMNS["age"]) > 40, "old", "young")
RECORDS = [dict(zip(COLUMNS, values, strict=True)) for values in zip(*COLUMNS.values(), strict=True)]
FRAME = pd.DataFrame(COLUMNS)
TABLE = pa.table(COLUMNS)

NAMED: dict[str, Callable[[], Any]] = {
    "pandas": lambda: FRAME,
    "pandas object": lambda: FRAME.astype(object),
    "pandas nullable": lambda: FRAME.convert_dtypes(),
    "pandas pyarrow": lambda: FRAME.convert_dtypes(dtype_backend="pyarrow"),
    "pandas category": lambda: FRAME.astype({"city": "category", "vip": "category"}),
    "pandas str": lambda: FRAME.astype({"city": "str"}),
    "polars": lambda: pl.DataFrame(COLUMNS),
    "polars categorical": lambda: pl.DataFrame(COLUMNS).with_columns(pl.col("city").cast(pl.Categorical)),
    "arrow table": lambda: TABLE,
    "arrow chunks": lambda: pa.concat_tables([TABLE.slice(0, 30), TABLE.slice(30)]),
    "arrow dictionary": lambda: TABLE.set_column(0, "city", TABLE["city"].dictionary_encode()),
    "arrow batch": lambda: TABLE.to_batches()[0],
    "arrow reader": lambda: pa.RecordBatchReader.from_batches(TABLE.schema, TABLE.to_batches(max_chunksize=25)),
    "duckdb": lambda: duckdb.from_arrow(TABLE),
    "dict of lists": lambda: COLUMNS,
    "dict of arrays": lambda: {name: np.array(values, object) for name, values in COLUMNS.items()},
    "dict of series": lambda: {name: pd.Series(values) for name, values in COLUMNS.items()},
    "list of dicts": lambda: RECORDS,
}
UNNAMED: dict[str, Callable[[], Any]] = {
    "list of lists": lambda: [list(row.values()) for row in RECORDS],
    "object array": lambda: np.array([list(row.values()) for row in RECORDS], object),
}
LABEL_KINDS: dict[str, tuple[Any, Any]] = {
    "list": (LABELS.tolist(), "<U5"),
    "array of text": (LABELS, "<U5"),
    "array of objects": (LABELS.astype(object), object),
    "pandas": (pd.Series(LABELS), object),
    "pandas category": (pd.Series(LABELS, dtype="category"), object),
    "polars": (pl.Series(LABELS.tolist()), object),
    "arrow": (pa.array(LABELS.tolist()), object),
    "arrow chunks": (pa.chunked_array([LABELS[:9].tolist(), LABELS[9:].tolist()]), object),
    "truth values": (LABELS == "old", bool),
    "bytes": ((LABELS == "old").astype(np.uint8), np.uint8),
    "integers": ((LABELS == "old").astype(np.int32), np.int32),
    "whole floats": ((LABELS == "old").astype(np.float64), np.float64),
    "pandas nullable": (pd.Series((LABELS == "old").astype(int)).astype("Int64"), np.int64),
}


def reference() -> Any:
    return bayesfold.NaiveBayes().fit(FRAME, LABELS)


@pytest.mark.parametrize("make", NAMED.values(), ids=NAMED.keys())
def test_every_library_gives_the_same_model(make: Callable[[], Any]) -> None:
    expected = reference()
    clf = bayesfold.NaiveBayes().fit(make(), LABELS)
    assert clf.schema_ == expected.schema_
    assert clf.n_features_in_ == 4
    assert clf.feature_names_in_.tolist() == list(COLUMNS)
    np.testing.assert_array_equal(clf.predict_proba(make()), expected.predict_proba(FRAME))
    np.testing.assert_array_equal(expected.predict_proba(make()), expected.predict_proba(FRAME))


@pytest.mark.parametrize("make", UNNAMED.values(), ids=UNNAMED.keys())
def test_rows_without_names_give_the_same_numbers(make: Callable[[], Any]) -> None:
    clf = bayesfold.NaiveBayes().fit(make(), LABELS)
    assert not hasattr(clf, "feature_names_in_")
    np.testing.assert_array_equal(clf.predict_proba(make()), reference().predict_proba(FRAME))


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64, np.int8, np.uint16, bool])
def test_arrays_of_every_kind_of_number(dtype: Any) -> None:
    X = (np.random.default_rng(0).random((60, 3)) * 5 - 2 * (dtype is bool)).clip(0).astype(dtype)
    y = X[:, 0] > X[:, 0].mean()
    clf = bayesfold.NaiveBayes().fit(X, y)
    assert clf.score(X, y) > 0.9
    np.testing.assert_allclose(clf.predict_proba(np.asfortranarray(X)), clf.predict_proba(X.tolist()))


@pytest.mark.parametrize(("labels", "dtype"), LABEL_KINDS.values(), ids=LABEL_KINDS.keys())
def test_predictions_look_like_the_labels(labels: Any, dtype: Any) -> None:
    clf = bayesfold.NaiveBayes().fit(FRAME, labels)
    assert clf.classes_.dtype == dtype
    assert clf.predict(FRAME).dtype == dtype
    assert clf.score(FRAME, np.asarray(labels)) > 0.8


def test_labels_of_another_kind_may_join() -> None:
    clf = bayesfold.NaiveBayes().fit(FRAME, LABELS == "old").partial_fit(FRAME, LABELS)
    assert clf.classes_.tolist() == [False, True, "old", "young"]
    narrow = bayesfold.NaiveBayes().fit(FRAME, (LABELS == "old").astype(np.int8)).partial_fit(RECORDS[0], 7)
    assert narrow.classes_.tolist() == [0, 1, 7]
    assert narrow.classes_.dtype == np.int8


def test_a_row_as_a_dict_is_a_table_of_one_row() -> None:
    clf = reference()
    for i in (0, 3):
        np.testing.assert_allclose(clf.predict_proba(RECORDS[i]), clf.predict_proba(FRAME[i : i + 1]), rtol=1e-12)
        np.testing.assert_allclose(
            clf.predict_log_proba(RECORDS[i]), clf.predict_log_proba(FRAME[i : i + 1]), rtol=1e-12
        )
        assert clf.predict(RECORDS[i]) == clf.predict(FRAME[i : i + 1])
    np.testing.assert_allclose(clf.predict_proba({"city": "Rome"}), clf.predict_proba([{"city": "Rome"}]), rtol=1e-12)


CELLS = [
    {"dose": "nan"}, {"dose": " "}, {"dose": "-1"}, {"dose": "??"}, {"dose": True}, {"dose": pd.NA}, {"dose": "1e400"},
    {"dose": 2**70}, {"city": -(2**70)}, {"stay": dt.timedelta(hours=3)}, {"stay": pd.Timedelta(hours=3)},
]  # fmt: skip
"""What a row may have that is neither plainly a number nor plainly missing."""


@pytest.mark.parametrize("make", [bayesfold.NaiveBayes, bayesfold.AODE, bayesfold.BayesClassifier])
def test_an_odd_cell_of_a_row_says_what_it_says_in_a_table(make: Callable[..., Any]) -> None:
    rng = np.random.default_rng(3)
    dose = rng.normal(size=ROWS) + (LABELS == "old")
    dose[rng.random(ROWS) < 0.1 + 0.4 * (LABELS == "old")] = np.nan
    stay = pd.to_timedelta(rng.integers(0, 9, ROWS), unit="h")
    clf = make(missing={"dose": [-1, "??"]}).fit({"dose": dose, "stay": stay, "city": COLUMNS["city"]}, LABELS)

    def ask(asked: Any) -> Any:
        try:
            return clf.predict_proba(asked)
        except ValueError as error:
            return str(error).partition(" in ")[0]

    for cell in CELLS:
        row = {"dose": 0.3, "stay": 3600.0, "city": "Rome"} | cell
        one, table = ask(row), ask([row])
        refused = any(value in (2**70, -(2**70), "1e400") for value in cell.values() if value is not pd.NA)
        assert isinstance(one, str) == isinstance(table, str) == refused
        if not isinstance(one, str):
            np.testing.assert_allclose(one, table, rtol=1e-12)


def test_named_tables_are_read_by_name() -> None:
    clf = reference()
    shuffled = TABLE.select(["vip", "mass", "age", "city"]).append_column("more", pa.array(range(ROWS)))
    np.testing.assert_array_equal(clf.predict_proba(shuffled), clf.predict_proba(FRAME))
    with pytest.raises(ValueError, match=r"no column 'city'; did you mean 'citi'\?"):
        clf.predict(TABLE.rename_columns(["citi", "age", "mass", "vip"]))


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, lambda c: pl.DataFrame(c).lazy()])
def test_data_frames_are_read_by_name_and_say_so(make: Callable[[Any], Any]) -> None:
    clf = reference()
    expected = clf.predict_proba(FRAME)
    turned = {name: COLUMNS[name] for name in ("age", "vip", "city", "mass")}
    more = {"when": [dt.date(2024, 1, 1)] * ROWS, **turned}
    lazy = hasattr(make(COLUMNS), "collect")
    with pytest.warns(bayesfold.ColumnWarning, match="another order than in fit; they are found by name"):
        np.testing.assert_array_equal(clf.predict_proba(make(turned)), expected)
    with pytest.warns(bayesfold.ColumnWarning, match="not learned are not used: 'when'"):
        np.testing.assert_array_equal(clf.predict_proba(make(more)), expected)
    with pytest.warns(bayesfold.ColumnWarning, match="not used: 'when'"):
        clf.partial_fit(make(more), LABELS).forget(make(COLUMNS), LABELS)
    np.testing.assert_allclose(clf.predict_proba(make(COLUMNS)), expected, rtol=1e-12)
    with pytest.raises(ValueError, match="no column 'age'"):
        clf.predict(make({name: COLUMNS[name] for name in ("city", "mass", "vip")}))
    assert lazy == hasattr(make(COLUMNS), "collect")


def test_drop_ins_follow_scikit_learns_rules_for_names() -> None:
    numbers = FRAME[["age"]].assign(twice=2 * FRAME["age"])
    clf = bayesfold.GaussianNB().fit(numbers, LABELS)
    with pytest.raises(ValueError, match="same order as they were in fit"):
        clf.predict(numbers[["twice", "age"]])
    with pytest.raises(ValueError, match="unseen at fit time"):
        clf.predict(numbers.assign(more=1))


def test_arrays_follow_scikit_learns_rules() -> None:
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        reference().predict(FRAME.to_numpy())
    with pytest.raises(ValueError, match="X has 2 features, but NaiveBayes is expecting 4"):
        bayesfold.NaiveBayes().fit(FRAME.to_numpy(), LABELS).predict([[1, 2]])


@pytest.mark.parametrize("fill", ["", " "])
def test_an_empty_field_among_numbers_is_missing_in_fit_and_in_predict(fill: str) -> None:
    mass = [fill if m is None else m for m in COLUMNS["mass"]]
    table = pd.DataFrame({**COLUMNS, "mass": np.array(mass, object)})
    clf = bayesfold.NaiveBayes().fit(table, LABELS)
    assert clf.schema_ == reference().schema_
    np.testing.assert_array_equal(clf.predict_proba(table), reference().predict_proba(FRAME))
    np.testing.assert_array_equal(clf.predict_proba(table.iloc[3:4]), reference().predict_proba(FRAME[3:4]))


@pytest.mark.parametrize("kind", [np.uint64, object])
def test_classes_of_64_bits_stay_what_they_are(kind: Any) -> None:
    large = np.array([0, 2**64 - 1, 2**63], kind)[np.arange(ROWS) % 3]
    clf = bayesfold.NaiveBayes().fit(FRAME, large)
    assert clf.classes_.tolist() == [0, 2**63, 2**64 - 1]
    assert clf.classes_.dtype == kind
    assert set(clf.predict(FRAME).tolist()) <= {0, 2**63, 2**64 - 1}


def test_integers_beyond_64_bits_are_refused_by_name() -> None:
    large = [2**70 + i for i in range(ROWS)]
    with pytest.raises(ValueError, match=r"column 'id' holds 1180591620717411303424 in row 0, an integer of more"):
        bayesfold.NaiveBayes().fit({**COLUMNS, "id": large}, LABELS)
    with pytest.raises(ValueError, match="an integer of more than 64 bits; make it text"):
        bayesfold.NaiveBayes().fit(COLUMNS, np.array(large, object))


def test_the_first_row_of_a_stream_may_lack_declared_columns() -> None:
    families = {"a": "gaussian", "b": "gaussian", "c": "categorical"}
    clf = bayesfold.NaiveBayes(families=families).partial_fit({"a": 1.0}, 0)
    clf.partial_fit({"a": 2.0, "b": 5.0, "c": "x"}, 1).partial_fit({"b": 4.0}, 0)
    rows = [{"a": 1.0, "b": None, "c": None}, {"a": 2.0, "b": 5.0, "c": "x"}, {"a": None, "b": 4.0, "c": None}]
    whole = bayesfold.NaiveBayes(families=families).partial_fit(rows, [0, 1, 0])
    np.testing.assert_allclose(clf.predict_proba(rows), whole.predict_proba(rows), rtol=1e-12)


@pytest.mark.parametrize(
    "make", [lambda: FRAME, lambda: pl.DataFrame(COLUMNS), lambda: TABLE], ids=["pandas", "polars", "arrow"]
)
def test_probabilities_as_a_frame_of_the_same_library(make: Callable[[], Any]) -> None:
    clf = reference()
    proba = clf.predict_proba(make(), as_frame=True)
    assert type(proba) is type(make())
    names = proba.column_names if isinstance(proba, pa.Table) else list(proba.columns)
    assert names == ["old", "young"]
    np.testing.assert_array_equal(np.column_stack([proba[name] for name in names]), clf.predict_proba(FRAME))


def test_the_index_of_a_frame_is_kept() -> None:
    some = FRAME.set_index(pd.Index(range(100, 100 + ROWS))).iloc[5:8]
    assert reference().predict_proba(some, as_frame=True).index.tolist() == [105, 106, 107]
    with pytest.raises(TypeError, match="as_frame=True answers in the kind of data frame that X is, and X is list"):
        reference().predict_proba(RECORDS, as_frame=True)


@pytest.mark.parametrize(
    ("X", "error", "words"),
    [
        (pl.DataFrame({"words": [["a", "b"]] * ROWS}), TypeError, "column 'words' holds .*list.*several columns"),
        ({"a": [1] * ROWS, "b": [1]}, ValueError, "column 'b' has 1 rows, but column 'a' has 90"),
        (pd.DataFrame([[1, 2]] * ROWS, columns=["a", "a"]), ValueError, "two columns named"),
        (FRAME.iloc[:0], ValueError, r"0 sample\(s\)"),
        (TABLE.slice(0, 0), ValueError, r"0 sample\(s\)"),
        (pd.DataFrame(index=range(ROWS)), ValueError, r"0 feature\(s\)"),
        (np.zeros(ROWS), ValueError, "Expected 2D array, got 1D"),
        (FRAME["age"], ValueError, "Expected a 2-dimensional container"),
        (np.full((ROWS, 1), np.inf), ValueError, "infinite in row 0"),
        (np.zeros((ROWS, 1), complex), ValueError, "Complex data not supported"),
    ],
)
@pytest.mark.filterwarnings("ignore::pandas.errors.PerformanceWarning")
def test_what_cannot_be_read_is_refused_with_advice(X: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        bayesfold.NaiveBayes(numeric="gaussian").fit(X, LABELS)


def test_labels_that_cannot_be_classes_are_refused() -> None:
    fit = bayesfold.NaiveBayes().fit
    with pytest.raises(ValueError, match="requires y to be passed, but the target y is None"):
        fit(FRAME, None)
    with pytest.raises(ValueError, match=r"Unknown label type: continuous.*bin these numbers"):
        fit(FRAME, np.linspace(0, 1, ROWS))
    with pytest.raises(ValueError, match="Input y contains NaN"):
        fit(FRAME, np.full(ROWS, np.nan))
    with pytest.raises(ValueError, match="row 1 has no label"):
        fit(FRAME, ["a", None, *["b"] * (ROWS - 2)])
    with pytest.raises(ValueError, match="there are 90 rows but 2 labels"):
        fit(FRAME, ["a", "b"])
    with pytest.warns(DataConversionWarning, match="column-vector y was passed"):
        fit(FRAME, LABELS.reshape(-1, 1))


def test_before_fit() -> None:
    for call in ("predict", "predict_proba", "predict_log_proba", "predict_joint_log_proba"):
        with pytest.raises(NotFittedError):
            getattr(bayesfold.NaiveBayes(), call)(FRAME)
    for call in ("forget", "leave_one_out", "leave_folds_out"):
        with pytest.raises(NotFittedError):
            getattr(bayesfold.GaussianNB(), call)([[1.0]], [1])
    for call, *given in (("sample",), ("decay", 0.5), ("merge", bayesfold.NaiveBayes())):
        with pytest.raises(NotFittedError):
            getattr(bayesfold.NaiveBayes(), call)(*given)


def test_columns_left_out_are_named_once_with_the_reason() -> None:
    X = FRAME.assign(one=1, key=[f"k{i}" for i in range(ROWS)], none=None)
    with pytest.warns(bayesfold.ColumnWarning) as caught:
        clf = bayesfold.NaiveBayes().fit(X, LABELS)
    assert len(caught) == 1
    said = str(caught[0].message)
    assert "'one' (every row has the value 1)" in said
    assert "'key' (as an identifier: 90 values in 90 rows" in said
    assert "'none' (no row has a value)" in said
    assert caught[0].filename == __file__
    assert set(clf.schema_.left_out) == {"one", "key", "none"}
    assert [c.name for c in clf.columns_ if not c.family] == ["one", "key", "none"]


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (
            lambda X, y: bayesfold.NaiveBayes().fit(pd.concat([X, X], axis=1), y),
            "the table has two columns named 'a'; rename one",
        ),
        (
            lambda X, y: bayesfold.NaiveBayes().fit(X, y, sample_weight=["a"] * 4),
            "weights are one number per row, and these are",
        ),
        (
            lambda X, y: bayesfold.NaiveBayes(loss={"p": {"q": np.nan}, "q": {"p": 1}}).fit(X, y),
            "deciding 'p' when the truth is 'q'",
        ),
        (
            lambda X, y: bayesfold.NaiveBayes().fit(X, y).merge(None),
            "a classifier is merged with another one, not with NoneType",
        ),
    ],
)
def test_misuse_is_told_in_words(ask, said):
    X, y = pd.DataFrame({"a": [1.0, 2.0, 3.0, 5.0]}), [*"pqpq"]
    with pytest.raises((ValueError, TypeError), match=said) as caught:
        ask(X, y)
    assert type(caught.value) in (ValueError, TypeError)


def test_the_classes_1_and_text_1_are_two():
    clf = bayesfold.NaiveBayes().fit(pd.DataFrame({"a": np.arange(40) % 2}), [1, "1"] * 20)
    assert clf.classes_.tolist() == [1, "1"]
    with pytest.raises(ValueError, match=r"NaN|no label"):
        bayesfold.NaiveBayes().fit(pd.DataFrame({"a": np.arange(4)}), ["x", "y", "x", float("nan")])


@pytest.mark.parametrize("kind", [bayesfold.NaiveBayes, bayesfold.NetworkClassifier])
def test_a_row_with_nothing_in_it_is_a_row_alone_and_in_a_list(kind):
    clf = kind().fit(COLUMNS, LABELS)
    nothing = clf.predict_proba([dict.fromkeys(COLUMNS)])
    for rows in ({}, [{}]):
        np.testing.assert_array_equal(clf.predict_proba(rows), nothing)
    np.testing.assert_array_equal(clf.predict_proba([{}, {}]), np.repeat(nothing, 2, axis=0))
    for rows in ({"citty": "Rome"}, [{"citty": "Rome"}, {"citty": "Bern"}]):
        with pytest.raises(ValueError, match="has 'citty', and none of the columns of the model"):
            clf.predict_proba(rows)


def test_a_masked_label_is_not_learned_by_what_is_under_the_mask():
    hidden = np.ma.masked_array(LABELS, np.arange(ROWS) == 7)
    clf = bayesfold.NaiveBayes().fit(COLUMNS, LABELS)
    for call in (bayesfold.NaiveBayes().fit, clf.partial_fit, clf.forget, clf.leave_one_out):
        with pytest.raises(ValueError, match="row 7 has no label"):
            call(COLUMNS, hidden)
    guessed = bayesfold.NaiveBayes(unlabelled="em").fit(COLUMNS, hidden)
    assert guessed.unlabelled_.rows == 1


EVERY = [bayesfold.NaiveBayes, bayesfold.KDB, bayesfold.GaussianBayes, bayesfold.NetworkClassifier]


@pytest.mark.parametrize("kind", EVERY)
@pytest.mark.parametrize("weight", [None, 2, np.int64(2), np.float32(2), [2.0], "2"])
def test_one_row_with_its_label_is_a_table_of_one(kind, weight):
    table, row, label = pd.DataFrame(COLUMNS), RECORDS[5], LABELS[5]
    many = None if weight is None else [2.0]
    ours, theirs = kind().fit(table, LABELS), kind().fit(table, LABELS)
    theirs.partial_fit(table[5:6], [label], sample_weight=many)
    for one in (label, [label], LABELS[5:6], pd.Series([label], index=[7])):
        ours.partial_fit(row, one, sample_weight=weight)
        np.testing.assert_allclose(ours.predict_proba(table), theirs.predict_proba(table), rtol=0, atol=1e-12)
        ours.forget(row, one, sample_weight=weight)
    np.testing.assert_allclose(ours.predict_proba(table), kind().fit(table, LABELS).predict_proba(table), atol=1e-9)


@pytest.mark.parametrize("kind", EVERY)
def test_labels_and_weights_that_do_not_go_with_the_rows_are_refused(kind):
    table = pd.DataFrame(COLUMNS)
    clf = kind().fit(table, LABELS)
    for call in (clf.partial_fit, clf.forget, clf.leave_one_out):
        for labels in (LABELS[:1], LABELS[:3], LABELS[:8]):
            with pytest.raises(ValueError, match=f"there are 5 rows but {len(labels)} labels"):
                call(table[:5], labels)
        with pytest.raises(ValueError, match="one row has one label, and these are 2"):
            call(RECORDS[5], LABELS[:2])
        with pytest.raises(ValueError, match="the weight of a row is a number, and this is 'heavy'"):
            call(RECORDS[5], LABELS[5], sample_weight="heavy")


def test_labels_that_are_categories_of_several_kinds():
    y = pd.Series(pd.Categorical([("x", 1)[i % 2] for i in range(ROWS)]))
    model = bayesfold.GaussianNB().fit(np.arange(ROWS).reshape(-1, 1) % 2, y)
    assert set(model.classes_) == {"x", 1}
    assert model.score(np.arange(ROWS).reshape(-1, 1) % 2, y.astype(object)) == 1


@pytest.mark.parametrize(
    "y",
    [pd.cut(np.arange(ROWS), 2), pd.interval_range(0, ROWS), pd.period_range("2020-01-01", periods=ROWS)],
    ids=["cut", "intervals", "periods"],
)
def test_labels_that_are_intervals_or_periods_are_refused_with_advice(y):
    for model in (bayesfold.NaiveBayes(), bayesfold.GaussianNB()):
        with pytest.raises(TypeError, match=r"a class is text, a number or a truth value: y.astype\(str\)"):
            model.fit(np.arange(ROWS).reshape(-1, 1), pd.Series(y))


@pytest.mark.parametrize(
    "make",
    [
        np.asarray,
        pa.array,
        lambda y: pa.chunked_array([y]),
        pl.Series,
        lambda y: pd.Series(y, dtype="Float64"),
        pd.Series,
        lambda y: pd.Series(y, dtype="float64[pyarrow]"),
    ],
    ids=["numpy", "arrow", "chunks", "polars", "nullable", "pandas", "pandas arrow"],
)
def test_quantities_are_no_labels_in_whatever_library_they_come(make):
    X = np.cos(np.arange(ROWS)).reshape(-1, 1)
    for model in (bayesfold.NaiveBayes(), bayesfold.GaussianNB()):
        with pytest.raises(ValueError, match="Unknown label type: continuous"):
            model.fit(X, make(np.arange(ROWS) / 4))
        assert model.fit(X, make(np.arange(ROWS) % 2.0)).classes_.tolist() == [0, 1]


MISNAMED = "the row has 'Size', which the model has not learned, and no 'size'"


@pytest.mark.parametrize("many", [False, True])
def test_a_row_with_a_strange_key_in_place_of_a_column_is_told_of(many):
    """A misspelt key was a missing value without a word; a table with such a column is refused."""
    table = {"size": [1.0, 2.0, 3.0, 4.0] * 5, "kind": ["a", "b", "a", "b"] * 5}
    clf = bayesfold.NaiveBayes().fit(table, ["p", "q", "q", "p"] * 5)
    row = {"Size": 1.0, "kind": "a"}
    for ask in (clf.predict, clf.predict_proba, clf.predict_joint_log_proba):
        with pytest.warns(bayesfold.ColumnWarning, match=MISNAMED) as told:
            ask([row, row] if many else row)
        assert told[0].filename == __file__
    with pytest.warns(bayesfold.ColumnWarning, match=MISNAMED):
        clf.partial_fit([row] if many else row, ["p"] if many else "p")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for known in ({"kind": "a"}, {"size": 1.0, "kind": "a", "id": 7}, {"size": None, "kind": "a", "id": 7}):
            clf.predict([known] if many else known)


def test_parts_of_dates_and_names_that_are_numbers_are_no_strange_keys():
    days = pd.date_range("2024-01-01", periods=60)
    weekend = [str(day.weekday() > 4) for day in days]
    dated = bayesfold.NaiveBayes().fit({"day": days, "n": [1, 2, 3] * 20}, weekend)
    numbered = bayesfold.NaiveBayes().fit(pd.DataFrame(np.eye(60)[:, :3]), weekend)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        dated.predict({"day": "2024-05-04"})
        dated.predict({"day (weekday)": "Saturday", "n": 2})
        numbered.predict({0: 1.0, 2: 0.0})


def test_a_model_that_a_stream_has_replaced_is_freed_at_once():
    rows = [{"word": f"w{i}", "x": float(i)} for i in range(12)]
    model = bayesfold.NaiveBayes()
    gc.disable()
    try:
        gone = []
        for i, row in enumerate(rows):
            model.partial_fit(row, "yn"[i % 2])
            model.predict_proba(row)
            gone.append(weakref.ref(model.model_.tally))
        assert [ref() is None for ref in gone] == [True] * 11 + [False]
    finally:
        gc.enable()


def test_a_model_that_reads_a_stream_can_be_pickled_and_copied():
    model = bayesfold.NaiveBayes()
    for i in range(8):
        model.partial_fit({"word": f"w{i % 3}", "x": float(i)}, "yn"[i % 2])
    asked = {"word": "w1", "x": 2.0}
    for other in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model)):
        before = model.predict_proba(asked).tolist()
        assert other.predict_proba(asked).tolist() == before
        other.partial_fit(asked, "n")
        assert model.predict_proba(asked).tolist() == before
