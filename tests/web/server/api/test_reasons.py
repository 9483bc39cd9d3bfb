"""Reasons over HTTP: they add up, and are the library's."""

import numpy as np
import pytest
from tests.web.server.serving import COSTS, PERSON, ask, patients, problem, running, saved

from bayesfold.explanations.requests import explain_rows, find_change, rank_questions


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")
    with running(saved(folder), saved(folder, "tan", "tan")) as client:
        yield client


def test_contributions_add_up_to_the_log_odds(server):
    found = ask(server, "models/patients/explain", {"row": PERSON})
    total = sum(reason["contribution"] for reason in found["reasons"])
    p = ask(server, "models/patients/predict", {"row": PERSON})
    chance = dict(zip(p["classes"], p["probabilities"], strict=True))
    assert total == pytest.approx(found["log_odds"], abs=1e-12)
    assert total == pytest.approx(np.log(chance[found["decision"]] / chance[found["against"]]), abs=1e-9)
    row = dict.fromkeys(patients().names) | PERSON
    assert found["log_odds"] == explain_rows(patients(), [row], None, None)[0].log_odds


def test_two_classes_can_be_named(server):
    found = ask(server, "models/patients/explain", {"row": PERSON, "of": "home", "against": "ward"})
    assert (found["decision"], found["against"]) == ("home", "ward")
    assert problem(server.post("/api/v1/models/patients/explain", json={"row": {}, "of": "hoome"})) == (
        400,
        "not-possible",
    )


def test_what_would_change_and_what_to_ask_are_the_librarys(server):
    change = ask(server, "models/patients/change", {"row": PERSON})
    expected = find_change(patients(), PERSON, None, (), None)
    assert [(c["column"], c["now"], c["then"]) for c in change["changes"]] == list(expected.changes)
    questions = ask(server, "models/patients/ask", {"row": PERSON})
    assert {g["column"]: g["gain"] for g in questions["gains"]} == dict(rank_questions(patients(), PERSON))
    fixed = ask(server, "models/patients/change", {"row": PERSON, "fixed": ["oxygen"], "loss": COSTS})
    assert "oxygen" not in [c["column"] for c in fixed["changes"]]


def test_a_nomogram_gives_the_models_probability(server):
    found = ask(server, "models/patients/nomogram")
    lines = {line["name"]: line for line in found["lines"]}
    row = {"awake": "alert", "arrival": "on foot"}
    points = sum(lines[c]["points"][lines[c]["values"].index(v)] for c, v in row.items())
    assert points > 0
    assert set(lines) == set(patients().names)
    assert problem(server.get("/api/v1/models/tan/nomogram")) == (400, "not-possible")
