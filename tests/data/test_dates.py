"""Dates in the forms in which people and libraries write them."""

import datetime as dt

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesfold.data.clocks import parse_clock
from bayesfold.data.dates import (
    DAY_FIRST,
    MONTH_FIRST,
    PARTS,
    date_column_of,
    differing_parts,
    moments,
    order_of,
    parse_date,
    part_name,
    take_part,
    with_parts,
)

MOMENT = dt.datetime(2024, 2, 9, 15, 4, 5)


@pytest.mark.parametrize(
    "text",
    [
        "2024-02-09 15:04:05",
        "2024-02-09T15:04:05Z",
        "2024-02-09T15:04:05.123+01:00",
        "2024/2/9 15:04:05",
        "9.2.2024 15:04:05",
        "09.02.24, 15:04:05",
        " 9 Feb 2024 15:04:05 ",
        "Fri, 9 February 2024 3:04:05 PM",
        "9-Feb-2024 15:04:05",
        "Feb 9, 2024 3:04:05 pm",
        "February 9th, 2024 15:04:05",
        "2024年2月9日 15:04:05",
        "20240209 15:04:05",
    ],
)
def test_forms_that_say_themselves_what_they_are(text):
    assert parse_date(text) == MOMENT
    assert order_of([text]) == ""


@pytest.mark.parametrize(
    "text", ["", "2024", "2024-13-01", "2024-02-30", "9 Foo 2024", "1.2", "1.2.3.4", "10:30", "x" * 1000, None]
)
def test_what_is_no_date(text):
    assert parse_date(text) is None


@given(st.datetimes(dt.datetime(1970, 1, 1), dt.datetime(2069, 12, 31)), st.sampled_from([DAY_FIRST, MONTH_FIRST]))
def test_numbers_between_slashes_are_read_in_the_order_that_is_said(when, order):
    form = "%d/%m/%y %H:%M:%S" if order == DAY_FIRST else "%m/%d/%y %H:%M:%S"
    assert parse_date(when.strftime(form), order) == when.replace(microsecond=0)


@given(st.lists(st.dates(dt.date(1900, 1, 1), dt.date(2100, 1, 1)), min_size=1, max_size=300))
def test_the_order_is_one_under_which_all_values_are_dates(dates):
    for form, order in (("%d/%m/%Y", DAY_FIRST), ("%m/%d/%Y", MONTH_FIRST)):
        texts = [d.strftime(form) for d in dates]
        told = order_of(texts)
        assert told in (DAY_FIRST, order)
        if any(d.day > 12 for d in dates):
            assert told == order
            assert [parse_date(t, told).date() for t in texts] == dates


def test_a_few_values_among_dates_may_be_none_and_many_may_not():
    dates = [f"2024-01-{d:02d}" for d in range(1, 29)]
    assert order_of([*dates, "unknown"]) == ""
    assert order_of([*dates, *"abcdefgh"]) is None
    assert order_of([*dates[:1], *map(str, range(3_000))]) is None


@given(st.lists(st.none() | st.datetimes(dt.datetime(1890, 1, 1), dt.datetime(2200, 1, 1)), min_size=1))
def test_parts_are_those_of_python(dates):
    column = pa.array([d and d.replace(microsecond=0) for d in dates], pa.timestamp("s"))
    expected = {
        "year": lambda d: d.year,
        "month": lambda d: d.month,
        "weekday": lambda d: d.strftime("%A"),
        "hour": lambda d: d.hour + d.minute / 60 + d.second / 3600,
        "days": lambda d: d.toordinal() - dt.date(1970, 1, 1).toordinal(),
    }
    for part in PARTS:
        found = take_part(part_name("when", part), column)
        found = found.to_pylist() if isinstance(found, pa.Array) else [None if x != x else x for x in found.tolist()]
        wanted = [None if d is None else expected[part](d) for d in dates]
        if part == "hour":
            np.testing.assert_allclose(
                [np.nan if x is None else x for x in found], [np.nan if x is None else x for x in wanted], rtol=1e-12
            )
        else:
            assert found == wanted


def test_moments_of_a_zone_are_those_of_its_clocks():
    column = pa.array([dt.datetime(2024, 7, 1, 22, 30, tzinfo=dt.UTC)], pa.timestamp("us", "Europe/Berlin"))
    assert moments(column)[0] == np.datetime64("2024-07-02T00:30:00")


def test_times_have_hours_and_nothing_else():
    assert list(differing_parts(moments(pa.array([dt.time(1, 30), dt.time(2)])))) == ["hour"]


def test_a_column_that_has_the_name_of_a_part_is_itself():
    assert date_column_of("when (month)", ["when", "when (month)"]) is None
    assert date_column_of("when (month)", ["when"]) == "when"
    assert date_column_of("a (b) (month)", ["a (b)"]) == "a (b)"


@pytest.mark.parametrize(
    "cell", ["2024-02-09 15:04", dt.date(2024, 2, 9), np.datetime64("2024-02-09T15:04"), None, 7, "x"]
)
def test_a_row_has_the_parts_of_its_dates(cell):
    row = with_parts({"when": cell, "a": 1}, ["when (weekday)", "when (year)", "a", "other (month)"])
    none = cell in (None, 7, "x")
    assert row["when (weekday)"] == (None if none else "Friday")
    assert row["a"] == 1
    assert "other (month)" not in row


@pytest.mark.parametrize(
    ("dates", "order"),
    [
        (["3/12/24", "12/3/24"], "d/m/y"),  # either would do: the day comes first
        (["3/13/24", "12/3/24"], "m/d/y"),
        (["13/3/24", "12/3/24"], "d/m/y"),
        (["13/3/24", "3/13/24"], None),
        (["31/1/24", "1/2/24"], "d/m/y"),
        (["1/31/24", "2/1/24"], "m/d/y"),
        (["32/1/24", "1/2/24"], None),
        (["3/4/24", "2024-05-06"], "d/m/y"),
        (["2024-05-06", "6 May 2024"], ""),
        ([7, "2024-05-06"], None),
        (["20240506", "2024-05-06"], ""),
        (["20240506", "20240507"], None),  # where all of them are digits, they are numbers, as they are in a file
        ([], None),
    ],
)
def test_the_order_of_day_and_month(dates, order):
    assert order_of(dates) == order


def test_the_share_of_dates_is_that_of_the_first_values_and_of_all():
    dates = [f"2024-01-{day:02d}" for day in range(1, 20)]
    assert order_of([*dates, "soon"]) == "", "19 of 20 are 95 of 100"
    assert order_of([*dates[:-1], "soon"]) is None
    many = [f"{1900 + i // 12}-{i % 12 + 1:02d}-01" for i in range(600)]
    assert order_of(many) == ""
    assert (
        order_of(
            [word if i % 3 else date for i, (word, date) in enumerate(zip(map(str, range(600)), many, strict=True))]
        )
        is None
    )


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("1.1.69", "2069-01-01 00:00:00"), ("1.1.70", "1970-01-01 00:00:00"), ("1.12.1999", "1999-12-01 00:00:00"),
        ("2024-02-29 12:05 am", "2024-02-29 00:05:00"), ("2024-02-29 12:05 PM", "2024-02-29 12:05:00"),
        ("2024-02-29 1:05:59 p.m.", "2024-02-29 13:05:59"), ("2024-02-29T23:59:07.25Z", "2024-02-29 23:59:07"),
        ("Dec 31st, 2023", "2023-12-31 00:00:00"), ("2 January 24", "2024-01-02 00:00:00"),
        ("2024年3月5日", "2024-03-05 00:00:00"), ("2023-02-29", "None"), ("2024-13-01", "None"), ("1.1.2", "None"),
        ("3 Foo 2024", "None"), ("2024-02-29" + " " * 50, "2024-02-29 00:00:00"), ("2024-02-29" + " " * 51, "None"),
    ],
)  # fmt: skip
def test_the_moment_that_a_text_says(text, moment):
    assert str(parse_date(text)) == moment


def test_dates_of_any_kind_of_column_are_the_same_moments():
    texts = ["2024-02-29 17:05", None, "no date", "1999-12-31 00:00"]
    expected = np.array(["2024-02-29T17:05:00", "NaT", "NaT", "1999-12-31T00:00:00"], "M8[s]")
    plain = pa.array(texts)
    whens = pa.array([t if t != "no date" else None for t in texts]).cast(pa.timestamp("us"))
    for column in (
        plain,
        plain.dictionary_encode(),
        pa.chunked_array([plain[:2], plain[2:]]),
        whens,
        whens.cast(pa.timestamp("ns")),
    ):
        np.testing.assert_array_equal(moments(column), expected)
    np.testing.assert_array_equal(moments(whens.to_numpy(zero_copy_only=False)), expected)
    assert take_part("t (hour)", plain).tolist()[0] == pytest.approx(17 + 5 / 60)
    assert take_part("t (month)", plain).tolist()[::3] == [2.0, 12.0]
    assert take_part("t (year)", plain).tolist()[::3] == [2024.0, 1999.0]
    assert take_part("t (weekday)", plain).to_pylist() == ["Thursday", None, None, "Friday"]


def test_eight_digits_are_the_day_that_they_say_however_they_are_stored():
    """A table to be predicted may have 20240229 where dates with dashes were learned."""
    expected = np.array(["2024-02-29", "NaT", "NaT", "1999-12-31"], "M8[s]")
    days = [20240229, None, 20240230, 19991231]
    for column in (
        pa.array(days),
        pa.array(days, pa.float64()),
        pa.array(days, pa.int64()).cast(pa.decimal128(21, 2)),
        pa.array([None if day is None else str(day) for day in days]),
        np.array([np.nan if day is None else day for day in days]),
    ):
        np.testing.assert_array_equal(moments(column), expected)
    for cell in (20240229, 20240229.0, np.int64(20240229), np.float64(20240229), "20240229"):
        assert with_parts({"day": cell}, ["day (weekday)"])["day (weekday)"] == "Thursday"
    for cell in (20240230, 20240229.5, True, float("nan"), float("inf"), 10**400):
        assert with_parts({"day": cell}, ["day (weekday)"])["day (weekday)"] is None


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        ("14:35", "14:35:00"),
        ("9:05:10", "09:05:10"),
        (" 09:05:10.250 ", "09:05:10"),
        ("2:05 pm", "14:05:00"),
        ("12:05 a.m.", "00:05:00"),
        ("12:05PM", "12:05:00"),
    ],
)
def test_a_time_of_day_is_an_hour_and_no_day(text, clock):
    assert str(parse_clock(text).time()) == clock
    assert parse_date(text) is None
    hour = parse_clock(text)
    column = pa.array([text, None])
    assert take_part("at (hour)", column)[0] == pytest.approx(hour.hour + hour.minute / 60 + hour.second / 3600)
    for part in ("year", "month", "days"):
        assert np.isnan(take_part(f"at ({part})", column)).all()
    assert take_part("at (weekday)", column).null_count == 2


@pytest.mark.parametrize("text", ["24:00", "9:60", "9:5", "14", "1:2:3", "14:35 x", "", "9" * 50, None])
def test_what_is_no_time_of_day(text):
    assert parse_clock(text) is None


def test_times_of_a_clock_say_nothing_of_the_day_whatever_their_type():
    clocks = pa.array([dt.time(14, 35), None])
    assert np.isnan(take_part("at (days)", clocks)).all()
    assert take_part("at (hour)", clocks)[0] == pytest.approx(14 + 35 / 60)


def test_a_column_of_times_of_day_has_hours_and_one_of_both_is_neither():
    clocks = [f"{h:02d}:{m:02d}" for h in range(24) for m in (5, 35)]
    assert order_of(clocks) == ""
    assert order_of([*clocks, "late"]) == ""
    assert order_of([*clocks, "2024-01-01", "2024-01-02", "2024-01-03"]) is None
    assert list(differing_parts(moments(pa.array(clocks)))) == ["hour"]
