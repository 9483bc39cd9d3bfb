"""The demonstration: it prints what it promises, its numbers add up, and it fails when a check fails."""

import re

import numpy as np
import pytest

from bayesfold import NaiveBayes
from bayesfold.demo import fold, report
from bayesfold.demo.__main__ import main
from bayesfold.demo.parcels import CLASSES, HOLES, LEVELS, parcels

ROWS = "2000"


def test_it_prints_a_readable_report_into_a_pipe(capsys):
    assert main(["--rows", ROWS]) == 0
    text = capsys.readouterr().out
    assert "\x1b" not in text
    assert max(map(len, text.splitlines())) <= 100
    for part in ("iris", "breast cancer", "wine", "leave-one-out", "lognormal", "To try next", "Every check held"):
        assert part in text
    assert text.count("equal within") == 4
    assert reasons_add_up(text)


def reasons_add_up(text: str) -> bool:
    """The printed log-odds sum to the printed sum, and that gives the printed probability."""
    block = text[text.index("before looking") : text.index("To try next")]
    *parts, total = map(float, re.findall(r"[+-]\d+\.\d{3}", block))
    stated = re.findall(r"(?:=|says) (0\.\d{3})", block)
    return len(parts) == 5 and round(sum(parts), 3) == total and stated == [f"{1 / (1 + np.exp(-total)):.3f}"] * 2


def test_a_step_that_does_nothing_is_noticed(capsys, monkeypatch):
    monkeypatch.setattr(NaiveBayes, "forget", lambda clf, X, y: clf)
    assert main(["--rows", ROWS]) == 1
    text = capsys.readouterr().out
    assert "DIFFERS by" in text
    assert "A check failed" in text


def test_an_interrupt_ends_it_quietly(capsys, monkeypatch):
    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(report, "show_reports", interrupt)
    assert main([]) == 130
    assert capsys.readouterr().out.endswith("stopped\n")


def test_the_lines_to_try_next_run():
    space: dict[str, object] = {}
    exec(report.NEXT, space)
    assert isinstance(space["clf"], NaiveBayes)


def test_a_refit_has_the_same_columns_and_densities():
    rows = fold.Rows(*parcels(2_000))
    clf = NaiveBayes().fit(rows.X, rows.y)
    again = fold.refit(clf, rows)
    assert [line.family for line in again.columns_] == [line.family for line in clf.columns_]
    assert fold.difference(clf, again, rows.X) == 0


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
