"""A table is learned as the command learns it, and can be cancelled."""

from time import sleep

import pytest
from tests.web.server.serving import ask, problem, running

from bayesfold.cli._main import main
from bayesfold.store import load
from bayesfold.store.file import from_bytes

NAMES = ["age", "pulse", "oxygen", "temperature", "awake", "arrival", "pain"]
ANY = {"content-type": "application/octet-stream"}


@pytest.fixture(scope="module")
def patients_csv(tmp_path_factory):
    path = tmp_path_factory.mktemp("tables") / "patients.csv"
    assert main(["demo", "--table", str(path), "--rows", "300"]) == 0
    return path


def ended(server, job):
    """The job once it has ended."""
    for _ in range(600):
        told = ask(server, f"jobs/{job}")
        if told["state"] != "running":
            return told
        sleep(0.1)
    raise AssertionError(told)


@pytest.mark.slow
def test_what_is_learned_is_what_the_command_learns(patients_csv, tmp_path):
    with running("smoking") as server:
        table = server.post("/api/v1/tables?name=patients.csv", content=patients_csv.read_bytes(), headers=ANY).json()
        assert table["target"] == "place"
        body = {"target": "place", "kind": "naive", "drop": ["age"], "families": {"pain": "categorical"}}
        job = ask(server, f"tables/{table['id']}/fit", body)
        told = ended(server, job["id"])
        assert told["state"] == "done", told
        assert told["model"] == "patients"
        assert told["result"]["held_out"]["accuracy"]["value"] > 0.7
        found = from_bytes(server.get("/api/v1/models/patients/file").content)[0]
        out = tmp_path / "own.bayes"
        told = ["fit", str(patients_csv), "-t", "place", "-m", "naive", "--drop", "age", "--as", "pain=categorical"]
        assert main([*told, "-o", str(out)]) == 0
        own = load(out)
        assert found.model_.tally.counts.tolist() == own.model_.tally.counts.tolist()
        assert found.log_proba([{"pulse": 90}]).tolist() == own.log_proba([{"pulse": 90}]).tolist()
        judged = ask(server, "models/patients/evaluate", {"table": table["id"]})
        assert judged["learned"]
        assert server.delete("/api/v1/models/patients").status_code == 200


def test_a_job_is_cancelled_and_a_hopeless_one_says_why(patients_csv):
    with running("smoking") as server:
        table = server.post("/api/v1/tables?name=p.csv", content=patients_csv.read_bytes(), headers=ANY).json()["id"]
        job = ask(server, f"tables/{table}/fit", {"target": "place"})["id"]
        assert server.delete(f"/api/v1/jobs/{job}").json()["state"] == "cancelled"
        assert ended(server, job)["model"] is None
        job = ask(server, f"tables/{table}/fit", {"target": "place", "drop": NAMES})["id"]
        told = ended(server, job)
        assert told["state"] == "failed"
        assert "no column to learn from" in told["problem"]
        assert problem(server.get("/api/v1/jobs/none")) == (404, "not-found")
        assert problem(server.post(f"/api/v1/tables/{table}/fit", json={"target": "plaice"})) == (400, "not-possible")
