"""Numbers as people write them, read as what they mean; codes, dates and words stay what they are."""

import math

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesfold.data.number_format import (
    MOST_VALUES,
    NumberFormat,
    format_of_numbers,
    have_one_unit,
    may_part_thousands,
    sample_values,
    write_plainly,
)
from bayesfold.runtime.arrow_buffers import arrow_texts

WAYS = {
    "german": ("{:,.2f}", ".", ",", "{}"),
    "german money": ("{:,.2f}", ".", ",", "{} €"),
    "american money": ("{:,.2f}", ",", ".", "${}"),
    "swiss": ("{:,.2f}", "'", ".", "CHF {}"),
    "french": ("{:,.2f}", "\u202f", ",", "{}\u00a0€"),
    "percent": ("{:.1f}", "", ",", "{} %"),
    "thousands": ("{:,.0f}", " ", ",", "{}"),
}


def written(x, way):
    """A number in one of the ways, and the number that it then is."""
    form, group, decimal, around = WAYS[way]
    plain = form.format(x)
    formatted = plain.replace(",", "G").replace(".", decimal).replace("G", group)
    return around.format(formatted), float(plain.replace(",", ""))


@given(st.sampled_from(sorted(WAYS)), st.lists(st.floats(-1e9, 1e9), min_size=1, max_size=20))
def test_a_column_is_read_as_the_numbers_it_holds(way, numbers):
    cells, values = zip(*(written(x, way) for x in numbers), strict=True)
    decimal = WAYS[way][2]
    found = [float(v) for v in write_plainly(arrow_texts(cells), NumberFormat(decimal)).to_pylist()]
    assert found == list(values)
    number_format = format_of_numbers(arrow_texts(sorted({*cells})), ";" if decimal == "," else ",")
    plain = all(not math.isnan(try_float(cell)) for cell in cells)
    assert number_format == (None if plain else NumberFormat(decimal))


def try_float(text):
    try:
        return float(text)
    except ValueError:
        return math.nan


@pytest.mark.parametrize(
    ("values", "separator", "decimal"),
    [
        (["3,14", "2", "-0,5"], ";", ","),
        (["3,14", "k.A.", ""], ";", ","),
        (["1,234", "5,678"], ";", ","),  # as a file with semicolons usually means it
        (["1,234", "5,678"], ",", "."),
        (["1,234", "12.5"], ";", "."),
        (["1.234,5", "7"], ",", ","),
        (["−3,5", "+2,0", "1,5E+03"], ";", ","),
        (["12 %", "3,5 %"], ";", ","),
        (["12", "3.5"], ";", None),  # plain
        (["12 %", "3,5"], ";", None),  # not one quantity
        (["12 €", "12 $"], ";", None),
        (["01067", "1,5", "09111"], ";", None),  # codes
        (["12.05.2024", "01.06.2024"], ";", None),
        (["1,3,4", "2,4"], ";", None),
        (["1.2.3", "4,5"], ";", None),
        (["3,14", "3.14"], ";", None),  # nobody knows
        (["3,14", "three"], ";", None),
        (["3,14", "2,7", "1,4", "1,6", "three"], ";", ","),  # a word among numbers
        (["", "NA"], ";", None),
        ([], ";", None),
    ],
)
def test_the_format_of_a_column(values, separator, decimal):
    assert format_of_numbers(arrow_texts(values), separator) == (None if decimal is None else NumberFormat(decimal))


def test_points_that_part_thousands():
    assert may_part_thousands(arrow_texts(["1.234", "950", "12.500"]))
    assert not may_part_thousands(arrow_texts(["3.14", "950"]))
    assert not may_part_thousands(arrow_texts(["1234", "950"]))
    assert not may_part_thousands(arrow_texts([]))


def test_what_is_no_number_stays_as_it_is():
    values = ["1.2", "", "x 1,5", "1,5"]
    assert write_plainly(arrow_texts(values), NumberFormat(",")).to_pylist() == ["1.2", "", "x 1,5", "1.5"]
    assert write_plainly(arrow_texts(values), None).to_pylist() == values


def words(many):
    return [f"word {'ab'[i % 2] * (i + 1)}" for i in range(many)]


@pytest.mark.parametrize(
    ("fitting", "odd", "is_one"),
    [
        (12, 3, True),  # four fifths, and three that are none
        (11, 3, False),  # fewer than four fifths
        (16, 4, False),  # four that are none, and fewer than 95 of 100
        (75, 4, False),
        (76, 4, True),  # 95 of 100 exactly
        (4, 1, True),
        (3, 1, False),
    ],
)
def test_how_many_values_of_a_column_of_numbers_may_be_none(fitting, odd, is_one):
    values = [f"{i},5" for i in range(fitting)] + words(odd)
    assert format_of_numbers(arrow_texts(values), ";") == (NumberFormat(",") if is_one else None)


def test_a_format_is_looked_for_in_the_first_values_only():
    plain = [str(i) for i in range(MOST_VALUES)]
    assert format_of_numbers(arrow_texts([*plain, "1,5"]), ";") is None
    assert format_of_numbers(arrow_texts([*plain[:-1], "1,5"]), ";") == NumberFormat(",")
    assert len(sample_values(arrow_texts([*plain, "7"]))) == MOST_VALUES
    assert sample_values(pa.array(["1", " NA ", "", None, "-", "2"])).to_pylist() == ["1", "2"]


@pytest.mark.parametrize(
    ("values", "one"),
    [
        (["12 %", "3 %"], True),
        (["12 %", "3"], False),  # one of them no percentage
        (["12 €", "3"], True),  # who leaves out the currency means the same one
        (["12 €", "3 $"], False),
        (["12 EUR", "3 USD"], False),
        (["12 EUR", "3 EUR"], True),
        (["12 %", "3 ‰"], False),
        (["12", "3"], True),
    ],
)
def test_values_of_one_unit(values, one):
    assert have_one_unit(values) is one


@pytest.mark.parametrize(
    ("cell", "decimal", "number"),
    [
        ("- 1.234,5 €", ",", "-1234.5"),
        ("€ -3", ",", "-3"),
        ("+7", ".", "7"),
        (",5", ",", ".5"),
        ("12,345,678.25", ".", "12345678.25"),
        ("1’000.5 CHF", ".", "1000.5"),
        ("5 ‰", ".", "5"),
        ("1,5e-3", ",", "1.5e-3"),
        ("0,5", ",", "0.5"),
        ("1234,5", ",", "1234.5"),
        ("(500)", ".", "-500"),
        ("(1,259.88)", ".", "-1259.88"),
        ("($80.00)", ".", "-80.00"),
        ("$(80.00)", ".", "-80.00"),
        ("$ (1,080.00)", ".", "-1080.00"),
        ("(12,5 %)", ",", "-12.5"),
        ("(80) €", ",", "-80"),
        ("1.259,88-", ",", "-1259.88"),
        ("500.00−", ".", "-500.00"),
        ("500- EUR", ",", "-500"),
        ("(-500)", ".", None),
        ("-500-", ".", None),
        ("(500", ".", None),
        ("500)", ".", None),
        ("()", ".", None),
        ("(01067)", ".", None),
        ("1.23,5", ",", None),  # a group has three digits
        ("1234.567,5", ",", None),  # and before the first there are at most three
        ("00,5", ",", None),
        ("5 5 €€", ",", None),
        ("1,", ",", None),
        ("5%%", ",", None),
    ],
)
def test_a_cell_is_a_number_of_a_format_or_stays_as_it_is(cell, decimal, number):
    expected = cell if number is None else number
    assert write_plainly(arrow_texts([cell]), NumberFormat(decimal)).to_pylist() == [expected]


@pytest.mark.parametrize(
    ("values", "found"),
    [
        (["(500)", "20", "7.5"], True),
        (["500-", "20", "7.5"], True),
        (["(1)", "(2)", "(3)"], False),  # numbers of a list
        (["1", "1-", "2", "2-", "3"], False),  # marks of a school
        (["1.50", "2.50-", "3"], True),
        (["(a)", "b", "5"], False),
    ],
)
def test_losses_are_below_zero_where_the_rest_are_numbers(values, found):
    assert format_of_numbers(arrow_texts(values), ",") == (NumberFormat(".") if found else None)
