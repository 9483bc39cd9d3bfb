"""Scores over HTTP are those of the library; the worst rows come with reasons, tables with answers."""

import numpy as np
import pytest
from tests.web.server.serving import COSTS, ask, patients, problem, running, saved

from bayesfold.demo.triage import triage

ANY = {"content-type": "application/octet-stream"}


def later():
    """Rows that the model has not seen, as CSV, and what the library says of them."""
    table, place = triage(120, 7)
    names = table.column_names
    lines = [",".join([*names, "place"])]
    for row, label in zip(table.to_pylist(), place.tolist(), strict=True):
        lines.append(",".join(["" if row[n] is None else str(row[n]) for n in names] + [label]))
    return "\n".join(lines).encode() + b"\n", table, place


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")
    with running(
        saved(folder), saved(folder, "tan", "tan"), saved(folder, "open", unseen_class=0.2), "smoking"
    ) as client:
        client.table = client.post("/api/v1/tables?name=later.csv", content=later()[0], headers=ANY).json()["id"]
        yield client


def test_scores_and_pictures(server):
    found = ask(server, "models/patients/evaluate", {"table": server.table})
    _, table, place = later()
    log_p = patients().log_proba(table)
    decided = patients().classes_[log_p.argmax(axis=1)]
    assert found["rows"] == 120
    assert found["scores"]["patients"]["accuracy"]["value"] == pytest.approx((decided == place).mean())
    score = found["scores"]["patients"]["accuracy"]
    assert score["low"] < score["value"] < score["high"]
    assert set(found["pictures"]["patients"]) == {"calibration", "roc", "confusion"}
    assert not found["learned"]


def test_the_worst_rows_have_reasons(server):
    found = ask(server, "models/patients/evaluate", {"table": server.table})
    assert found["wrong"] >= len(found["mistakes"]) > 0
    chances = [m["probability"] for m in found["mistakes"]]
    assert chances == sorted(chances)
    _, _, place = later()
    for mistake in found["mistakes"]:
        assert place[mistake["row"] - 1] == mistake["truth"] != mistake["decision"]
        assert mistake["against"] == mistake["truth"]
        assert mistake["of"] == mistake["decision"]
        assert mistake["log_odds"] > 0  # else it would have been decided right
        assert mistake["reasons"]


def test_two_models_side_by_side(server):
    found = ask(server, "models/patients/evaluate", {"table": server.table, "other": "tan"})
    scores = found["scores"]
    assert found["pictures"].keys() == scores.keys()
    difference = found["differences"]["log-loss"]["value"]
    assert difference == pytest.approx(scores["tan"]["log-loss"]["value"] - scores["patients"]["log-loss"]["value"])


def test_costs_count(server):
    found = ask(server, "models/patients/evaluate", {"table": server.table, "loss": COSTS, "reject_cost": 1.5})
    assert {"cost", "coverage"} <= set(found["scores"]["patients"])


def test_answers_and_a_report_can_be_saved(server):
    answers = server.get(f"/api/v1/models/patients/answers?table={server.table}").text.splitlines()
    assert answers[0].endswith("predicted,P(home),P(intensive care),P(ward)")
    assert len(answers) == 121
    page = server.get(f"/api/v1/models/patients/report?table={server.table}")
    assert page.headers["content-disposition"].startswith('attachment; filename="patients.html"')
    assert b"<!doctype html>" in page.content[:40]


def test_a_table_without_the_class_is_refused(server):
    table = server.post("/api/v1/tables?name=x.csv", content=b"age\n1\n", headers=ANY).json()["id"]
    assert problem(server.post("/api/v1/models/patients/evaluate", json={"table": table})) == (400, "not-possible")
    assert problem(server.post("/api/v1/models/smoking/evaluate", json={"table": table})) == (400, "not-possible")


def test_numbers_do_not_hide_in_pictures(server):
    """Every number of a picture is one that JSON has."""
    response = server.post("/api/v1/models/patients/evaluate", json={"table": server.table})
    assert "NaN" not in response.text
    assert np.isfinite(response.json()["scores"]["patients"]["AUC"]["value"])


def test_a_table_that_shows_a_class_never_seen(server):
    lines = later()[0].decode().splitlines()
    lines[1:3] = [f"{line.rpartition(',')[0]},morgue" for line in lines[1:3]]
    body = "\n".join(lines).encode()
    table = server.post("/api/v1/tables?name=new.csv", content=body, headers=ANY).json()["id"]
    told = {"table": table, "other": "open", "loss": COSTS, "reject_cost": 20}
    scores = ask(server, "models/patients/evaluate", told)["scores"]
    seen = {name: scores[name]["log-loss, classes seen"]["value"] for name in ("patients", "open")}
    assert seen["open"] == pytest.approx(seen["patients"] - np.log(0.8))
    assert scores["open"]["log-loss"]["value"] == pytest.approx((118 * seen["open"] - 2 * np.log(0.2)) / 120)
    assert scores["patients"]["cost"]["value"] > 2 * 20 / 120  # a new class costs as much as the dearest mistake
