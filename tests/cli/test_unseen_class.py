"""Classes never seen, on the command line: a share that is left to them, and what tables that show some are told."""

import json

import numpy as np
import pytest
from tests.cli.pets import pets, read, write
from tests.cli.process import call

import bayesfold as bf

NEW = [["coat", "mass", "indoor", "pet"], ["long", "0.1", "true", "axolotl"], ["short", "0.2", "true", "gecko"]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Models of 60 pets and a parrot, with and without a share for others; and a table that shows two others."""
    place = tmp_path_factory.mktemp("unseen")
    rare = ["curly", "0.4", "true", "parrot"]
    write(place / "pets.csv", [*pets(), rare])
    write(place / "more.csv", [*pets(10, seed=3), *NEW[1:]])
    told = ("-t", "pet", "-m", "naive")
    call(place, "fit", "pets.csv", *told, "-o", "plain.bayes")
    call(place, "fit", "pets.csv", *told, "--set", "unseen_class=good-turing", "-o", "careful.bayes")
    return place


def test_a_share_is_learned_saved_and_shown(folder):
    clf = bf.load(folder / "careful.bayes")
    assert clf.unseen_class == "good-turing"
    assert clf.unseen_share_ == pytest.approx(1 / 61, rel=1e-12)
    said = call(folder, "inspect", "careful.bayes").stdout
    assert "a class never seen has the probability 0.0164" in said
    assert "--set unseen_class=good-turing" in said
    assert "never seen" not in call(folder, "inspect", "plain.bayes").stdout


def test_a_number_is_a_share(folder):
    call(folder, "fit", "pets.csv", "-t", "pet", "-m", "naive", "--set", "unseen_class=0.05", "-o", "five.bayes")
    assert bf.load(folder / "five.bayes").unseen_share_ == 0.05
    said = call(folder, "fit", "pets.csv", "-t", "pet", "-m", "naive", "--set", "unseen_class=2", code=1).stderr
    assert "unseen_class=2 must be None, 'good-turing', or a share of the probability between 0 and 1" in said


def test_the_share_follows_the_rows(folder):
    (folder / "moving.bayes").write_bytes((folder / "careful.bayes").read_bytes())
    call(folder, "update", "moving.bayes", "more.csv")
    assert bf.load(folder / "moving.bayes").unseen_share_ == pytest.approx(3 / 73, rel=1e-12)
    call(folder, "forget", "moving.bayes", "more.csv")
    assert bf.load(folder / "moving.bayes").unseen_share_ == pytest.approx(1 / 61, rel=1e-12)


def test_predicted_rows_have_a_column_for_a_class_never_seen(folder):
    call(folder, "predict", "careful.bayes", "more.csv", "-o", "answers.csv")
    rows = read(folder / "answers.csv")
    names = ["P(cat)", "P(dog)", "P(parrot)", "P(unseen)"]
    p = np.array([[float(row[name]) for name in names] for row in rows])
    np.testing.assert_allclose(p[:, -1], 1 / 61, rtol=1e-12)
    np.testing.assert_allclose(p.sum(axis=1), 1.0, rtol=1e-12)
    call(folder, "predict", "plain.bayes", "more.csv", "-o", "plain.csv")
    plain = read(folder / "plain.csv")
    assert "P(unseen)" not in plain[0]
    np.testing.assert_allclose(p[:, 0], [float(row["P(cat)"]) * 60 / 61 for row in plain], rtol=1e-12)


def test_evaluate_says_what_classes_never_seen_cost(folder):
    said = call(folder, "evaluate", "plain.bayes", "careful.bayes", "more.csv").stdout
    many = "a class never seen in training in 2 of 12 rows ('axolotl', 'gecko')"
    assert f"plain: {many}: log-loss 34.539 each (nothing is left to such classes; unseen_class='good-turing'" in said
    assert f"careful: {many}: log-loss 4.111 each (by what is left to such classes)" in said
    assert "log-loss, classes seen" in said
    found = json.loads(call(folder, "evaluate", "plain.bayes", "careful.bayes", "more.csv", "--json").stdout)
    assert found["never_seen"]["careful"] == {
        "rows": 2,
        "classes": ["axolotl", "gecko"],
        "share": pytest.approx(1 / 61),
    }
    whole, seen = (
        {name: found["scores"][name][measure]["value"] for name in ("plain", "careful")}
        for measure in ("log-loss", "log-loss, classes seen")
    )
    assert seen["careful"] == pytest.approx(seen["plain"] - np.log(60 / 61), rel=1e-9)
    assert whole["careful"] == pytest.approx((10 * seen["careful"] + 2 * np.log(61)) / 12, rel=1e-9)
    assert whole["plain"] == pytest.approx((10 * seen["plain"] + 2 * -np.log(1e-15)) / 12, rel=1e-9)


def test_evaluate_with_costs_that_know_no_new_class(folder):
    (folder / "costs.json").write_text(
        json.dumps({"cat": {"dog": 1, "parrot": 2}, "dog": {"cat": 4, "parrot": 1}, "parrot": {"cat": 1, "dog": 1}})
    )
    found = json.loads(call(folder, "evaluate", "careful.bayes", "more.csv", "--loss", "costs.json", "--json").stdout)
    decided = dict(zip(found["confusion"]["careful"]["decisions"], range(9), strict=False))
    lines = np.array(found["confusion"]["careful"]["rows"])
    costs = {("cat", "dog"): 1, ("dog", "cat"): 4}
    total = sum(n * lines[found["classes"].index(truth), decided[d]] for (d, truth), n in costs.items()) + 2 * 4
    assert found["scores"]["careful"]["cost"]["value"] == pytest.approx(total / 12)


def test_rows_held_out_are_told_alike_by_fit_and_evaluate(folder):
    said = call(folder, "evaluate", "careful.bayes", "pets.csv", "--leave-out").stdout
    assert "a class never seen in training in 1 of 61 rows ('parrot')" in said
    found = json.loads(call(folder, "evaluate", "careful.bayes", "pets.csv", "--leave-out", "--json").stdout)
    kept = bf.load(folder / "careful.bayes")._trained.judged.measures
    for name, measure in found["scores"]["careful"].items():
        assert kept[name].value == pytest.approx(measure["value"], rel=1e-9), name
    whole, seen = (found["scores"]["careful"][m]["value"] for m in ("log-loss", "log-loss, classes seen"))
    last = 61 * whole - 60 * seen
    assert np.exp(-last) == pytest.approx(0.5 / 54, rel=0.05)  # no class was seen once in the nine tenths without it


def test_the_report_tells_of_classes_never_seen(folder):
    (folder / "dear.json").write_text(json.dumps({a: {b: 3 for b in "ab" if b != a} for a in "ab"}))
    lines = [["x", "y"], *([v, c] for v, c in zip("pqpq" * 5, "abab" * 5, strict=True)), ["p", "new"]]
    write(folder / "small.csv", lines[:-1])
    write(folder / "later.csv", lines)
    call(
        folder,
        "fit",
        "small.csv",
        "-t",
        "y",
        "-m",
        "naive",
        "--loss",
        "dear.json",
        "--reject-cost",
        "2",
        "-o",
        "s.bayes",
    )
    call(folder, "report", "s.bayes", "later.csv", "-o", "page.html")
    page = (folder / "page.html").read_text(encoding="utf-8")
    assert "a class never seen in training in 1 of 21 rows (&#x27;new&#x27;)" in page
    assert "log-loss, classes seen" in page
