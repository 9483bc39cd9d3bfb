"""What was observed as codes: rows, tables, holes, and states that there are not."""

from decimal import Decimal

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import bayesfold as bf
from bayesfold.data.frame import Frame
from bayesfold.networks.evidence import Allowed, blank, encode, encode_column, encode_row, is_row, observed_in

AXES = {"smoke": ("yes", "no"), "age": (1, 2, 3), "sick": (True, False)}
INDEX = {"smoke": 0, "age": 1, "sick": 2}


@pytest.mark.parametrize(
    ("row", "codes"),
    [
        ({"smoke": "no", "age": 3, "sick": True}, [1, 2, 0]),
        ({"smoke": None, "age": float("nan"), "sick": ""}, [-1, -1, -1]),
        ({"age": np.int64(2), "id": 7}, [-1, 1, -1]),
        ({"sick": False}, [-1, -1, 1]),
        ({}, [-1, -1, -1]),
    ],
)
def test_a_row_and_a_table_of_that_row_have_the_same_codes(row, codes):
    assert encode(row, AXES).tolist() == [codes]
    assert encode_row(row, AXES).tolist() == [codes]
    seen = observed_in(row, AXES, INDEX)
    assert seen == {v: code for v, code in enumerate(codes) if code >= 0}
    if row:
        assert encode(pd.DataFrame({name: [value, value] for name, value in row.items()}), AXES).tolist() == [codes] * 2


def test_columns_stand_where_their_variables_do_and_one_may_be_left_unread():
    table = {"sick": [True, False], "id": [7, 8], "smoke": ["no", None]}
    assert encode(table, AXES).tolist() == [[1, -1, 0], [-1, -1, 1]]
    assert encode(table, AXES, unread="sick").tolist() == [[1, -1, -1], [-1, -1, -1]]
    assert encode({"sick": "odd", "smoke": "no"}, AXES, unread="sick").tolist() == [[1, -1, -1]]
    assert blank({"a": 1, "b": 2}, None) == {"a": 1, "b": 2}
    assert encode_column(Frame.of(table), "smoke", ("no",), 9, np.uint8).tolist() == [0, 9]
    assert is_row({"a": 1, "b": None})
    assert not is_row({"a": [1]})
    assert not is_row([{"a": 1}])


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ({"smoke": ["no", "yes", "maybe", "maybe"]}, r"row 2: .*'maybe'"),
        ({"smoke": "maybe"}, r"row 0: .*'maybe'"),
        ({"colour": "red"}, "colour|smoke"),
        ({"colour": ["red"]}, "colour|smoke"),
    ],
)
def test_states_and_columns_that_there_are_not_are_refused(table, said):
    with pytest.raises(ValueError, match=said):
        encode(table, AXES)


@pytest.mark.parametrize("table", [{"a": ["x", ""]}, {"a": ""}])
def test_an_empty_cell_beside_an_empty_state_is_refused(table):
    with pytest.raises(ValueError, match=r"row \d: 'a' has an empty cell, which is a hole, and an empty state"):
        encode(table, {"a": ("x", "")})
    assert encode({"a": ["x", "x"]}, {"a": ("x", "")}).tolist() == [[0], [0]]


def test_what_a_table_allows_is_asked_with_anything_on_any_axis():
    table = np.array([[0.5, 0.0, 0.5], [0.0, 0.0, 1.0]])
    allowed = Allowed.by((4, 7), table)
    assert allowed.family == (4, 7)
    assert allowed.steps.tolist() == [4, 1]
    cells = allowed.cells.reshape(3, 4)
    assert cells.tolist() == [
        [True, True, False, True],
        [True, True, False, True],
        [True, False, False, True],
    ]


CELLS = [Decimal("1.5"), pa.scalar(1.5), np.float32(1.5), np.array(1.5), np.str_("1.5"), pd.NA, pd.NaT, None, np.nan]
EXACT = bf.fit_network([("a", "b")], {"a": [1.5, 2.5, 1.5], "b": ["x", "y", "y"]})
MIXED = bf.fit_network([("g", "x")], {"g": ["a", "b"], "x": [1.0, 2.0]}, numbers=["x"])


@pytest.mark.parametrize("cell", CELLS, ids=repr)
def test_a_row_as_a_dict_is_read_as_a_table_of_it_is(cell):
    np.testing.assert_array_equal(
        EXACT.predict_proba({"a": cell}, "b"), EXACT.predict_proba({"a": [cell]}, "b"), strict=True
    )
    assert EXACT.log_likelihood({"a": cell, "b": "x"}) == EXACT.log_likelihood({"a": [cell], "b": ["x"]})
    if not isinstance(cell, np.str_):
        assert EXACT.partial_fit({"a": cell, "b": "x"}).table("b") == EXACT.partial_fit([{"a": cell, "b": "x"}]).table(
            "b"
        )
    np.testing.assert_allclose(MIXED.predict_proba({"x": cell}, "g"), MIXED.predict_proba({"x": [cell]}, "g"))


@pytest.mark.parametrize("cell", [pd.NA, pd.NaT, None], ids=repr)
def test_what_is_missing_is_no_state_in_a_question(cell):
    with pytest.raises(ValueError, match="'a' has no state"):
        EXACT.query("b", a=cell)
