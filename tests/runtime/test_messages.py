"""Names, tables and counts as people read and give them."""

import numpy as np
import pytest

from bayesfold.runtime.counts import check_count
from bayesfold.runtime.messages import digits, listed, nearest, ordered, refuse_strangers, suggest, told_apart
from bayesfold.runtime.text_table import html_table, text_table, width
from bayesfold.runtime.unique import distinct


def test_levels_in_order_and_names_in_messages():
    assert ordered([3, 1, 2]) == (1, 2, 3)
    assert ordered(["b", 2, "a", 1]) == (1, 2, "a", "b")
    assert listed("ab", most=2) == "'a', 'b'"
    assert listed("abc", most=2) == "'a', 'b' and 1 more"
    assert listed(range(8)) == "0, 1, 2, 3, 4, 5, 6, 7"
    assert listed(range(9)).endswith("7 and 1 more")
    assert nearest("GLUCOSE", ["Age", "glucose"]) == "glucose"
    assert nearest("zinc", ["Age"]) is None
    assert suggest("ag", ["Age"], "it has") == "did you mean 'Age'?"
    assert suggest("zinc", ["Age"], "it has") == "it has 'Age'"
    assert suggest("zinc", []) == "there are none"
    refuse_strangers({"a": 1, "z": 2}, ("a", "b"))
    refuse_strangers({"z": 2}, ())
    with pytest.raises(ValueError, match="this row has 'z', and none of the columns of the model: 'a', 'b'"):
        refuse_strangers({"z": 2}, ("a", "b"))


def test_tables_in_print():
    lines = [("a", "x", "1.25"), ("年龄", "é", "10")]
    assert text_table(("name", "y", "n"), lines, left=2).splitlines() == [
        "name  y     n",
        "a     x  1.25",
        "年龄  é    10",
    ]
    assert text_table(("name", "y", "n"), lines).splitlines()[1] == "a     x  1.25"
    assert text_table(("a", "b"), [("x", "")], left=2) == "a  b\nx"
    assert [width(text) for text in ("", "abc", "é", "e\u0301", "年", "a🙂", "\u200dx")] == [0, 3, 1, 1, 2, 3, 1]
    html = html_table(("a", "b"), [("<1", "2")], caption="x & y")
    assert html == (
        '<table><caption>x &amp; y</caption><thead><tr><th style="text-align:left">a</th>'
        '<th style="text-align:right">b</th></tr></thead><tbody><tr><td style="text-align:left">&lt;1</td>'
        '<td style="text-align:right">2</td></tr></tbody></table>'
    )
    assert "caption" not in html_table(("a",), [("1",)])


@pytest.mark.parametrize("value", [1.5, True, "2", None, np.nan])
def test_what_is_no_whole_number_is_refused(value):
    with pytest.raises(ValueError, match="n must be a whole number, not"):
        check_count("n", value)


def test_whole_numbers_of_at_least_so_much():
    assert [check_count("n", value) for value in (0, 2.0, np.int64(3))] == [0, 2, 3]
    assert check_count("n", 2, 2) == 2
    with pytest.raises(ValueError, match="n must be at least 2, not 1"):
        check_count("n", 1, 2)


def test_distinct_values():
    assert distinct(np.array([[3, 1], [3, 2]])).tolist() == [1, 2, 3]
    assert distinct([]).tolist() == []
    assert distinct([5]).tolist() == [5]
    assert distinct(["b", "a", "b"]).tolist() == ["a", "b"]


def test_numbers_keep_their_digits_before_the_point():
    assert [digits(x) for x in (2006.5, 2021, 9999.6, 52345.67, 0.87277, 7.977e-7, -1234.5)] == (
        ["2006", "2021", "10000", "52346", "0.873", "7.98e-07", "-1234"]
    )
    assert digits(1.23456789e20) == "1.23e+20"
    assert digits(float("inf")) == "inf"


def test_numbers_are_told_apart():
    assert told_apart([2006.5, 2010.5], 3) == ["2006.5", "2010.5"]
    assert told_apart([7.97717, 12.5], 3) == ["7.98", "12.5"]
    assert told_apart([10_000_001.125, 10_000_001.1875], 3) == ["10000001.1", "10000001.2"]
    assert told_apart([0.1, np.nextafter(0.1, 1)], 3) == ["0.1", "0.10000000000000002"]
