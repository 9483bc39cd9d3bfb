"""Rows with dates over HTTP: the date is what is sent, asked for and changed, in the form that it was learned in."""

from datetime import date, datetime, time, timedelta

import numpy as np
import pytest
from tests.web.server.serving import ask, problem, running

from bayesfold.data.tables import frame
from bayesfold.learning.kinds import find
from bayesfold.learning.trained import train
from bayesfold.store import save

FORMS = {"iso": "%Y-%m-%d", "german": "%d.%m.%Y", "american": "%m/%d/%Y"}
FRIDAY, SATURDAY = date(2024, 5, 3), date(2024, 5, 4)


def opened(form, rows=420):
    """Days in a form, with holes, and a size; the class is mostly whether it was a weekend."""
    draw = np.random.default_rng(0)
    days = [date(2023, 1, 1) + timedelta(days=int(d)) for d in draw.integers(0, 700, rows)]
    late = [("late" if (day.weekday() > 4) == (draw.random() < 0.9) else "on time") for day in days]
    cells = [None if k % 29 == 0 else day.strftime(form) for k, day in enumerate(days)]
    return {"Opened": cells, "size": draw.normal(size=rows).round(2).tolist()}, late


def of_dates(folder, form="%Y-%m-%d", kind="naive", name="dates"):
    """The path of a model of such a table, and the model."""
    table, late = opened(form)
    trained = train(find(kind)(), frame(table), late, "state")
    save(trained, folder / f"{name}.bayes")
    return folder / f"{name}.bayes", trained


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")
    with running(*(of_dates(folder, form, name=name)[0] for name, form in FORMS.items())) as client:
        yield client


@pytest.mark.parametrize("name", FORMS)
def test_a_date_is_heard(server, name):
    """It was dropped without a word: every row was answered as one in which nothing is known."""
    answers = {}
    for day in (FRIDAY, SATURDAY):
        sent = {"row": {"Opened": day.strftime(FORMS[name])}}
        answers[day] = ask(server, f"models/{name}/predict", sent)
        assert ask(server, f"models/{name}/predict", {"row": {"Opened": str(day)}}) == answers[day]
        many = ask(server, f"models/{name}/predict/batch", {"rows": [sent["row"], {"size": 0.5}, {"Opened": None}]})
        assert many["probabilities"][0] == pytest.approx(answers[day]["probabilities"])
        told = ask(server, f"models/{name}/explain", sent)
        assert next(r["value"] for r in told["reasons"] if "weekday" in r["part"]) == day.strftime("%A")
        p = dict(zip(answers[day]["classes"], answers[day]["probabilities"], strict=True))
        assert told["log_odds"] == pytest.approx(np.log(p[told["decision"]] / p[told["against"]]))
    assert [a["decision"] for a in answers.values()] == ["on time", "late"]


def test_what_is_no_date_is_refused(server):
    for wrong in ("soon", "31.02.2024", "3/4/2024", "17:05", 20240503, True):
        refused = server.post("/api/v1/models/iso/predict", json={"row": {"Opened": wrong}})
        assert problem(refused) == (400, "not-possible")
        assert "'Opened' holds dates" in refused.json()["detail"]
    assert "m/d/y" in server.post("/api/v1/models/american/predict", json={"row": {"Opened": "x"}}).json()["detail"]


@pytest.mark.parametrize("name", FORMS)
def test_the_date_is_asked_for_and_changed(server, name):
    columns = {c["name"]: c for c in ask(server, f"models/{name}")["columns"]}
    assert list(columns) == ["Opened", "size"]
    assert (columns["Opened"]["kind"], len(columns["Opened"]["parts"])) == ("date", 1)
    assert ask(server, f"models/{name}/ask", {"row": {}})["gains"][0]["column"] == "Opened"
    row = {"Opened": FRIDAY.strftime(FORMS[name])}
    assert [g["column"] for g in ask(server, f"models/{name}/ask", {"row": row})["gains"]] == ["size"]
    change = ask(server, f"models/{name}/change", {"row": row})
    then = {c["column"]: c["then"] for c in change["changes"]}
    assert list(then) == ["Opened"]
    assert change["changes"][0]["now"] == row["Opened"]
    assert then["Opened"] in (str(SATURDAY), str(SATURDAY + timedelta(days=1)))  # the next weekend
    assert change["smallest"]
    assert ask(server, f"models/{name}/predict", {"row": then})["decision"] == change["after"] == "late"
    unknown = ask(server, f"models/{name}/change", {"row": {}})
    assert datetime.fromisoformat(unknown["changes"][0]["then"]).weekday() > 4
    held = server.post(f"/api/v1/models/{name}/change", json={"row": row, "fixed": ["Opened"]})
    assert held.status_code == 400 or "Opened" not in [c["column"] for c in held.json()["changes"]]


def test_a_pool_hears_dates_too(tmp_path):
    with running(of_dates(tmp_path, kind="bayes")[0]) as server:
        change = ask(server, "models/dates/change", {"row": {"Opened": str(FRIDAY)}})
        then = {c["column"]: c["then"] for c in change["changes"]}
        assert list(then) == ["Opened"]
        assert ask(server, "models/dates/predict", {"row": then})["decision"] == change["after"]


def test_a_time_of_day_is_sent_as_such(tmp_path):
    draw = np.random.default_rng(0)
    hours = draw.integers(0, 24, 300).tolist()
    table = {"at": [time(h, 30) for h in hours], "n": draw.normal(size=300)}
    trained = train(find("naive")(), frame(table), ["night" if h < 6 else "day" for h in hours], "shift")
    save(trained, tmp_path / "shifts.bayes")
    with running(tmp_path / "shifts.bayes") as server:
        assert ask(server, "models/shifts/predict", {"row": {"at": "03:30"}})["decision"] == "night"
        change = ask(server, "models/shifts/change", {"row": {"at": "03:30"}})
        then = change["changes"][0]["then"]
        assert time.fromisoformat(then) >= time(5)
        assert ask(server, "models/shifts/predict", {"row": {"at": then}})["decision"] == "day"


def test_a_time_of_day_that_is_text_is_answered_as_it_is_written(tmp_path):
    hours = np.random.default_rng(0).integers(0, 24, 300).tolist()
    trained = train(
        find("naive")(),
        frame({"at": [f"{h}:30" for h in hours]}),
        ["night" if h < 6 else "day" for h in hours],
        "shift",
    )
    save(trained, tmp_path / "shifts.bayes")
    with running(tmp_path / "shifts.bayes") as server:
        for at, decision in (("3:30", "night"), ("3:30 am", "night"), ("3:30 pm", "day")):
            assert ask(server, "models/shifts/predict", {"row": {"at": at}})["decision"] == decision
