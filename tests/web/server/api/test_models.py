"""What models say of themselves, and models as files."""

import numpy as np
import pytest
from tests.web.server.serving import ask, patients, problem, running, saved

import bayesfold as bf
from bayesfold.store.file import from_bytes


def test_a_model_tells_what_a_form_needs(tmp_path):
    with running(saved(tmp_path), saved(tmp_path, "pool", "bayes"), "smoking") as server:
        assert [m["kind"] for m in ask(server, "models")["models"]] == ["classifier", "classifier", "network"]
        for name in ("patients", "pool"):
            found = ask(server, f"models/{name}")
            columns = {c["name"]: c for c in found["columns"]}
            assert list(columns) == list(patients().names)
            assert columns["awake"]["kind"] == "text"
            assert "alert" in columns["awake"]["values"]
            assert columns["age"]["kind"] == "number"
            assert len(columns["age"]["density"]) == 3
            assert len(columns["age"]["density"][0]) == len(columns["age"]["density_at"])
            assert sum(found["prior"]) == 1
        assert ask(server, "models/smoking")["nodes"] == 5


def test_numbers_in_bins_have_steps_behind_their_slider(tmp_path):
    with running(saved(tmp_path, numeric="mdl")) as server:
        columns = {c["name"]: c for c in ask(server, "models/patients")["columns"]}
        pulse = columns["pulse"]
        assert pulse["density_at"] == sorted(pulse["density_at"])
        at, density = np.array(pulse["density_at"]), np.array(pulse["density"])
        assert np.trapezoid(density, at, axis=1) == pytest.approx(1, abs=1e-9)  # P(bin | class) over its width
        assert columns["age"]["values"] == [] or columns["age"]["values"][0] >= 0


def test_a_slider_of_ages_begins_at_zero(tmp_path):
    with running(saved(tmp_path, numeric="gaussian")) as server:
        columns = {c["name"]: c for c in ask(server, "models/patients")["columns"]}
        assert columns["age"]["values"][0] == 0
        assert columns["age"]["density_at"][0] >= 0
        assert columns["temperature"]["values"][0] > 30


def test_a_model_can_be_saved(tmp_path):
    with running(saved(tmp_path), "smoking") as server:
        response = server.get("/api/v1/models/patients/file")
        assert 'filename="patients.bayes"' in response.headers["content-disposition"]
        assert from_bytes(response.content)[0].rows == patients().rows
        assert "SELECT" in server.get("/api/v1/models/patients/file?format=sql").text
        path = tmp_path / "smoking.bif"
        path.write_bytes(server.get("/api/v1/models/smoking/file?format=bif").content)
        assert bf.read_network(path).nodes == bf.read_network("smoking").nodes
        assert problem(server.get("/api/v1/models/patients/file?format=bif")) == (400, "not-possible")
        assert problem(server.get("/api/v1/models/patients/file?format=exe")) == (400, "not-understood")


def test_a_model_of_a_file_is_not_removed(tmp_path):
    with running(saved(tmp_path)) as server:
        assert problem(server.delete("/api/v1/models/patients")) == (403, "forbidden")
