"""Two names of one file, in every way in which a file can have two."""

import os

import pytest

from bayesfold.runtime.overwriting import is_same, refuse_overwriting


@pytest.fixture
def table(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "t.csv"
    path.write_text("a,y\n1,p\n")
    return path


def test_links_and_spellings(table, tmp_path):
    (tmp_path / "sub").mkdir()
    (tmp_path / "soft.csv").symlink_to("t.csv")
    os.link(table, tmp_path / "hard.csv")
    for name in ("t.csv", "./t.csv", "sub/../t.csv", table, str(table), "soft.csv", "hard.csv"):
        with pytest.raises(ValueError, match="is what is read; give another name, so that it is not lost"):
            refuse_overwriting(name, [table])
    refuse_overwriting("u.csv", [table])
    refuse_overwriting("sub/t.csv", [table])


def test_a_home_folder_is_spelt_in_two_ways(table, monkeypatch):
    monkeypatch.setenv("HOME", str(table.parent))
    assert is_same("~/t.csv", table)


def test_files_that_are_not_there_yet(table, tmp_path):
    assert is_same("new.bayes", tmp_path / "new.bayes")
    assert is_same("new.bayes", "New.bayes")  # they may become one
    assert not is_same("new.bayes", "newer.bayes")


def test_what_is_in_a_folder_is_of_it(tmp_path):
    (tmp_path / "mail").mkdir()
    assert is_same(tmp_path / "mail" / "1", tmp_path / "mail")
    assert not is_same(tmp_path / "mailbox", tmp_path / "mail")
