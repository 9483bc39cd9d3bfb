"""Values that were never learned are counted and told, to the command and in Python; marks of missing ones too."""

import warnings
from datetime import time

import numpy as np
import pandas as pd
import pytest
from tests.cli.process import call

import bayesfold as bf

NONE = "column 'sex': no value of these rows was ever learned ('male', 'female'; the model knows 'F', 'M')"


@pytest.fixture(params=["csv", "parquet"])
def folder(tmp_path, request):
    """A model of M and F, and rows of male and female, in files of one form."""
    learned = {
        "sex": ["M", "F"] * 40,
        "town": ["a", "b", "c", "d"] * 20,
        "n": range(80),
        "y": ["p", "q", "q", "p"] * 20,
    }
    asked = learned | {"sex": ["male", "female", None, "male"] * 20, "town": ["a", "x", "b", "y"] * 20}
    for name, table in (("learned", learned), ("asked", asked)):
        frame = pd.DataFrame(table)
        path = tmp_path / f"{name}.{request.param}"
        frame.to_csv(path, index=False) if request.param == "csv" else frame.to_parquet(path, index=False)
    call(tmp_path, "fit", f"learned.{request.param}", "-t", "y", "-m", "naive", "-o", "m.bayes")
    return tmp_path, request.param


def test_the_command_tells_of_them(folder):
    place, form = folder
    asked = f"asked.{form}"
    for more in (("-o", "out.csv"), ("--json",), ()):
        said = call(place, "predict", "m.bayes", asked, *more).stderr
        assert said.count(NONE) == 1
        assert "column 'town': 40 of 80 rows have a value that was never learned ('x', 'y')" in said
    for command in (("evaluate", "m.bayes", asked), ("explain", "m.bayes", asked)):
        said = call(place, *command).stderr
        assert said.count(NONE) == 1
        assert "town" not in said
    assert NONE in call(place, "update", "m.bayes", asked, "-o", "u.bayes").stderr
    assert "column" not in call(place, "predict", "m.bayes", f"learned.{form}", "-o", "out.csv").stderr


def test_python_warns(folder):
    place, form = folder
    clf = bf.load(place / "m.bayes")
    with pytest.warns(bf.RowWarning, match="column 'sex': no value of these rows was ever learned") as told:
        clf.predict_from(place / f"asked.{form}", place / "out.csv")
    assert len(told) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        clf.predict_from(place / f"learned.{form}", place / "out.csv")


@pytest.mark.parametrize("mark", ["?", "NULL", "n/a", "NaN", "None"])
@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_marks_of_missing_values_among_text_are_told(mark, form, tmp_path):
    table = {"town": ["a", mark, "c", "d"] * 20, "n": range(80), "y": ["p", "q", "q", mark] * 20}
    path = tmp_path / f"t.{form}"
    frame = pd.DataFrame(table)
    frame.to_csv(path, index=False) if form == "csv" else frame.to_parquet(path, index=False)
    said = call(tmp_path, "fit", path.name, "-t", "y", "-m", "naive").stderr
    assert f"column 'town' has '{mark}' as a value like any other; if it means missing: --missing 'town={mark}'" in said
    assert f"the target 'y' has '{mark}' as a value like any other; if it means missing: --missing 'y={mark}'" in said
    told = ("--missing", f"town={mark}", "--missing", f"y={mark}")
    found = call(tmp_path, "fit", path.name, "-t", "y", "-m", "naive", *told)
    assert mark not in found.stderr
    assert "20 rows without a class put aside" in found.stdout


def test_a_table_in_memory_is_told_of_too():
    learned = pd.DataFrame({"sex": ["M", "F"] * 40, "town": ["a", "b", "c", "d"] * 20})
    clf = bf.NaiveBayes().fit(learned, ["p", "q", "q", "p"] * 20)
    asked = learned.assign(sex=["male", "female", None, "male"] * 20)
    for ask in (clf.predict, clf.predict_proba, clf.predict_log_proba):
        with pytest.warns(bf.RowWarning) as told:
            ask(asked)
        assert [str(one.message).startswith(NONE) for one in told] == [True]
        assert told[0].filename == __file__
    clf.predict(asked[:10])  # a few rows may well be such
    clf.predict(pd.concat([asked, learned[:1]]))


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_cells_that_are_no_dates_among_dates_are_told_and_days_of_eight_digits_are_read(form, tmp_path):
    days = [str(day.date()) for day in pd.date_range("2024-01-01", periods=60)]
    learned = pd.DataFrame({"day": days, "n": range(60), "y": ["p", "q"] * 30})
    learned["y"] = [str(day.weekday() > 4) for day in pd.to_datetime(learned["day"])]
    odd = learned.assign(day=[*days[:57], "soon", "later", None])
    digits = learned.assign(day=[int(day.replace("-", "")) for day in days])
    for name, frame in (("learned", learned), ("odd", odd), ("digits", digits)):
        path = tmp_path / f"{name}.{form}"
        frame.to_csv(path, index=False) if form == "csv" else frame.to_parquet(path, index=False)
    call(tmp_path, "fit", f"learned.{form}", "-t", "y", "-m", "naive", "-o", "m.bayes")
    said = call(tmp_path, "predict", "m.bayes", f"odd.{form}", "-o", "out.csv").stderr
    assert "column 'day': 2 of 59 values are no dates as the model reads them; they are ignored" in said
    answers = []
    for name in ("learned", "digits"):
        call(tmp_path, "predict", "m.bayes", f"{name}.{form}", "-o", f"{name}-out.csv")
        answers.append(pd.read_csv(tmp_path / f"{name}-out.csv").drop(columns=["day"], errors="ignore"))
    pd.testing.assert_frame_equal(*answers)


def test_of_dates_that_are_all_missing_nothing_is_told():
    days = [str(day.date()) for day in pd.date_range("2024-01-01", periods=60)]
    learned = pd.DataFrame({"day": days, "n": [1, 2, 3] * 20})
    clf = bf.NaiveBayes().fit(learned, [str(day.weekday() > 4) for day in pd.to_datetime(learned["day"])])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for hole in (None, float("nan"), "", " ", pd.NaT):
            clf.predict_proba(learned.assign(day=[hole] * 60))


@pytest.mark.parametrize("clocks", [[time(i % 24, 1) for i in range(60)], [f"{i % 24}:01" for i in range(60)]])
def test_times_of_day_where_dates_were_are_told_and_ignored(clocks):
    days = [str(day.date()) for day in pd.date_range("2024-01-01", periods=60)]
    learned = pd.DataFrame({"day": days, "n": [1, 2, 3] * 20})
    clf = bf.NaiveBayes().fit(learned, [str(day.weekday() > 4) for day in pd.to_datetime(learned["day"])])
    with pytest.warns(bf.RowWarning, match="column 'day': no value of these rows is a date as the model reads it"):
        answers = clf.predict_proba(learned.assign(day=clocks))
    np.testing.assert_array_equal(answers, clf.predict_proba(learned.assign(day=None)))


def test_texts_that_are_no_truth_values_are_told_and_no_holes(tmp_path):
    """A model of true and false, asked about yes and no: these are values that it does not know, also in text files."""
    truth = [True, False] * 40
    pd.DataFrame({"s": truth, "n": range(80), "y": ["p", "q"] * 40}).to_parquet(tmp_path / "learned.parquet")
    call(tmp_path, "fit", "learned.parquet", "-t", "y", "-m", "naive", "-o", "m.bayes")
    said, answers = {}, {}
    for yes, no in (("true", "FALSE"), ("1", "0"), ("1.0", "0.0"), (" True ", "False"), ("yes", "no"), ("T", "false")):
        pd.DataFrame({"s": [yes, no] * 40, "n": range(80), "y": ["p", "q"] * 40}).to_csv(
            tmp_path / "a.csv", index=False
        )
        said[yes] = call(tmp_path, "predict", "m.bayes", "a.csv", "-o", "out.csv").stderr
        answers[yes] = pd.read_csv(tmp_path / "out.csv")["P(p)"].to_numpy()
        if yes in ("yes", "T"):
            assert "column 's'" in call(tmp_path, "update", "m.bayes", "a.csv", "-o", "u.bayes").stderr + said[yes]
    for yes in ("1", "1.0", " True "):
        np.testing.assert_array_equal(answers[yes], answers["true"])
        assert "column" not in said[yes]
    assert (
        "column 's': no value of these rows was ever learned ('yes', 'no'; the model knows False, True)" in said["yes"]
    )
    assert "column 's': 40 of 80 rows have a value that was never learned ('T'); it is ignored there" in said["T"]


def test_rows_that_are_learned_with_no_date_where_dates_were_are_told():
    days = [str(day.date()) for day in pd.date_range("2024-01-01", periods=60)]
    learned, y = pd.DataFrame({"day": days, "n": [1, 2, 3] * 20}), [str(i % 7 > 4) for i in range(60)]
    clf = bf.NaiveBayes().fit(learned, y)
    with pytest.warns(bf.RowWarning, match="column 'day': no value of these rows is a date as the model reads it"):
        clf.partial_fit(learned.assign(day="soon"), y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        clf.partial_fit(learned.assign(day=["soon", *days[1:]]), y)
        clf.partial_fit(learned.assign(day=None, n=[7, 8, 9] * 20), y)


@pytest.mark.parametrize("rows", [60, 8])
def test_dates_in_the_other_order_are_told(rows):
    """Days up to the twelfth are taken for months, and the others were missing without a word."""
    days = pd.Series(pd.date_range("2024-01-09", periods=60))
    y = [str(day.weekday() > 4) for day in days]
    american, german = (pd.DataFrame({"day": days.dt.strftime(form)}) for form in ("%m/%d/%Y", "%d/%m/%Y"))
    clf = bf.NaiveBayes().fit(american, y)
    said = (
        rf"column 'day': \d+ of {rows} values are no dates as the model reads them; they are ignored \(it reads m/d/y\)"
    )
    with pytest.warns(bf.RowWarning, match=said):
        clf.predict(german[:rows])
    with pytest.warns(bf.RowWarning, match=said):
        clf.partial_fit(german[:rows], y[:rows])


@pytest.mark.parametrize("make", [bf.NaiveBayes, bf.BayesClassifier])
def test_values_among_dates_that_are_none_are_told_in_the_table_of_columns(make):
    days = [str(day.date()) for day in pd.date_range("2024-01-01", periods=120)]
    y = [str(pd.Timestamp(day).weekday() > 4) for day in days]
    odd = ["soon", "2024-02-31", "NA", "", None, *days[5:]]
    line = make().fit(pd.DataFrame({"day": odd}), y).columns_[0]
    assert line.family == "dates"
    assert line.why.endswith("; missing where it is no date: 'soon', '2024-02-31'")
    assert "no date" not in make().fit(pd.DataFrame({"day": days}), y).columns_[0].why


def test_numbers_that_a_density_rules_out_are_told(tmp_path):
    """They say nothing to the model, as if they were missing; where they are to be learned they are refused."""
    y = ["p", "q"] * 40
    learned = pd.DataFrame({"n": [1 + i % 5 for i in range(80)], "x": [1.5 + i % 7 for i in range(80)]})
    clf = bf.NaiveBayes(families={"n": "poisson", "x": "lognormal"}).fit(learned, y)
    clf.save(tmp_path / "m.bayes")
    asked = learned.assign(n=[-1, *learned["n"][1:]], x=-learned["x"])
    asked.to_csv(tmp_path / "a.csv", index=False)
    said = call(tmp_path, "predict", "m.bayes", "a.csv", "-o", "out.csv").stderr
    assert (
        "column 'n': 1 of 80 numbers are below 0, which its density (poisson) rules out; they tell nothing sound"
        in said
    )
    assert "column 'x': 80 of 80 numbers are not above 0, which its density (lognormal) rules out; they tell" in said
    with pytest.warns(bf.RowWarning, match="column 'x': 80 of 80") as told:
        clf.predict_from(tmp_path / "a.csv", tmp_path / "out.csv")
    assert len(told) == 1  # of a few, as of new categories, the command alone speaks
    for name, word in (("n", "below 0"), ("x", "not above 0")):
        with pytest.warns(bf.RowWarning, match=f"column '{name}': 80 of 80 numbers are {word}"):
            clf.predict(learned.assign(**{name: -learned[name]}))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        clf.predict(learned.assign(n=[-1, *learned["n"][1:]], x=None))
    learned.to_csv(tmp_path / "b.csv", index=False)
    assert "rules out" not in call(tmp_path, "predict", "m.bayes", "b.csv", "-o", "out.csv").stderr
