"""Scores over HTTP are those of the library; the worst rows come with reasons, tables with answers."""

import json

import numpy as np
import pytest
from tests.cli.process import call
from tests.web.server.serving import COSTS, ask, patients, problem, running, saved

from bayesfold import NaiveBayes
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


def test_truth_and_decision_are_drawn_of_the_letters_of_an_alphabet(tmp_path):
    """Of more than 14 classes only the calibration was, and nothing said why."""
    draw = np.random.default_rng(0)
    y = [chr(97 + k % 26) for k in range(260)]
    x = np.round(np.arange(260) % 26 + draw.normal(0, 0.6, 260), 3)
    NaiveBayes().fit({"x": x}, y).save(tmp_path / "letters.bayes")
    lines = "".join(f"{a},{b}\n" for a, b in zip(x.tolist(), y, strict=True))
    with running(tmp_path / "letters.bayes") as client:
        table = client.post("/api/v1/tables?name=l.csv", content=f"x,class\n{lines}".encode(), headers=ANY).json()["id"]
        found = ask(client, "models/letters/evaluate", {"table": table})
    assert set(found["pictures"]["letters"]) == {"calibration", "confusion"}


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


def learned_rows(rows=240, seed=0):
    """Rows that the models have learned, as CSV."""
    table, place = triage(rows, seed)
    lines = [",".join([*table.column_names, "place"])]
    for row, label in zip(table.to_pylist(), place.tolist(), strict=True):
        lines.append(",".join(["" if cell is None else str(cell) for cell in row.values()] + [label]))
    return "\n".join(lines).encode() + b"\n"


def test_learned_rows_are_told_of_in_the_words_of_the_command(tmp_path):
    (tmp_path / "rows.csv").write_bytes(learned_rows())
    call(tmp_path, "fit", "rows.csv", "-t", "place", "-m", "naive", "-o", "m.bayes")
    told = call(tmp_path, "evaluate", "m.bayes", "rows.csv").stderr
    command = json.loads(call(tmp_path, "evaluate", "m.bayes", "rows.csv", "--leave-out", "--json").stdout)
    with running(str(tmp_path / "m.bayes")) as client:
        table = client.post("/api/v1/tables?name=rows.csv", content=learned_rows(), headers=ANY).json()["id"]
        flattered = ask(client, "models/m/evaluate", {"table": table})
        honest = ask(client, "models/m/evaluate", {"table": table, "leave_out": True})
    assert flattered["learned"]
    assert flattered["how"] == "scored as new rows"
    (warning,) = flattered["warnings"]
    assert (
        "m may have been fitted on these rows, and then their scores are optimistic; leave_out holds them out"
        in warning
    )
    assert warning.replace("leave_out", "--leave-out") in " ".join(told.split())
    assert not honest["learned"]
    assert honest["warnings"] == []
    assert honest["how"] == command["how"]
    for name, one in command["scores"]["m"].items():
        assert honest["scores"]["m"][name] == pytest.approx(one, rel=1e-9, nan_ok=True)
    assert honest["scores"]["m"]["log-loss"]["value"] > flattered["scores"]["m"]["log-loss"]["value"]
    assert honest["wrong"] >= len(honest["mistakes"]) > 0


def test_rows_that_were_not_learned_cannot_be_held_out(server):
    reply = server.post("/api/v1/models/patients/evaluate", json={"table": server.table, "leave_out": True})
    assert problem(reply) == (400, "not-possible")
    assert "without leave_out" in reply.json()["detail"]


def test_a_label_that_means_an_unknown_class_is_none_here_either(tmp_path):
    rows = learned_rows().splitlines()
    rows[1] = rows[1].rpartition(b",")[0] + b",?"
    (tmp_path / "rows.csv").write_bytes(b"\n".join(rows) + b"\n")
    call(tmp_path, "fit", "rows.csv", "-t", "place", "-m", "naive", "--missing", "?", "-o", "m.bayes")
    with running(str(tmp_path / "m.bayes")) as client:
        table = client.post("/api/v1/tables?name=rows.csv", content=b"\n".join(rows), headers=ANY).json()["id"]
        found = ask(client, "models/m/evaluate", {"table": table})
        moved = ask(client, "models/m/rows", {"table": table, "action": "learn"})
    assert (found["rows"], found["unlabelled"]) == (239, 1)
    assert (moved["rows"], moved["unlabelled"]) == (239, 1)
    assert [one["label"] for one in moved["classes"]] == ["home", "intensive care", "ward"]
