"""One number for one thing: whoever shows how good a model of a table is on rows held out, shows the same."""

import json
import re

import pandas as pd
import pytest
from tests.cli.process import call
from tests.web.server.api.test_jobs import ANY, ended
from tests.web.server.serving import ask, running

import bayesfold as bf

MEASURES = ("accuracy", "log-loss", "Brier", "AUC", "ECE")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("patients")
    call(place, "demo", "--table", "patients.csv", "--rows", "240")
    return place


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["naive", "tan", "gaussian", "bayes"])
def test_every_door_shows_the_same_scores_of_rows_held_out(folder, kind):
    told = json.loads(call(folder, "fit", "patients.csv", "-t", "place", "-m", kind, "-o", "m.bayes", "--json").stdout)
    fitted = {name: told["held_out"][name] for name in MEASURES}

    said = json.loads(call(folder, "evaluate", "m.bayes", "patients.csv", "--leave-out", "--json").stdout)
    evaluated = said["scores"]["m"]
    call(folder, "report", "m.bayes", "patients.csv", "--leave-out", "-o", "report.html")
    page = (folder / "report.html").read_text(encoding="utf-8")
    cards = dict(re.findall(r'<div class="what">(.*?)</div><div class="number">(.*?)</div>', page))
    with running("smoking") as server:
        content = (folder / "patients.csv").read_bytes()
        table = server.post("/api/v1/tables?name=patients.csv", content=content, headers=ANY).json()
        job = ended(server, ask(server, f"tables/{table['id']}/fit", {"target": "place", "kind": kind})["id"])
    served = job["result"]["held_out"]
    for name in MEASURES:
        for end in ("value", "low", "high"):
            number = fitted[name][end]
            same = number if number is None else pytest.approx(number, rel=1e-9)
            assert evaluated[name][end] == same, (name, end)
            assert served[name][end] == same, (name, end)
        assert cards[name] == f"{fitted[name]['value']:.3f}"
    lead = re.search(r'<p class="lead">Right for (\d+) % of the rows', page)[1]
    assert int(lead) == pytest.approx(100 * fitted["accuracy"]["value"], abs=0.5)


def test_the_report_of_the_recommended_model_in_python_is_that_of_the_command(folder):
    table = pd.read_csv(folder / "patients.csv")
    clf = bf.BayesClassifier().fit(table.drop(columns="place"), table["place"])
    told = json.loads(call(folder, "fit", "patients.csv", "-t", "place", "-o", "p.bayes", "--json").stdout)
    assert clf.report_.loss == pytest.approx(told["held_out"]["log-loss"]["value"], rel=1e-9)
    assert clf.report_.accuracy == pytest.approx(told["held_out"]["accuracy"]["value"], rel=1e-9)
