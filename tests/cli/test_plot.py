"""The help of `bayesfold plot`."""

import re

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from tests.cli.process import call

from bayesfold import plots
from bayesfold.cli import _pictures
from bayesfold.cli.commands.plot import COMMAND


def test_the_help_says_what_each_picture_shows():
    """It listed their names alone."""
    shown = " ".join(CliRunner().invoke(COMMAND, ["--help"]).output.split("Pictures:")[1].split())
    for name in plots.names():
        first = " ".join(plots.find(name).__doc__.split("\n\n")[0].split()).removesuffix(".")
        assert f"{name} {first}" in shown


def weighted_table(tmp_path):
    """A table of weighed rows, the same with each row as often as it weighs, and a model of neither."""
    rng = np.random.default_rng(2)
    y = rng.integers(0, 2, 80)
    x, w = rng.normal(size=80) + y, rng.integers(0, 4, 80)
    table = pd.DataFrame({"x": x.round(3), "w": w, "y": np.array([*"pq"])[y]})
    table.to_csv(tmp_path / "w.csv", index=False)
    table.loc[table.index.repeat(w), ["x", "y"]].to_csv(tmp_path / "copies.csv", index=False)
    table.loc[::-1].assign(x=table["x"] * 1.1)[["x", "y"]].to_csv(tmp_path / "other.csv", index=False)
    call(tmp_path, "fit", "other.csv", "-t", "y", "-m", "naive", "-o", "m.bayes")


@pytest.mark.parametrize("picture", ["roc", "precision_recall", "cost_curve"])
def test_a_row_counts_in_a_picture_as_often_as_it_weighs(picture, tmp_path, monkeypatch):
    """There was no way to say it: the picture of a weighted table was not that of its report."""
    weighted_table(tmp_path)
    monkeypatch.chdir(tmp_path)
    drawn = []
    monkeypatch.setattr(_pictures, "draw_picture", lambda name, numbers, dark: drawn.append(numbers))
    monkeypatch.setattr(plots, "save", lambda figure, out: None)
    for words in (["w.csv", "--weight", "w"], ["copies.csv"], ["w.csv"]):
        CliRunner().invoke(COMMAND, [picture, "m.bayes", *words], catch_exceptions=False)
    weighed, copied, plain = (describe(numbers) for numbers in drawn)
    assert weighed == copied != plain


def test_calibration_is_of_weighed_rows(tmp_path, monkeypatch):
    weighted_table(tmp_path)
    monkeypatch.chdir(tmp_path)
    drawn = []
    monkeypatch.setattr(_pictures, "draw_picture", lambda name, numbers, dark: drawn.append(numbers))
    monkeypatch.setattr(plots, "save", lambda figure, out: None)
    for words in (["w.csv", "--weight", "w"], ["copies.csv"]):
        CliRunner().invoke(COMMAND, ["calibration", "m.bayes", *words], catch_exceptions=False)
    weighed, copied = drawn
    np.testing.assert_allclose(weighed.weight, copied.weight)
    np.testing.assert_allclose(weighed.accuracy, copied.accuracy)


def describe(numbers):
    """The numbers of a picture without what rounding may differ in."""
    return re.sub(r"-?\d+\.\d+(e[-+]\d+)?", lambda match: f"{float(match[0]):.6g}", repr(numbers))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nomogram", "m.bayes"], "nomogram is a picture of the model alone; leave --weight out"),
        (["waterfall", "m.bayes", "w.csv"], "waterfall is a picture of one row; leave --weight out"),
        (["learning_curve", "m.bayes", "w.csv"], "learning_curve counts every row once; leave --weight out"),
        (["roc", "m.bayes", "copies.csv"], "copies.csv has no column 'w'"),
    ],
)
def test_weights_that_a_picture_cannot_have_are_refused(words, said, tmp_path):
    weighted_table(tmp_path)
    assert said in call(tmp_path, "plot", *words, "--weight", "w", "-o", "p.html", code=1).stderr
    assert not (tmp_path / "p.html").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["waterfall", "m.bayes", "w.csv", "--leave-out"], "--leave-out"),
        (["learning_curve", "m.bayes", "w.csv", "--leave-out"], "--leave-out"),
        (["densities", "m.bayes", "--leave-out"], "--leave-out"),
        (["roc", "m.bayes", "w.csv", "--row", "1"], "--row"),
        (["roc", "m.bayes", "w.csv", "--of", "p"], "--of"),
        (["confusion", "m.bayes", "w.csv", "--against", "p"], "--against"),
        (["network", "smoking", "--row", "3"], "--row"),
        (["network", "smoking", "w.csv"], "w.csv"),
    ],
)
def test_what_a_picture_has_no_use_for_is_refused(words, said, tmp_path):
    weighted_table(tmp_path)
    assert said in call(tmp_path, "plot", *words, "-o", "p.html", code=1).stderr
    assert not (tmp_path / "p.html").exists()
