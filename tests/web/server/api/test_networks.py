"""Beliefs, questions and sums over HTTP are the library's to the last digit that matters."""

import numpy as np
import pytest
from tests.networks.published import MISSING, PATHS
from tests.web.server.serving import ask, problem, running, saved

import bayesfold as bf

NET = bf.read_network("smoking")


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")
    discrete = saved(folder, "discrete", "tan", numeric="mdl", missing_as="skip")
    with running("smoking", saved(folder), discrete, *([PATHS["alarm"]] if PATHS else [])) as client:
        yield client


def close(found, expected):
    """Whether beliefs agree to 1e-9."""
    assert found.keys() == set(expected)
    for v, p in expected.items():
        assert np.allclose(found[v], np.ravel(p), rtol=0, atol=1e-9)


def test_beliefs_follow_what_is_seen_set_and_half_seen(server):
    seen = ask(server, "models/smoking/beliefs", {"see": {"dyspnoea": "yes", "xray": "abnormal"}})
    close(seen["beliefs"], NET.posteriors({"dyspnoea": "yes", "xray": "abnormal"}))
    assert seen["probability"] == pytest.approx(NET.probability("dyspnoea=yes, xray=abnormal"), abs=1e-12)
    done = ask(server, "models/smoking/beliefs", {"do": {"bronchitis": "yes"}, "see": {"dyspnoea": "yes"}})
    close(done["beliefs"], NET.do(bronchitis="yes").posteriors({"dyspnoea": "yes"}))
    soft = ask(server, "models/smoking/beliefs", {"likelihood": {"xray": [0.7, 0.2]}})
    expected = NET.query("cancer", likelihood={"xray": {"abnormal": 0.7, "normal": 0.2}})
    assert soft["beliefs"]["cancer"][0] == pytest.approx(expected["yes"], abs=1e-12)
    nothing = ask(server, "models/smoking/beliefs", {})
    close(nothing["beliefs"], {v: NET.query(v).values for v in NET.nodes})
    assert nothing["probability"] == 1


@pytest.mark.skipif(not PATHS, reason=MISSING)
def test_beliefs_of_a_published_network(server):
    alarm = bf.read_network(PATHS["alarm"])
    found = ask(server, "models/alarm/beliefs", {"see": {"HRBP": "HIGH", "CO": "LOW"}})
    close(found["beliefs"], alarm.posteriors({"HRBP": "HIGH", "CO": "LOW"}))


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ({"see": {"smokin": "yes"}}, "not-possible"),
        ({"see": {"smoking": "maybe"}}, "not-possible"),
        ({"see": {"smoking": "yes"}, "do": {"smoking": "no"}}, "not-possible"),
        ({"likelihood": {"xray": [0.7]}}, "not-possible"),
        ({"likelihood": {"xray": [0, 0]}}, "not-possible"),
        ({"likelihood": {"xray": [-1, 1]}}, "not-understood"),
    ],
)
def test_evidence_that_makes_no_sense_is_refused(server, body, kind):
    assert problem(server.post("/api/v1/models/smoking/beliefs", json=body)) == (400, kind)


def test_a_question_as_a_book_writes_it(server):
    found = ask(server, "models/smoking/query", {"question": "P(cancer | smoking=yes, xray=abnormal)"})
    assert found["distribution"][0]["probability"] == pytest.approx(0.347826, abs=1e-6)
    assert problem(server.post("/api/v1/models/smoking/query", json={"question": "|||"})) == (400, "not-possible")


def test_the_likeliest_explanation_and_what_to_ask(server):
    found = ask(server, "models/smoking/likeliest", {"see": {"dyspnoea": "yes"}})
    assert found["states"] == NET.mpe("dyspnoea=yes").states
    found = ask(server, "models/smoking/next", {"target": "cancer", "see": {"dyspnoea": "yes"}})
    assert {q["variable"]: q["bits"] for q in found["questions"]} == NET.next_observation("cancer | dyspnoea=yes")


def test_the_sums_are_written_out(server):
    found = ask(server, "models/smoking/sums", {"target": "smoking", "see": {"dyspnoea": "yes"}})
    assert "\n".join(found["lines"]) == str(NET.derivation("smoking | dyspnoea=yes"))


def test_names_and_states_may_hold_quotation_marks_and_signs(tmp_path):
    name, state = """size=6" of 'it'""", """a "b" 'c'"""
    below = {state: {"yes": 0.5, "no": 0.5}, "no": {"yes": 0.1, "no": 0.9}}
    net = bf.BayesianNetwork.from_edges([(name, "y")], tables={name: {state: 0.25, "no": 0.75}, "y": below})
    bf.write_network(net, tmp_path / "odd.json")
    with running(tmp_path / "odd.json") as client:
        found = ask(client, "models/odd/likeliest", {"see": {name: state}})
        assert found["states"].keys() == {"y"}
        assert ask(client, "models/odd/next", {"target": "y", "see": {name: state}})["questions"] == []
        sums = ask(client, "models/odd/sums", {"target": name, "see": {"y": "yes"}})
    assert sums["lines"] == str(net.derivation(name, y="yes")).splitlines()


def test_the_graph_has_a_place_for_every_node_below_its_parents(server):
    found = ask(server, "models/smoking/graph")
    row = {node["name"]: node["row"] for node in found["nodes"]}
    assert set(row) == set(NET.nodes)
    assert all(row[arc["parent"]] < row[arc["child"]] for arc in found["arcs"])
    table = ask(server, "models/smoking/table?node=xray")
    assert np.allclose(table["lines"], NET.table("xray").values.reshape(-1, 2))


def test_a_classifier_with_levels_is_a_network_and_one_with_densities_is_not(server):
    assert ask(server, "models/discrete")["is_network"]
    assert not ask(server, "models/patients")["is_network"]
    assert ask(server, "models/discrete/graph")["nodes"]
    assert problem(server.get("/api/v1/models/patients/graph")) == (400, "not-possible")


def test_likelihoods_in_any_unit_have_a_probability(server):
    """It is P(what was seen), in the unit of the likelihoods; where that is no number there is none to tell."""
    large = {v: [1e308, 5e307] for v in ("smoking", "cancer", "bronchitis", "xray")}
    told = ask(server, "models/smoking/beliefs", {"likelihood": large})
    assert told["probability"] is None
    close(told["beliefs"], NET.posteriors({"smoking": [None]}, {v: [1.0, 0.5] for v in large}))
    assert ask(server, "models/smoking/beliefs", {"likelihood": {"smoking": [3, 3]}})["probability"] == pytest.approx(3)
