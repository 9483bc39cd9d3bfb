"""Models by name: names differ, what was made here is counted and removed, what has a file stays."""

from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest
from tests.web.server.serving import patients, saved

from bayesfold.web.server.problems import Problem
from bayesfold.web.server.shelf import Entry, Shelf, make_shelf, read_entry


def test_two_models_of_one_name_are_told_apart(tmp_path):
    (tmp_path / "other").mkdir()
    paths = (str(saved(tmp_path)), str(saved(tmp_path / "other")))
    assert list(make_shelf(paths).entries) == ["patients", "patients 2"]


def test_what_is_made_here_is_limited_and_can_be_removed(tmp_path):
    shelf = make_shelf((str(saved(tmp_path)), "smoking"), most=2)
    for _ in range(2):
        shelf.put(Entry("made", trained=patients(), made=True))
    with pytest.raises(Problem, match="remove one first"):
        shelf.put(Entry("made", trained=patients(), made=True))
    shelf.remove("made")
    shelf.put(Entry("made", trained=patients(), made=True))
    for name in ("patients", "smoking"):
        with pytest.raises(Problem, match="told to serve it"):
            shelf.remove(name)


def test_an_entry_that_was_taken_stays_what_it_was():
    shelf = Shelf()
    taken = shelf.put(read_entry("smoking"))
    fresh = shelf.swap(read_entry("smoking"))
    assert (taken.version, fresh.version) == (1, 2)
    assert shelf.find("smoking") is fresh
    assert taken.network is not fresh.network


def test_a_network_without_all_tables_is_refused(tmp_path):
    (tmp_path / "half.bif").write_text("network x { }\nvariable a { type discrete [ 2 ] { yes, no }; }\n")
    with pytest.raises(ValueError, match="a"):
        read_entry(str(tmp_path / "half.bif"))


def test_who_waits_to_change_an_entry_gets_the_one_that_was_made_meanwhile():
    shelf = make_shelf(("smoking",))
    with ThreadPoolExecutor(1) as pool:
        with shelf.changing("smoking") as entry:
            begun = Event()

            def later():
                begun.set()
                with shelf.changing("smoking") as found:
                    return found.version

            waiting = pool.submit(later)
            begun.wait()
            shelf.swap(entry)
        assert waiting.result() == entry.version + 1
