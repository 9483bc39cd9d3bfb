"""Learning a network on the command line: what is written can be asked, what is said is what was found."""

import json

import numpy as np
import pandas as pd
import pytest

import bayesfold as bf
from bayesfold.cli.commands import learn
from bayesfold.networks.learning.scores import KINDS
from bayesfold.networks.learning.strategies import STRATEGIES

from .process import call, run

SMOKING = bf.read_network("smoking")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with rows of a network, and with the same rows beside a number and some holes."""
    path = tmp_path_factory.mktemp("learn")
    table = pd.DataFrame(SMOKING.sample(1_500, random_state=3))
    table.to_csv(path / "rows.csv", index=False)
    draw = np.random.default_rng(1)
    table["age"] = np.where(table["smoking"] == table["smoking"][0], 60.0, 30.0) + draw.normal(0, 6, 1_500)
    table.loc[:9, "xray"] = None
    table.to_csv(path / "mixed.csv", index=False)
    return path


def test_what_is_written_is_what_the_library_learns(folder):
    said = run(folder, "learn", "rows.csv", "-o", "net.bif", "--score", "bdeu").stdout
    expected = bf.learn_network(pd.read_csv(folder / "rows.csv"), score="bdeu")
    assert said == f"{expected}\n"
    net = bf.read_network(folder / "net.bif")
    assert set(net.edges) == set(expected.network.edges)
    assert call(folder, "query", "net.bif", "cancer").stdout == f"{net.query('cancer')}\n"


def test_a_network_that_is_written_nowhere_is_said_to_be_lost_once(folder):
    shown = ["--plot", "shown.html"]
    for words in ([], shown):
        said = run(folder, "learn", "rows.csv", *words).stderr
        assert said.count("note: the network was written nowhere; -o FILE keeps it, for example -o net.json") == 1
    for words in (["-o", "kept.bif"], ["--json"]):
        assert "nowhere" not in run(folder, "learn", "rows.csv", *words).stderr


def test_rules_in_words(folder):
    rules = ["--tiers", "smoking; cancer, bronchitis; xray, dyspnoea", "--require", "cancer -> dyspnoea"]
    said = call(folder, "learn", "rows.csv", *rules, "--forbid", "smoking->xray", "--max-parents", "2", "--json").stdout
    arcs = {(arc["parent"], arc["child"]) for arc in json.loads(said)["arcs"]}
    assert ("cancer", "dyspnoea") in arcs
    assert ("smoking", "xray") not in arcs
    tier = {"smoking": 0, "cancer": 1, "bronchitis": 1, "xray": 2, "dyspnoea": 2}
    assert all(tier[a] <= tier[b] for a, b in arcs)


def test_samples_say_how_sure_arcs_are(folder):
    words = ["--bootstrap", "12", "--plot", "arcs.html", "--averaged", "-o", "sure.xdsl"]
    done = call(folder, "learn", "rows.csv", "--exact", *words)
    assert "no network scores higher" in done.stdout
    assert "12 samples; an arc is taken for real" in done.stdout
    assert "wrote sure.xdsl" in done.stderr
    assert "Arcs by 12 samples" in (folder / "arcs.html").read_text(encoding="utf-8")
    assert bf.read_network(folder / "sure.xdsl").tables
    answer = json.loads(call(folder, "learn", "rows.csv", "--bootstrap", "3", "--json").stdout)
    assert {"parent", "child", "strength", "direction"} == set(answer["strengths"][0])


def test_rows_with_holes_mean_what_they_mean_in_python(folder):
    rows = pd.read_csv(folder / "mixed.csv").drop(columns="age")
    rows["smoking"] = rows["smoking"].mask(np.random.default_rng(3).random(len(rows)) < 0.1)
    rows.to_csv(folder / "holes.csv", index=False)
    for word, how in (([], {}), (["--em"], {"em": True})):
        call(folder, "learn", "holes.csv", "-o", "holes.json", *word)
        written = bf.read_network(folder / "holes.json")
        assert written.edges == bf.learn_network(rows, holes="leave_out", **how).network.edges
        counted = bf.fit_network(written.edges, rows, **how)
        for name in written.nodes:
            np.testing.assert_allclose(written.table(name).values, counted.table(name).values, rtol=1e-6)


def test_numbers_are_cut_and_rows_with_holes_left_out(folder):
    done = call(folder, "learn", "mixed.csv", "--cut", "3", "-o", "cut.bif")
    assert "10 of 1,500 rows have missing values: arcs are learned from the others" in done.stderr
    net = bf.read_network(folder / "cut.bif")
    low, middle, high = net.states("age")  # in their order
    assert (low[0], high[0]) == ("<", "≥")
    assert " to " in middle
    assert {"age", "smoking"} in [set(edge) for edge in net.edges]
    assert "cut it into intervals" in call(folder, "learn", "mixed.csv", code=1).stderr
    assert "age" not in call(folder, "learn", "mixed.csv", "--drop", "age").stdout


def test_too_many_numbers_are_refused_with_two_ways_out(folder):
    pd.DataFrame({"a": np.arange(5_000) / 7, "b": ["x", "y"] * 2_500}).to_csv(folder / "many.csv", index=False)
    said = call(folder, "learn", "many.csv", code=1).stderr
    assert "--cut N" in said
    assert "--numbers gaussian" in said
    assert "a ~ N(" in call(folder, "learn", "many.csv", "--numbers", "gaussian").stdout


def test_numbers_stay_numbers(folder):
    done = call(folder, "learn", "mixed.csv", "--numbers", "gaussian", "-o", "numbers.json")
    net = bf.read_network(folder / "numbers.json")
    assert net.numbers == ("age",)
    rows = pd.read_csv(folder / "mixed.csv", keep_default_na=True)
    found = bf.learn_network(rows, numbers="gaussian", holes="leave_out")
    assert done.stdout == f"{found}\n\n{found.network}\n"
    assert "age | smoking=yes ~ N(" in done.stdout
    for question in ("age | smoking=yes", "smoking | age=61.5", "age | xray=abnormal"):
        assert call(folder, "query", "numbers.json", question).stdout == f"{net.query(question)}\n"
    answer = json.loads(call(folder, "query", "numbers.json", "age | xray=abnormal", "--json").stdout)
    exact = net.query("age | xray=abnormal")
    assert (answer["mean"], answer["variance"]) == (exact.mean, exact.variance)
    assert sum(part["weight"] for part in answer["mixture"]) == pytest.approx(1)
    best = call(folder, "query", "numbers.json", "smoking | age=61.5", "--most-probable").stdout
    assert str(net.map("smoking | age=61.5").states["smoking"]) in best
    assert "independent" in call(folder, "dsep", "numbers.json", "age", "cancer", "-g", "smoking").stdout
    call(folder, "plot", "network", "numbers.json", "-o", "numbers.html")
    shown = net.posteriors({})["age"][0]
    assert f"{shown[0]:.4g} \\u00b1 " in (folder / "numbers.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["learn", "mixed.csv", "--numbers", "gaussian", "--cut", "3"], "choose one"),
        (["learn", "mixed.csv", "--numbers", "gaussian", "-o", "net.bif"], "numbers as nodes are written as .json"),
        (
            ["query", "numbers.json", "age", "--steps"],
            "--steps is for networks of states, and this one has numbers ('age')",
        ),
        (["query", "numbers.json", "age=60", "--most-probable"], "this one has numbers ('age')"),
        (["query", "numbers.json", "smoking | age=old"], "'age' is a number, not 'old'"),
    ],
)
def test_what_does_not_go_with_numbers_is_said(folder, words, message):
    call(folder, "learn", "mixed.csv", "--numbers", "gaussian", "-o", "numbers.json")
    assert message in call(folder, *words, code=2 if words[0] == "learn" else 1).stderr


def test_a_network_with_numbers_is_not_served(folder):
    call(folder, "learn", "mixed.csv", "--numbers", "gaussian", "-o", "numbers.json")
    said = run(folder, "serve", "numbers.json", "--no-open", code=1).stderr  # with a limit, should it serve after all
    assert "numbers.json has numbers among its nodes ('age')" in said


def test_names_that_a_file_cannot_hold_are_a_note_and_no_line_of_code(folder):
    said = call(folder, "learn", "rows.csv", "-o", "net.uai").stderr
    assert "note: a UAI file has no names, so the names of" in said
    assert "Warning" not in said
    asked = call(folder, "query", "net.uai", "x0").stderr
    assert asked.startswith("note: net.uai: names stand in comments")


def test_rows_with_holes_are_kept_by_em(folder):
    done = call(folder, "learn", "mixed.csv", "--em", "--cut", "3", "--posterior", "-o", "held.bif")
    assert "left out" not in done.stderr
    assert "1,500 rows" in done.stdout
    assert "P(arc | rows) by bic" in done.stdout
    assert bf.read_network(folder / "held.bif").tables


def test_networks_are_compared_and_drawn(folder):
    bf.write_network(SMOKING, folder / "truth.bif")
    words = ["--compare", "truth.bif", "--compare-plot", "two.html", "--path-plot", "path.html", "--plot", "net.html"]
    done = call(folder, "learn", "rows.csv", *words)
    expected = bf.learn_network(pd.read_csv(folder / "rows.csv")).compare(SMOKING)
    assert str(expected) in done.stdout
    assert expected.ahead > 0
    for page, word in (("two.html", "joined differently"), ("path.html", "The score rose"), ("net.html", "depends on")):
        assert word in (folder / page).read_text(encoding="utf-8")
    answer = json.loads(call(folder, "learn", "rows.csv", "--compare", "truth.bif", "--posterior", "--json").stdout)
    assert answer["compared"]["distance"] == expected.distance
    assert answer["posterior"][0]["strength"] > 0.9


@pytest.mark.parametrize(
    ("words", "message", "code"),
    [
        (["--forbid", "smoking>cancer"], "an arc is written parent->child, not 'smoking>cancer'", 1),
        (["--forbid", "smokng->cancer"], "did you mean 'smoking'?", 1),
        (["--tiers", "smoking;cancr"], "did you mean 'cancer'?", 1),
        (["--drop", "cancr"], "did you mean 'cancer'?", 1),
        (["--require", "smoking->cancer", "--forbid", "smoking->cancer"], "is required, and ruled out", 1),
        (["--averaged"], "add --bootstrap 200", 2),
        (["--compare-plot", "two.html"], "add --compare NETWORK", 2),
        (["-o", "rows.csv"], "rows.csv", 1),
        (["-o", "net.pie"], ".pie", 1),
    ],
)
def test_errors_say_what_to_do(folder, words, message, code):
    before = (folder / "rows.csv").read_bytes()
    assert message in call(folder, "learn", "rows.csv", *words, code=code).stderr
    assert (folder / "rows.csv").read_bytes() == before


def test_the_words_are_those_of_the_library():
    assert tuple(KINDS) == learn.SCORES
    assert tuple(STRATEGIES) == learn.SEARCHES


@pytest.mark.parametrize(
    ("search", "where"),
    [
        ("pc", "bayesfold.networks.learning.independence.IndependenceTests.p_value"),
        ("hybrid", "bayesfold.networks.learning.independence.IndependenceTests.p_value"),
        ("climb", "bayesfold.networks.learning.structure.LocalScores"),
        ("exact", "bayesfold.networks.learning.structure.LocalScores"),
    ],
)
def test_an_interrupt_before_there_is_a_network_is_a_clean_end(folder, monkeypatch, search, where):
    def interrupt(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(where, interrupt)
    said = call(folder, "learn", "rows.csv", "--search", search, "-o", "never.bif", code=130).stderr
    assert said.strip() == "bayesfold: stopped; files are as they were"
    assert not (folder / "never.bif").exists()
