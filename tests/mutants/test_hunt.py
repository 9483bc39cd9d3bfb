"""Which tests are asked about a mistake, in which order, and what is kept of the answers."""

from pathlib import Path

import pytest

from . import hunt, worker
from .draw import draw_mutants
from .hunt import AT_MOST, SOON, cut, last_of, run_fork, stages_of
from .lines import ROOT
from .plant import Mutant
from .results import OPEN, append_result, read_results, summarise

MUTANT = Mutant("src/bayesfold/store/fits.py", 7, "x -> y", "")
KNOWN = {
    "lines": {
        MUTANT.path: {"7": ["tests/cli/a.py::slow", "tests/store/b.py::quick", "tests/store/test_fits.py::beside"]}
    },
    "seconds": {
        "tests/cli/a.py::slow": SOON + 1.0,
        "tests/store/b.py::quick": 0.1,
        "tests/store/test_fits.py::beside": 9.0,
    },
}


def test_tests_beside_the_module_are_asked_first_then_those_of_its_room() -> None:
    expected = ["tests/store/test_fits.py::beside", "tests/store/b.py::quick", "tests/cli/a.py::slow"]
    assert hunt.tests_of(MUTANT, KNOWN) == expected


def test_tests_of_a_helper_are_called_like_it_without_its_underscore() -> None:
    helper = Mutant("src/bayesfold/families/_covariance.py", 7, "x -> y", "")
    first, _ = next(stages_of(helper, {"lines": {}, "seconds": {}}))
    assert first == [helper.path, "tests/families/test_covariance.py"]


def test_the_quick_cases_are_asked_in_lots() -> None:
    beside = [MUTANT.path, "tests/store/test_fits.py"]
    soon, later = ["tests/store/b.py::quick"], ["tests/cli/a.py::slow"]
    lots = [(beside, True), (soon, True), (later, True)]
    assert list(stages_of(MUTANT, KNOWN)) == lots


def test_tests_that_are_named_are_asked_with_every_case_and_no_others(monkeypatch) -> None:
    asked = []

    def survives(mutant, tests, folder, limit, quick):
        asked.append((tests, quick))
        return hunt.Verdict(mutant, "survived", len(tests), 0.0)

    monkeypatch.setattr(hunt, "hunt_with", survives)
    assert hunt.hunt(MUTANT, KNOWN, Path(), ["tests/store/export"]).fate == "survived"
    assert asked == [(["tests/store/export"], False)]


def test_no_more_tests_are_asked_than_time_allows_but_one() -> None:
    known = {"seconds": {"a": AT_MOST, "b": 1.0, "c": 1.0}}
    assert cut(["a", "b"], known, 10.0) == ["a"]
    assert cut(["b", "c", "a"], known, 10.0) == ["b", "c"]
    assert cut([], known, 10.0) == []


def test_the_same_seed_draws_the_same_mistakes_and_more_of_them_hold_the_fewer() -> None:
    few, many = (draw_mutants({"tally": count, "decisions": 3}, 5) for count in (3, 6))
    assert (len(few), len(many)) == (6, 9)
    assert few.items() <= many.items()
    assert set(draw_mutants({"tally": 6}, 6)) != {i for i in many if "/tally/" in i}


def test_a_hunt_that_is_stopped_has_been_to_every_room_in_proportion() -> None:
    rooms = [identity.split("/")[2] for identity in draw_mutants({"tally": 8, "decisions": 4}, 5)]
    assert [rooms[k : k + 3].count("decisions") for k in range(0, 12, 3)] == [1, 1, 1, 1]


def test_the_last_verdict_on_a_mutant_counts(tmp_path: Path) -> None:
    file = tmp_path / "kept" / "results.jsonl"
    assert read_results(file) == {}
    for fate in ("survived", "killed"):
        append_result(file, {"identity": "a", "path": "src/bayesfold/tally/a.py", "fate": fate})
    append_result(file, {"identity": "b", "path": "src/bayesfold/tally/a.py", "fate": "not compiled"})
    found = read_results(file)
    assert found["a"]["fate"] == "killed"
    assert summarise([*found.values()]).endswith("all: 1 of 1 noticed (100.0 %)")


def test_before_a_mutant_survives_every_case_of_its_room_and_of_all_that_passes_it_is_asked() -> None:
    room = {str(file.relative_to(ROOT)) for file in (ROOT / "tests/store").glob("test_*.py")}
    asked = last_of(MUTANT, KNOWN)
    assert asked[:2] == [MUTANT.path, "tests/store/test_fits.py"]
    assert {*asked[1 : len(room) + 1]} == room
    assert asked[len(room) + 1 :] == ["tests/store/b.py::quick", "tests/cli/a.py::slow"]


@pytest.mark.slow
def test_a_run_that_has_no_time_left_ends_after_the_test_that_it_is_at(tmp_path: Path) -> None:
    (tmp_path / "test_two.py").write_text("def test_good(): pass\ndef test_bad(): assert False\n", "utf-8")
    assert run_fork(tmp_path, ["test_two.py"], False, 60.0, most=0.0) == 0
    assert hunt.first_failure(tmp_path) == ""
    assert run_fork(tmp_path, ["test_two.py", "test_gone.py", "test_gone.py::test_bad"], False, 60.0) == 1
    assert hunt.first_failure(tmp_path) == "test_two.py::test_bad"


def test_what_the_first_tests_do_not_notice_is_open_until_the_others_are_asked(monkeypatch) -> None:
    fates = iter(["survived", "killed", "not reached"])
    state = {"known": {}, "folder": Path(), "tests": ()}
    monkeypatch.setattr(worker, "_state", state)
    monkeypatch.setattr(worker, "hunt", lambda mutant, *rest: hunt.Verdict(mutant, next(fates), 1, 0.0))
    monkeypatch.setattr(worker, "hunt_last", lambda mutant, *rest: hunt.Verdict(mutant, "survived", 1, 0.0))
    assert [worker.work(("a", MUTANT))["fate"] for _ in range(3)] == [OPEN, "killed", OPEN]
    last = worker.work_last(60.0, ("a", MUTANT))
    assert (last["fate"], last["identity"], last["line"]) == ("survived", "a", 7)
    assert summarise([last, last | {"fate": OPEN}]).endswith("all: 0 of 1 noticed (0.0 %)")
    fates = iter(["survived"])
    state["tests"] = ("tests/store",)
    assert worker.work(("a", MUTANT))["fate"] == "survived", "tests that were named have the last word"


def test_a_class_that_a_module_calls_like_a_test_is_none(tmp_path: Path) -> None:
    """Collecting `Tested` of `networks.learning` was an error, and the tests beside its module were not asked."""
    (tmp_path / "test_one.py").write_text(
        "class Tested:\n    def test_bad(self): assert False\ndef test_good(): pass\n", "utf-8"
    )
    assert run_fork(tmp_path, ["test_one.py"], False, 60.0) == 0
