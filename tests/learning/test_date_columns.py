"""Dates are learned by the parts that tell something, from every kind of table, and asked as they were learned."""

import contextlib

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import bayesfold as bf
from bayesfold.data.tables import frame
from bayesfold.learning.column_table import ColumnReport, ColumnTable
from bayesfold.learning.date_columns import parts_of_dates, unite_columns

DRAW = np.random.default_rng(5)
ROWS = 400
WHEN = pd.Series(pd.Timestamp("2023-01-01") + pd.to_timedelta(DRAW.integers(0, 500 * 1440, ROWS), unit="m"))
WEEKEND = np.where((WHEN.dt.day_of_week >= 5) ^ (DRAW.random(ROWS) < 0.05), "rest", "work")
FORMS = {
    "moments": lambda when: when,
    "dates": lambda when: when.dt.date,
    "zone": lambda when: when.dt.tz_localize("UTC"),
    "iso": lambda when: when.dt.strftime("%Y-%m-%d %H:%M"),
    "month first": lambda when: when.dt.strftime("%m/%d/%Y"),
    "day first": lambda when: when.dt.strftime("%d/%m/%Y"),
    "words": lambda when: when.dt.strftime("%d %b %Y"),
    "some missing": lambda when: when.dt.strftime("%d.%m.%Y").where(DRAW.random(ROWS) > 0.05, "unknown"),
}


def table(form):
    return pd.DataFrame({"when": FORMS[form](WHEN), "noise": DRAW.normal(size=ROWS)})


@pytest.mark.parametrize("form", FORMS)
def test_the_part_that_tells_something_is_learned(form):
    x = table(form)
    clf = bf.NaiveBayes().fit(x, WEEKEND)
    named = {line.name: line.why for line in clf.columns_}
    (part,) = [name for name in named if name.startswith("when (")]
    assert part.startswith("when (weekday")
    odd = "; missing where it is no date: 'unknown'" if form == "some missing" else ""
    assert named["when"] == f"read as {part!r}{odd}"
    assert clf.score(x, WEEKEND) > 0.88
    proba = clf.predict_proba(x)
    np.testing.assert_allclose([clf.predict_proba(row)[0] for row in x.head(20).to_dict("records")], proba[:20])
    other = bf.NaiveBayes(schema=clf.schema_).fit(x[40:], WEEKEND[40:])
    np.testing.assert_allclose(clf.forget(x[:40], WEEKEND[:40]).predict_proba(x), other.predict_proba(x))


@pytest.mark.parametrize("form", ["moments", "month first", "some missing"])
@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_files_give_the_model_of_the_table(form, ending, tmp_path):
    x, path = table(form), tmp_path / f"t.{ending}"
    whole = x.assign(y=WEEKEND)
    whole.to_csv(path, index=False) if ending == "csv" else whole.to_parquet(path)
    clf = bf.NaiveBayes().fit_from(path, "y")
    np.testing.assert_allclose(clf.predict_proba(x), bf.NaiveBayes().fit(x, WEEKEND).predict_proba(x), atol=1e-9)
    clf.save(tmp_path / "m.bayes")
    bf.load(tmp_path / "m.bayes").predict_from(path, tmp_path / "out.parquet")
    out = pq.read_table(tmp_path / "out.parquet")
    np.testing.assert_allclose(out["P(rest)"].to_numpy(), clf.predict_proba(x)[:, 0])
    bf.load(tmp_path / "m.bayes").partial_fit(x[:3], WEEKEND[:3])


@pytest.mark.parametrize("estimator", [bf.BayesClassifier, bf.TAN, bf.AODE, bf.GaussianBayes])
def test_every_classifier_learns_parts(estimator):
    x = table("iso")
    clf = estimator().fit(x, WEEKEND)
    assert clf.score(x, WEEKEND) > 0.88
    assert any(line.name == "when (weekday)" and line.family for line in clf.columns_)
    assert "when (weekday)" in str(clf.explain(x[:1])[0])


def test_dates_that_tell_nothing_are_left_out_and_declared_ones_are_what_they_are_declared():
    x = table("iso")
    coin = np.random.default_rng(1).choice([*"ht"], ROWS)  # whatever other tests have drawn
    with pytest.warns(bf.ColumnWarning):
        clf = bf.NaiveBayes().fit(x, coin)
    assert "left out: dates, and no part of them helps to predict" in [line.why for line in clf.columns_]
    clf = bf.NaiveBayes(families={"when": "categorical"}).fit(x, WEEKEND)
    assert clf.columns_[0].why == "declared"


def test_rows_that_the_model_draws_can_be_asked():
    clf = bf.NaiveBayes().fit(table("moments"), WEEKEND)
    columns, labels = clf.sample(500, random_state=0)
    assert (clf.predict(columns) == labels).mean() > 0.8
    assert (clf.predict(pd.DataFrame(columns)) == labels).mean() > 0.8


def test_a_stream_keeps_every_part():
    clf = bf.NaiveBayes()
    for row, label in zip(table("moments").to_dict("records"), WEEKEND, strict=True):
        clf.partial_fit(row, label)
    assert len([name for name in clf.schema_.sources if name.startswith("when (")]) == 5


def test_columns_that_have_the_names_of_parts_stay_theirs():
    read = frame({"when": ["2024-01-01", "2025-03-02"], "when (year)": ["a", "b"]})
    assert parts_of_dates(read, {}) == {"when": ("when (month)", "when (weekday)", "when (days)")}


def test_numbers_and_codes_are_no_dates():
    read = frame({"code": ["10-A", "11-B", "12-C"], "number": [1, 2, 3], "name": ["May", "June", "April"]})
    assert parts_of_dates(read, {}) == {}


def test_dates_that_are_written_in_another_form_are_told_of():
    clf = bf.NaiveBayes().fit(table("iso"), WEEKEND)
    with pytest.warns(bf.RowWarning, match="'when': no value of these rows is a date as the model reads it"):
        clf.predict(table("month first"))


def test_an_export_that_cannot_read_dates_is_refused(tmp_path):
    clf = bf.NaiveBayes().fit(table("iso"), WEEKEND)
    with pytest.raises(ValueError, match=r"this model computes 'when \(weekday\)' from dates, which an export cannot"):
        bf.export_model(clf, tmp_path / "m.js")


@pytest.mark.filterwarnings("ignore::bayesfold.ColumnWarning")
def test_the_order_of_columns_of_dates_changes_no_choice():
    found = []
    for turned in (False, True):
        draw = np.random.default_rng(3)
        for _ in range(12):
            days = [np.datetime64("2020-01-01") + draw.integers(0, 900, 14) for _ in range(2)]
            columns = {"b": days[0], "a": days[1], "x": draw.normal(size=14)}
            columns = dict(reversed(columns.items())) if turned else columns
            clf = bf.NaiveBayes(numeric="gaussian").fit(columns, draw.choice([*"pq"], 14))
            found.append(sorted(clf.schema_.columns))
    assert found[:12] == found[12:]


@pytest.mark.parametrize("estimator", [bf.NaiveBayes, bf.BayesClassifier])
def test_what_changes_a_decision_and_what_to_ask_know_the_date(estimator):
    """Rows that are tried all have the parts of their date, not only those in which a part is changed."""
    loud = np.where(DRAW.random(ROWS) < 0.7, WEEKEND, np.where(WEEKEND == "rest", "work", "rest"))
    x = table("iso").assign(loud=loud)
    clf = estimator().fit(x, WEEKEND)
    for row in x.head(8).to_dict("records"):
        found = clf.what_would_change(row)
        assert clf.predict(row)[0] == found.before != found.after
        assert clf.predict(row | {column: new for column, _, new in found.changes})[0] == found.after
        assert all(is_now is not None for _, is_now, _ in found.changes)
        with contextlib.suppress(ValueError):  # without the date, nothing may change the decision
            assert {column for column, *_ in clf.what_would_change(row, fixed=["when"]).changes} <= {"noise", "loud"}
        asked = clf.what_to_ask({"when": row["when"]})
        assert set(asked) == {"noise", "loud"} - {name for name in ("noise", "loud") if name not in clf.schema_.sources}


def test_a_table_without_the_dates_is_told_which_column_it_lacks(tmp_path):
    x = table("iso")
    clf = bf.NaiveBayes().fit(x, WEEKEND)
    lacks = r"has no column 'when' of dates, nor 'when \(weekday\)'; it has 'noise'"
    with pytest.raises(ValueError, match=lacks):
        clf.predict_from(pa.table({"noise": [0.5]}), tmp_path / "out.csv")
    with pytest.raises(ValueError, match=lacks):
        clf.predict(pd.DataFrame({"noise": [0.5]}))


def test_a_part_that_only_one_of_several_models_reads_is_in_their_table():
    a, b, c = (ColumnReport(name, "gaussian", "why") for name in ("when (year)", "when (days)", "x"))
    dates = ColumnReport("when", "dates", "read as 'when (year)'")
    none = ColumnReport("when", "", "left out: dates, and no part of them helps to predict")
    parts = {"when": ("when (year)", "when (weekday)", "when (days)")}
    both = (ColumnReport("when", "dates", "read as 'when (year)', 'when (days)'"), a, b, c)
    assert unite_columns([ColumnTable((dates, a, c)), ColumnTable((dates, b, c))], parts) == both
    assert unite_columns([ColumnTable((none, c)), ColumnTable((dates, a, b, c))], parts) == both
    assert unite_columns([ColumnTable((dates, a, c)), ColumnTable((none, c))], parts) == (dates, a, c)
    assert unite_columns([ColumnTable((none, c)), ColumnTable((none, c))], parts) == (none, c)
    silent = ColumnReport("x", "", "left out")
    assert unite_columns([ColumnTable((silent,)), ColumnTable((c,))], {}) == (silent,)


@pytest.mark.filterwarnings("ignore:columns left out")
@pytest.mark.parametrize("seed", range(4))
def test_the_table_of_a_pool_has_every_part_that_it_reads(seed):
    """Its members choose parts by themselves."""
    draw = np.random.default_rng(seed)
    rows = 250
    opened = pd.Series(pd.Timestamp("2020-01-01") + pd.to_timedelta(draw.integers(0, 900 * 1440, rows), unit="m"))
    closed = opened + pd.to_timedelta(draw.integers(1, 200 * 1440, rows), unit="m")
    x = draw.normal(size=rows)
    days = (opened - opened.min()).dt.days
    y = np.where((opened.dt.day_of_week >= 5) + x + days / 600 + draw.normal(0, 0.6, rows) > 1.2, "late", "early")
    X = pd.DataFrame({"opened": opened.dt.strftime("%d.%m.%Y"), "closed": closed.dt.strftime("%d.%m.%Y"), "x": x})
    clf = bf.BayesClassifier().fit(X, y)
    lines = {line.name: line for line in clf.columns_}
    assert all(lines[part].family for part in clf.model_.schema.parts)
