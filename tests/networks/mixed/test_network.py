"""Networks of categories and numbers as people give them, read them and ask about their graph."""

import numpy as np
import pytest
from tests.networks.mixed.brute_force import random_network

import bayesfold as bf
from bayesfold.networks.declared import FormatError
from bayesfold.networks.files import read_states
from bayesfold.networks.formats import json

LINE = bf.LinearGaussian


def people(**more):
    """Sex, height, weight."""
    tables = {
        "sex": {"f": 0.5, "m": 0.5},
        "height": {"f": LINE(165, 6), "m": LINE(178, 7)},
        "weight": {"f": LINE(12.3, 3.1, {"height": 0.45}), "m": LINE(-20, 4, {"height": 0.6})},
    }
    edges = [("sex", "height"), ("height", "weight"), ("sex", "weight")]
    return bf.MixedNetwork.from_edges(edges, tables={**tables, **more})


def test_print_is_what_a_statistician_writes():
    assert str(people()).splitlines() == [
        "P(sex)",
        "sex=f  0.5",
        "sex=m  0.5",
        "height | sex=f ~ N(165, 6^2)",
        "height | sex=m ~ N(178, 7^2)",
        "weight | sex=f ~ N(12.3 + 0.45 height, 3.1^2)",
        "weight | sex=m ~ N(-20 + 0.6 height, 4^2)",
    ]
    assert repr(people()) == "<MixedNetwork: 1 category, 2 numbers, 3 edges>"
    assert str(LINE(0, 1, {"a": -2, "b": 0.5})) == "N(-2 a + 0.5 b, 1^2)"
    bare = bf.MixedNetwork.from_edges([("a", "b")], numbers="b")
    assert str(bare) == "<MixedNetwork: 1 category, 1 number, 1 edge>"


def test_graphs_are_asked_as_any_other():
    net = people()
    assert net.factorization() == "P(sex) P(height | sex) P(weight | height, sex)"
    assert net.markov_blanket("sex") == ("height", "weight")
    assert not net.d_separated("sex", "weight", given="height")
    alone = bf.MixedNetwork.from_edges([("c", "x"), ("x", "y")], numbers="xy")
    assert alone.d_separated("c", "y", given="x")
    assert "blocks the path" in str(alone.explain_separation("c", "y", given="x"))


@pytest.mark.parametrize("seed", range(8))
def test_separated_nodes_tell_nothing_of_each_other(seed):
    net = random_network(seed, categories=2, numbers=3, density=0.4)
    row = {v: column[0] for v, column in net.sample(1, seed).items()}
    for a in net.nodes:
        for b in net.nodes:
            rest = [v for v in net.nodes if v not in (a, b)][:2]
            if a == b or not net.d_separated(a, b, rest):
                continue
            seen = {v: row[v] for v in rest}
            before, after = net.query(a, evidence=seen), net.query(a, evidence={**seen, b: row[b]})
            if a in net.categories:
                np.testing.assert_allclose(before.values, after.values, atol=1e-9)
            else:
                assert (before.mean, before.sd) == pytest.approx((after.mean, after.sd), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize(
    ("tables", "words"),
    [
        ({"height": {"f": LINE(165, 6)}}, r"P\(height \| sex=m\) is not given"),
        ({"height": {"f": LINE(165, 6), "x": LINE(1, 1)}}, "'sex' has no state 'x'"),
        ({"height": {"f": LINE(1, 1, {"weight": 1}), "m": LINE(1, 1)}}, "there is no number above 'height' 'weight'"),
        ({"height": LINE(165, 6)}, "need the states of 'sex' as keys"),
        ({"sex": LINE(1, 1)}, "the line of 'height' is a LinearGaussian"),
        ({"sex": {"f": 0.5, "m": 0.6}}, "sums to 1.1"),
        ({"size": LINE(1, 1)}, "there is no node 'size'"),
    ],
)
def test_what_is_given_wrongly_is_said(tables, words):
    with pytest.raises((ValueError, TypeError), match=words):
        people(**tables)


def test_lines_are_finite():
    for bad in ((np.nan, 1), (0, -1), (0, np.inf)):
        with pytest.raises(ValueError, match="a standard deviation of at least 0"):
            LINE(*bad)
    with pytest.raises(ValueError, match="'sex' is a category and cannot depend on the number 'height'"):
        bf.MixedNetwork.from_edges([("height", "sex")], numbers=["height"])
    with pytest.raises(ValueError, match="a number has no states"):
        bf.MixedNetwork.from_edges([("a", "b")], numbers="b", states={"b": (1, 2)})
    with pytest.raises(ValueError, match="this needs every table"):
        bf.MixedNetwork.from_edges([("a", "b")], numbers="ab").query("a")


@pytest.mark.parametrize("seed", range(6))
def test_a_file_holds_every_digit(tmp_path, seed):
    net = random_network(seed, categories=seed % 3, numbers=1 + seed % 4)
    for ending in (".json", ".json.gz"):
        bf.write_network(net, tmp_path / f"net{ending}")
        again = bf.read_network(tmp_path / f"net{ending}")
        assert isinstance(again, bf.MixedNetwork)
        assert (again.nodes, again.dag.parents, again.axes) == (net.nodes, net.dag.parents, net.axes)
        for v in net.nodes:
            one, other = net.tables[v], again.tables[v]
            if v in net.categories:
                assert np.array_equal(one, other)
            else:
                assert all(np.array_equal(getattr(one, k), getattr(other, k)) for k in ("intercept", "slopes", "sd"))
    assert again.log_likelihood(net.sample(5, 0)) == net.log_likelihood(net.sample(5, 0))


@pytest.mark.parametrize("ending", [".bif", ".xmlbif", ".net", ".xdsl", ".uai"])
def test_formats_without_numbers_say_so(tmp_path, ending):
    with pytest.raises(ValueError, match="hold networks of categories, and 'height', 'weight' is a number"):
        bf.write_network(people(), tmp_path / f"people{ending}")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('"sd": [6.0, 7.0]', '"sd": [6.0, -7.0]', "standard deviation is at least 0"),
        ('"sd": [6.0, 7.0]', f'"sd": [6.0, 1{"0" * 400}]', "expected a number"),
        ('"sd": [6.0, 7.0]', '"sd": [6.0]', "lists in lists of the lengths 2"),
        ('"sd": [6.0, 7.0]', '"sd": [6.0, NaN]', "NaN is not a JSON number"),
        ('"slopes": [[0.45], [0.6]]', '"slopes": [[0.45, 1], [0.6, 1]]', "lists in lists of the lengths 1"),
        ('"parents": ["sex"]', '"parents": ["sax"]', "no variable 'sax'"),
        ('"parents": ["sex"]', '"parents": ["sex", "sex"]', "names a parent twice"),
        (
            '"parents": [], "table": [0.5, 0.5]',
            '"parents": ["height"], "table": [0.5, 0.5]',
            "cannot depend on the number",
        ),
        ('"name": "height"', '"name": "weight"', "declared twice"),
        ('"version": 2', '"version": 3', "version"),
    ],
)
def test_broken_files_say_where(tmp_path, old, new, words):
    path = tmp_path / "people.json"
    bf.write_network(people(), path)
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    with pytest.raises(FormatError, match=words):
        bf.read_network(path)


def test_who_takes_categories_alone_says_so(tmp_path):
    bf.write_network(people(), tmp_path / "people.json")
    with pytest.raises(ValueError, match=r"people\.json has numbers among its nodes \('height', 'weight'\)"):
        read_states(tmp_path / "people.json")


def test_the_likeliest_states():
    net = people()
    best = net.map("sex | height=180")
    assert best.states == {"sex": "m"}
    assert best.probability == pytest.approx(net.probability("sex=m | height=180"))
    for wrong in ("height", "sex=f"):
        with pytest.raises(ValueError, match="name the categories"):
            net.map(wrong)
    with pytest.raises(ValueError, match="a probability needs states"):
        net.probability("sex | height=180")


@pytest.mark.parametrize(("most", "read"), [(4, True), (3, False), (1, False)])
def test_a_file_holds_as_many_lines_and_slopes_as_it_may(tmp_path, monkeypatch, most, read):
    """Two lines of two slopes each: four numbers, and two where there are fewer."""
    tables = {"c": {"a": 0.5, "b": 0.5}, "x": LINE(0, 1), "y": LINE(0, 1)}
    tables["z"] = {s: LINE(1, 2, {"x": 0.5, "y": 0.25}) for s in "ab"}
    net = bf.MixedNetwork.from_edges([("c", "z"), ("x", "z"), ("y", "z")], tables=tables)
    path = tmp_path / "net.json"
    bf.write_network(net, path)
    monkeypatch.setattr(json, "MOST_CELLS", most)
    if read:
        assert bf.read_network(path).tables["z"].slopes.tolist() == [[0.5, 0.25]] * 2
        return
    with pytest.raises(FormatError, match=f"'z' has 2 lines; a file may hold at most {most}"):
        bf.read_network(path)
