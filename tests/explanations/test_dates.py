"""A date is asked for and changed as the table has it, whatever parts of it a model reads."""

from contextlib import suppress
from datetime import date, datetime, time, timedelta

import numpy as np
import pandas as pd
import pytest

import bayesfold as bf
from bayesfold.explanations.dates import in_the_form_of

FORMS = {
    "text": str,
    "date": lambda day: day,
    "moment": lambda day: datetime(day.year, day.month, day.day, 12, 30),
    "numpy": np.datetime64,
    "pandas": lambda day: pd.Timestamp(day, tz="Europe/Berlin"),
}
KINDS = [bf.NaiveBayes, bf.KDB, bf.GaussianBayes, bf.BayesClassifier]


def deliveries(form=str, rows=400):
    """Dates of which the weekday tells much and the season a little, and a number."""
    draw = np.random.default_rng(0)
    days = [date(2023, 1, 1) + timedelta(days=int(d)) for d in draw.integers(0, 700, rows)]
    late = [(day.weekday() > 4) != (draw.random() < 0.05 + 0.2 * (day.month > 6)) for day in days]
    table = {"opened": [form(day) for day in days], "size": draw.normal(np.array(late) * 0.8).tolist()}
    return table, ["late" if one else "on time" for one in late]


def rows_of(table, many):
    return [dict(zip(table, cells, strict=True)) for cells in zip(*table.values(), strict=True)][:many]


@pytest.mark.parametrize(
    ("make", "form"), [*((bf.NaiveBayes, form) for form in FORMS), *((make, "text") for make in KINDS[1:])]
)
def test_a_date_changes_as_a_whole_and_in_its_own_form(make, form):
    table, late = deliveries(FORMS[form])
    clf = make().fit(pd.DataFrame(table), late)
    assert any(name.startswith("opened (") for name in clf.model_.schema.sources)
    changed = 0
    for row in rows_of(table, 6):
        found = clf.what_would_change(row)
        assert {column for column, *_ in found.changes} <= {"opened", "size"}
        then = row | {column: new for column, _, new in found.changes}
        assert clf.predict(row)[0] == found.before != found.after == clf.predict(then)[0]
        assert clf.predict(pd.DataFrame([then]))[0] == found.after
        assert type(then["opened"]) is type(row["opened"])
        as_table = clf.what_would_change(pd.DataFrame([row]))
        assert [column for column, *_ in as_table.changes] == [column for column, *_ in found.changes]
        assert clf.predict(row | {column: new for column, _, new in as_table.changes})[0] == found.after
        changed += "opened" in [column for column, *_ in found.changes]
        with suppress(ValueError):
            held = clf.what_would_change(row, fixed=["opened"])
            assert [column for column, *_ in held.changes] == ["size"]
    assert changed > 2


def test_a_date_that_is_not_known_is_asked_for_and_told():
    table, late = deliveries()
    clf = bf.NaiveBayes().fit(table, late)
    assert clf.what_to_ask({}).best == "opened"
    assert set(clf.what_to_ask({"size": 0.5})) == {"opened"}
    found = clf.what_would_change({"size": 0.1}, fixed=["size"])
    ((column, now, then),) = found.changes
    assert (column, now) == ("opened", None)
    assert clf.predict({"size": 0.1, "opened": then})[0] == found.after
    assert date.fromisoformat(then).weekday() > 4


def test_a_row_that_names_parts_is_answered_in_parts():
    table, late = deliveries()
    clf = bf.NaiveBayes().fit(table, late)
    (part,) = (name for name in clf.model_.schema.sources if "weekday" in name)
    for row in ({part: "Friday"}, pd.DataFrame({part: ["Friday"], "size": [None]})):
        found = clf.what_would_change(row)
        assert [column for column, *_ in found.changes] == [part]
    assert part not in clf.what_to_ask({})
    assert part in clf.what_to_ask({part: None, "size": 0.5})


def test_dates_that_are_given_are_tried():
    table, late = deliveries()
    clf = bf.NaiveBayes().fit(table, late)
    friday, days = {"opened": "2024-05-03"}, [date(2024, 5, 2), date(2024, 5, 12), date(2024, 5, 6)]
    found = clf.what_would_change(friday, fixed=["size"], values={"opened": days})
    assert found.changes == (("opened", "2024-05-03", date(2024, 5, 12)),)
    with pytest.raises(ValueError, match="no change among those tried"):
        clf.what_would_change(friday, fixed=["size"], values={"opened": days[:1]})


def test_a_part_that_is_fixed_stays():
    draw = np.random.default_rng(2)
    days = [date(2020, 1, 1) + timedelta(days=int(d)) for d in draw.integers(0, 1_500, 800)]
    strange = [(day.weekday() > 4) + (day.month > 6) + draw.normal() * 0.3 > 0.7 for day in days]
    clf = bf.NaiveBayes().fit({"day": list(map(str, days))}, ["odd" if one else "plain" for one in strange])
    assert {"day (weekday)", "day (month)"} <= set(clf.model_.schema.sources)
    row = {"day": "2022-02-02"}
    for fixed, same in (("day (weekday)", date.weekday), ("day (month)", lambda day: day.month)):
        found = clf.what_would_change(row, fixed=[fixed])
        then = date.fromisoformat(found.changes[0][2])
        assert same(then) == same(date(2022, 2, 2))
        assert clf.predict({"day": str(then)})[0] == found.after == "odd"


def test_a_time_of_day_stays_one():
    hours = np.random.default_rng(0).integers(0, 24, 300).tolist()
    clf = bf.NaiveBayes().fit({"at": [time(h, 30) for h in hours]}, ["night" if h < 6 else "day" for h in hours])
    for row in ({"at": time(3, 30)}, {}):
        found = clf.what_would_change(row)
        ((column, now, then),) = found.changes
        assert (column, now) == ("at", row.get("at"))
        assert isinstance(then, time)
        assert clf.predict({"at": then})[0] == found.after
    assert list(clf.what_to_ask({})) == ["at"]


def test_a_day_with_a_clock_is_a_moment():
    assert in_the_form_of(date(2024, 1, 1), "2024-01-02") == date(2024, 1, 2)
    assert in_the_form_of(date(2024, 1, 1), "2024-01-02T07:30") == datetime(2024, 1, 2, 7, 30)
    assert in_the_form_of("1.1.2024", "2024-01-02T07:30") == "2024-01-02T07:30"
    moment = datetime.fromisoformat("2024-01-01T08:00:01.5+02:00")
    assert in_the_form_of(moment, "2024-01-02T07:30").isoformat() == "2024-01-02T07:30:00+02:00"


def test_a_time_of_day_that_is_text_stays_text():
    hours = np.random.default_rng(0).integers(0, 24, 300).tolist()
    clf = bf.NaiveBayes().fit({"at": [f"{h}:30" for h in hours]}, ["night" if h < 6 else "day" for h in hours])
    assert [line.why for line in clf.columns_][:1] == ["read as 'at (hour)'"]
    found = clf.what_would_change({"at": "3:30"})
    ((column, now, then),) = found.changes
    assert (column, now) == ("at", "3:30")
    assert isinstance(then, str)
    assert clf.predict({"at": then})[0] == found.after
    assert clf.predict({"at": "11:30 pm"})[0] == "day"
