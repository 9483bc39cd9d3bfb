"""A network is learned from a table: the arcs that are in the data, whole rows, columns that suit it."""

import numpy as np
import pytest
from tests.web.server.serving import ask, problem, running

import bayesfold as bf

ANY = {"content-type": "application/octet-stream"}


def send(server, columns):
    """The id of a table of these columns."""
    lines = [",".join(columns), *(",".join(map(str, row)) for row in zip(*columns.values(), strict=True))]
    body = "\n".join(lines).encode() + b"\n"
    return server.post("/api/v1/tables?name=garden.csv", content=body, headers=ANY).json()["id"]


def test_arcs_that_are_in_the_data_are_found_with_their_strength():
    net = bf.read_network("sprinkler")
    drawn = {name: list(values) for name, values in net.sample(3_000, random_state=0).items()}
    drawn["number"] = np.random.default_rng(0).normal(size=3_000).tolist()
    drawn["id"] = list(range(3_000))
    drawn["name"] = [f"n{k}" for k in range(3_000)]
    drawn["rain"][5] = ""
    with running("smoking") as server:
        found = ask(server, f"tables/{send(server, drawn)}/network", {"drop": ["id"]})
        assert found["model"] == "garden network"
        assert found["rows"] == 2_999
        assert "different values" in found["left_out"]["name"]
        graph = ask(server, "models/garden%20network/graph")
        joined = {frozenset((arc["parent"], arc["child"])) for arc in graph["arcs"]}
        assert joined == {frozenset(edge) for edge in net.edges}
        assert all(arc["strength"] > 0 for arc in graph["arcs"])
        belief = ask(server, "models/garden%20network/beliefs", {"see": {"rain": net.states("rain")[0]}})["beliefs"]
        expected = net.query("grass", rain=net.states("rain")[0])
        place = next(n["states"] for n in graph["nodes"] if n["name"] == "grass").index(str(net.states("grass")[0]))
        assert belief["grass"][place] == pytest.approx(expected[net.states("grass")[0]], abs=0.05)


def test_a_table_without_two_columns_of_few_values_is_refused():
    with running("smoking") as server:
        table = send(server, {"id": [f"a{k}" for k in range(50)], "x": ["y"] * 50})
        assert problem(server.post(f"/api/v1/tables/{table}/network", json={})) == (400, "not-possible")
