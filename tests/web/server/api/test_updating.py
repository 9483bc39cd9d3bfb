"""Learning and forgetting over HTTP: told first, saved only where that is allowed, and the file is the new model."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from tests.web.server.api.test_judging import ANY, later
from tests.web.server.serving import ask, patients, problem, running, saved

from bayesfold.store import load
from bayesfold.store.changing import changing


def test_what_would_change_is_told_and_nothing_is_changed(tmp_path):
    path = saved(tmp_path)
    before = path.read_bytes()
    with running(path) as server:
        table = server.post("/api/v1/tables?name=later.csv", content=later()[0], headers=ANY).json()["id"]
        told = ask(server, "models/patients/rows", {"table": table, "action": "learn"})
        assert sum(c["after"] - c["before"] for c in told["classes"]) == 120
        assert not told["saved"]
        refused = server.post("/api/v1/models/patients/rows", json={"table": table, "action": "learn", "save": True})
        assert problem(refused) == (403, "forbidden")
        forget = server.post("/api/v1/models/patients/rows", json={"table": table, "action": "forget"})
        assert problem(forget) == (400, "not-possible")  # it has not learned them
    assert path.read_bytes() == before


def test_rows_are_learned_and_forgotten_again(tmp_path):
    path = saved(tmp_path)
    with running(path, writable=True) as server:
        table = server.post("/api/v1/tables?name=later.csv", content=later()[0], headers=ANY).json()["id"]
        told = ask(server, "models/patients/rows", {"table": table, "action": "learn"})
        body = {"table": table, "action": "learn", "save": True, "version": told["version"]}
        assert ask(server, "models/patients/rows", body)["version"] == told["version"] + 1
        assert problem(server.post("/api/v1/models/patients/rows", json=body)) == (409, "not-now")
        assert load(path).rows == patients().rows + 120
        ask(server, "models/patients/rows", {"table": table, "action": "forget", "save": True})
        again = load(path)
        assert again.rows == patients().rows
        row = [{"age": 50, "pulse": 80}]
        assert np.allclose(again.log_proba(row), patients().log_proba(row), rtol=0, atol=1e-9)
        assert [step.what for step in again.history] == ["learned", "forgot"]
        found = ask(server, "models/patients/predict", {"row": row[0]})["probabilities"]
        assert found == pytest.approx(np.exp(again.log_proba(row)[0]).tolist(), abs=1e-9)


def test_a_class_that_would_go_is_told(tmp_path):
    """What is forgotten with its last row is the largest change of all, and was not among those that are shown."""
    path = saved(tmp_path)
    head, row = later()[0].splitlines()[:2]
    new = b"\n".join([head, *[row[: row.rindex(b",") + 1] + b"another planet"] * 3, b""])
    with running(path, writable=True) as server:
        table = server.post("/api/v1/tables?name=new.csv", content=new, headers=ANY).json()["id"]
        for action, before, after in (("learn", 0, 3), ("forget", 3, 0)):
            told = ask(server, "models/patients/rows", {"table": table, "action": action, "save": True})
            line = {c["label"]: c for c in told["classes"]}["another planet"]
            assert (line["before"], line["after"]) == (before, after)
            assert (line["prior_before"] > 0, line["prior_after"] > 0) == (before > 0, after > 0)
        assert "another planet" not in ask(server, "models/patients/predict", {"row": {"age": 50}})["classes"]


def test_changes_that_come_at_once_are_all_kept(tmp_path):
    path = saved(tmp_path)
    with running(path, writable=True) as server:
        table = server.post("/api/v1/tables?name=later.csv", content=later()[0], headers=ANY).json()["id"]
        body = {"table": table, "action": "learn", "save": True}

        def learn(_):
            return server.post("/api/v1/models/patients/rows", json=body).status_code

        with ThreadPoolExecutor(6) as pool:
            assert list(pool.map(learn, range(6))) == [200] * 6
    assert load(path).rows == patients().rows + 6 * 120


def test_what_another_program_has_written_is_not_undone(tmp_path):
    path = saved(tmp_path)
    with running(path, writable=True) as server:
        table = server.post("/api/v1/tables?name=later.csv", content=later()[0], headers=ANY).json()["id"]
        body = {"table": table, "action": "learn", "save": True}
        with changing(path) as file:
            refused = server.post("/api/v1/models/patients/rows", json=body)
            assert problem(refused) == (409, "not-now")
            assert "another program is changing the file of patients" in refused.json()["detail"]
            file.save(file.trained)
        written = path.read_bytes()
        refused = server.post("/api/v1/models/patients/rows", json=body)
        if refused.status_code != 200:  # unless the server has read the file again by then
            assert problem(refused) == (409, "not-now")
            assert path.read_bytes() == written
