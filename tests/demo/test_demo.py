"""The demonstration: what it shows is what it runs, its promises are checked, and it fails when one is broken."""

import numpy as np
import pytest

from bayesfold import NaiveBayes
from bayesfold.demo.__main__ import main
from bayesfold.demo.parcels import CLASSES, HOLES, LEVELS, parcels
from bayesfold.demo.scenes import SCENES, Scene
from bayesfold.demo.tour import play

ROWS = "2000"


@pytest.mark.slow
def test_it_plays_every_scene_into_a_pipe(capsys):
    assert main(["--rows", ROWS]) == 0
    text = capsys.readouterr().out
    assert "\x1b" not in text
    assert max(map(len, text.splitlines())) <= 120
    for part in ("logistic regression", "boosting", "intensive care", "lunch", "explain each other away"):
        assert part in text
    for scene in SCENES:
        assert scene.title in text
    assert text.count("\n  True\n") == 4
    assert "['ward'], ['intensive care']" in text  # a cost turns the decision over
    assert "Every check held" in text


def test_a_step_that_does_nothing_is_noticed(capsys, monkeypatch):
    monkeypatch.setattr(NaiveBayes, "forget", lambda clf, X, y: clf)
    names = "import bayesfold as bf, numpy as np"
    monkeypatch.setattr("bayesfold.demo.__main__.SCENES", (Scene("names", f">>> {names}\n"), SCENES[2]))
    assert main(["--rows", ROWS]) == 1
    text = capsys.readouterr().out
    assert "\n  False\n" in text
    assert "A check failed" in text


def test_an_interrupt_ends_it_quietly(capsys, monkeypatch):
    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("bayesfold.demo.__main__.play", interrupt)
    assert main([]) == 130
    assert capsys.readouterr().out.endswith("stopped\n")


def test_what_is_shown_is_what_is_run(capsys):
    names = {"given": 2}
    assert play(
        Scene("sums", "Two and two.\n\n>>> given + given\n>>> def f():\n...     print('x')\n>>> f()\n"), 1, names
    )
    text = capsys.readouterr().out
    assert "Two and two." in text
    assert "  >>> given + given\n  4\n  >>> def f():\n  ...     print('x')\n  >>> f()\n  x\n" in text
    assert not play(Scene("a lie", ">>> 1 == 2\n"), 2, names)


def test_parcels_are_what_the_text_says():
    table, fate = parcels(10_000)
    assert set(fate) == set(CLASSES)
    for name, levels in LEVELS.items():
        assert len(set(table[name].to_pylist()) - {None}) <= levels
    shown = np.array([depot == "depot 199" for depot in table["depot"].to_pylist()])
    assert shown[9_000:].any()
    assert not shown[:9_000].any()
    holes = sum(table[name].null_count for name in table.column_names) / (table.num_rows * table.num_columns)
    assert holes == pytest.approx(HOLES, abs=0.005)
