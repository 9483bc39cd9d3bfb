"""Numbers as people write them, read as what they mean; codes, dates and words stay what they are."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesfold.io.csv.number_format import NumberFormat, format_of_numbers, may_part_thousands, write_plainly
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
