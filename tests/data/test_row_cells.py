"""A row as a dict is read as a table of that row is, whatever library its cells come from."""

from datetime import date, datetime, time, timedelta
from decimal import Decimal

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from bayesfold import NaiveBayes
from bayesfold.data.row_cells import own_cell, plain_row

ROWS = 60
BEGIN = datetime(2020, 1, 1)
COLUMNS = {
    "numbers": (np.linspace(-1, 2, ROWS), None),
    "categories that are numbers": ([(0.1, 1, 2)[i % 3] for i in range(ROWS)], "categorical"),
    "categories that are text": ([("x", "1", "z")[i % 3] for i in range(ROWS)], "categorical"),
    "categories that are numbers as text": ([("0.1", "1", "2")[i % 3] for i in range(ROWS)], "categorical"),
    "truth values": ([i % 3 == 0 for i in range(ROWS)], None),
    "truth values as text": (["true" if i % 3 == 0 else "false" for i in range(ROWS)], None),
    "lengths of time": ([timedelta(minutes=90 * (1 + i % 3)) for i in range(ROWS)], None),
    "dates": ([BEGIN + timedelta(days=i % 3) for i in range(ROWS)], None),
    "months": (pd.period_range("2020-01", periods=ROWS, freq="M"), None),
    "intervals": (pd.cut(np.arange(ROWS) % 3, 3), None),
}
CELLS = [
    *[Decimal("0.1"), Decimal(1), Decimal("NaN"), np.float32(0.1), np.float16(0.1), np.longdouble(0.1), np.int8(1)],
    *[np.True_, np.str_("x"), np.array(1.0), pa.scalar(1), pa.scalar("x"), pa.scalar(None, pa.float64()), pd.NA],
    *[np.timedelta64(90, "m"), np.timedelta64("NaT"), timedelta(minutes=90), pd.Timedelta(minutes=90), pd.NaT],
    *[np.datetime64("2020-01-02"), date(2020, 1, 2), datetime(2020, 1, 2, 5), time(5), pd.Timestamp("2020-01-02")],
    *[pd.Period("2020-02", "M"), pd.Interval(0, 1), pd.cut([0, 1, 2], 3)[1], 1j, (1, 2), b"x"],
]


def answer(model, X):
    """What a model says, or "refused" where it names the column that it cannot read."""
    try:
        return model.predict_proba(X)[0, 0]
    except (TypeError, ValueError) as error:
        return "refused" if "column 'u'" in str(error) else str(error)


@pytest.mark.parametrize("kind", COLUMNS)
@pytest.mark.filterwarnings("ignore")
def test_a_row_is_read_as_a_table_of_it_is(kind):
    values, family = COLUMNS[kind]
    labels = ["a" if i % 3 else "b" for i in range(ROWS)]
    table = pd.DataFrame({"b": np.cos(np.arange(ROWS)), "u": values})
    model = NaiveBayes(families={"u": family} if family else {}).fit(table, labels)
    for cell in CELLS[:-3] if kind in ("dates", "months") else CELLS:  # of dates, what is none is missing
        alone, first_of_list = (answer(model, X) for X in ({"b": 0.3, "u": cell}, [{"b": 0.3, "u": cell}]))
        if isinstance(alone, str) or isinstance(first_of_list, str):
            assert alone == first_of_list == "refused", cell
        else:
            assert alone == pytest.approx(first_of_list, abs=1e-12), cell


@pytest.mark.parametrize("kind", ["months", "intervals", "lengths of time", "dates"])
def test_rows_of_a_frame_are_answered_as_the_frame_is(kind):
    table = pd.DataFrame({"b": np.cos(np.arange(ROWS)), "u": COLUMNS[kind][0]})
    model = NaiveBayes().fit(table, ["a" if i % 3 else "b" for i in range(ROWS)])
    said = [model.predict_proba(row)[0] for row in table.to_dict("records")]
    np.testing.assert_allclose(said, model.predict_proba(table), atol=1e-12)


def test_a_row_learned_is_the_row_of_a_table_learned():
    table = pd.DataFrame({"u": [0.1, 1.0, 2.0] * 4, "b": np.arange(12.0)})
    model = NaiveBayes(families={"u": "categorical"}).fit(table, ["a", "b"] * 6)
    by_row, by_table = (NaiveBayes(families={"u": "categorical"}).fit(table, ["a", "b"] * 6) for _ in range(2))
    by_row.partial_fit({"u": Decimal("0.1"), "b": np.float32(2)}, "a")
    by_table.partial_fit(pd.DataFrame({"u": [0.1], "b": [2.0]}), ["a"])
    assert by_row.schema_.features == model.schema_.features
    np.testing.assert_array_equal(by_row.predict_proba(table), by_table.predict_proba(table))


def test_names_that_are_numbers_are_the_names_of_the_frame():
    table = pd.DataFrame({5: np.cos(np.arange(20)), 7: np.sin(np.arange(20))})
    model = NaiveBayes().fit(table, ["a", "b"] * 10)
    said = [model.predict_proba(row)[0] for row in table.to_dict("records")]
    np.testing.assert_allclose(said, model.predict_proba(table), atol=1e-12)


def test_a_row_of_plain_cells_is_left_alone():
    plain = {"a": 1, "b": None, "c": "x"}
    assert plain_row(plain) is plain
    assert plain_row({"a": [1], 2: BEGIN}) == {"a": [1], "2": BEGIN}
    assert own_cell(np.ma.masked) is None


@pytest.mark.parametrize("categories", [("x", 1, 2.5), (True, "x", 3), (1, "1", None)])
def test_categories_of_several_kinds(categories):
    column = pd.Categorical([categories[i % 3] for i in range(30)])
    labels = ["a" if i % 3 else "b" for i in range(30)]
    model = NaiveBayes().fit(pd.DataFrame({"u": column}), labels)
    assert (model.predict(pd.DataFrame({"u": column})) == labels).all()
    as_objects = NaiveBayes().fit(pd.DataFrame({"u": pd.Series(list(column), dtype=object)}), labels)
    assert model.schema_ == as_objects.schema_
