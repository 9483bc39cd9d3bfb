"""Files that are learned twice: told of by every door, refused where that is wished, and forgotten without a trace."""

import bz2
import gzip
import hashlib
import io
import sys
from types import SimpleNamespace

from tests.cli.pets import pets, text, write
from tests.cli.process import call
from tests.web.server.api.test_judging import ANY
from tests.web.server.serving import ask, running

from bayesfold.io.learned_files import digest_files
from bayesfold.store import load

FIT = "-t", "pet", "-m", "naive"


def fitted(folder):
    write(folder / "pets.csv", pets())
    write(folder / "more.csv", pets(20, seed=1))
    call(folder, "fit", "pets.csv", *FIT)
    return folder


def test_a_file_that_was_learned_is_told_of_by_its_bytes(tmp_path):
    fitted(tmp_path)
    (tmp_path / "copy.csv").write_bytes((tmp_path / "pets.csv").read_bytes())
    day = load(tmp_path / "pets.bayes").history[0].date[:10]
    said = call(tmp_path, "update", "pets.bayes", "copy.csv").stderr
    assert f"copy.csv was learned already, on {day}; its rows now count once more" in " ".join(said.split())
    assert load(tmp_path / "pets.bayes").rows == 120
    assert "learned already" not in call(tmp_path, "update", "pets.bayes", "more.csv").stderr
    assert "learned already" in call(tmp_path, "update", "pets.bayes", "more.csv").stderr


def test_a_copy_that_says_the_same_is_known_however_it_is_packed_and_written(tmp_path):
    fitted(tmp_path)
    data = (tmp_path / "pets.csv").read_bytes()
    assert data.endswith(b"\n")
    text_ = data.decode()
    copies = {
        "windows.csv": data.replace(b"\n", b"\r\n"),
        "mixed.csv": data.replace(b"\n", b"\r\n", 7),
        "open end.csv": data[:-1],
        "blank end.csv": data + b"\n\n",
        "marked.csv": b"\xef\xbb\xbf" + data,
        "wide.csv": text_.encode("utf-16"),
        "wider.csv": text_.encode("utf-32"),
        "packed.csv.gz": gzip.compress(data, 1),
        "packed.csv.bz2": bz2.compress(data),
        "all of it.csv.gz": gzip.compress(text_.replace("\n", "\r\n").encode("utf-16")),
    }
    for name, held in copies.items():
        (tmp_path / name).write_bytes(held)
        assert "learned already" in call(tmp_path, "update", "pets.bayes", name, "--once", code=1).stderr, name
    (tmp_path / "other.csv").write_bytes(data.replace(b"\n", b"\n\n", 2)[:-1] + b"x\n")
    digests = dict(digest_files([tmp_path / name for name in (*copies, "pets.csv", "other.csv")]))
    assert len(set(digests.values())) == 2
    assert load(tmp_path / "pets.bayes").rows == 60


def test_what_came_through_a_pipe_is_known_by_what_it_said(tmp_path, monkeypatch):
    fitted(tmp_path)

    def pipe(name, *arguments, code=0):
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO((tmp_path / name).read_bytes())))
        return call(tmp_path, *arguments, code=code).stderr

    assert "standard input was learned already" in pipe("pets.csv", "update", "pets.bayes", "-", "--once", code=1)
    pipe("more.csv", "update", "pets.bayes", "-")
    assert "more.csv was learned already" in call(tmp_path, "update", "pets.bayes", "more.csv", "--once", code=1).stderr
    pipe("more.csv", "forget", "pets.bayes", "-")
    call(tmp_path, "update", "pets.bayes", "more.csv", "--once")


def test_once_refuses_it_and_changes_nothing(tmp_path):
    fitted(tmp_path)
    before = (tmp_path / "pets.bayes").read_bytes()
    said = call(tmp_path, "update", "pets.bayes", "more.csv", "pets.csv", "--once", code=1).stderr
    assert "pets.csv was learned already" in said
    assert "without --once it is learned again" in " ".join(said.split())
    assert (tmp_path / "pets.bayes").read_bytes() == before
    assert call(tmp_path, "update", "pets.bayes", "more.csv", "--once").stdout.startswith("learned 20 rows")


def test_once_refuses_a_file_that_is_given_twice(tmp_path):
    fitted(tmp_path)
    (tmp_path / "copy.csv").write_bytes((tmp_path / "more.csv").read_bytes())
    before = (tmp_path / "pets.bayes").read_bytes()
    for other, why in (("more.csv", "more.csv is named twice"), ("copy.csv", "copy.csv is a copy of more.csv")):
        said = call(tmp_path, "update", "pets.bayes", "more.csv", other, "--once", code=1).stderr
        assert f"{why}; without --once its rows count as often" in " ".join(said.split())
    assert (tmp_path / "pets.bayes").read_bytes() == before


def test_a_file_that_was_learned_twice_and_forgotten_once_is_still_learned(tmp_path):
    fitted(tmp_path)
    call(tmp_path, "update", "pets.bayes", "more.csv", "more.csv")
    call(tmp_path, "forget", "pets.bayes", "more.csv")
    assert "learned already" in call(tmp_path, "update", "pets.bayes", "more.csv", "--once", code=1).stderr
    call(tmp_path, "forget", "pets.bayes", "more.csv")
    assert call(tmp_path, "update", "pets.bayes", "more.csv", "--once").stderr == ""


def test_a_file_that_was_forgotten_may_be_learned_again(tmp_path):
    fitted(tmp_path)
    call(tmp_path, "update", "pets.bayes", "more.csv")
    call(tmp_path, "forget", "pets.bayes", "more.csv")
    digest = hashlib.sha256((tmp_path / "more.csv").read_bytes()).hexdigest()
    assert digest.encode() not in (tmp_path / "pets.bayes").read_bytes()
    assert [len(step.digests) for step in load(tmp_path / "pets.bayes").history] == [1, 0, 0]
    assert call(tmp_path, "update", "pets.bayes", "more.csv", "--once").stderr == ""


def test_copies_in_one_command_and_in_models_that_are_merged_are_told_of(tmp_path):
    fitted(tmp_path)
    (tmp_path / "copy.csv").write_bytes((tmp_path / "more.csv").read_bytes())
    said = call(tmp_path, "fit", "more.csv", "copy.csv", "--like", "pets.bayes", "-o", "twice.bayes").stderr
    assert "more.csv and copy.csv are copies of one file, and its rows count 2 times" in " ".join(said.split())
    call(tmp_path, "fit", "copy.csv", "--like", "pets.bayes", "-o", "copy.bayes")
    call(tmp_path, "update", "pets.bayes", "more.csv")
    said = call(tmp_path, "merge", "pets.bayes", "copy.bayes", "-o", "all.bayes").stderr
    assert "pets.bayes and copy.bayes have both learned more.csv" in " ".join(said.split())


def test_counts_in_which_rows_are_hidden_tell_of_no_file(tmp_path):
    fitted(tmp_path)
    call(tmp_path, "schema", "pets.csv", *FIT, "--set", "numeric=mdl", "-o", "schema.bayes")
    for hidden in (("--min-cell", "3"), ("--epsilon", "5")):
        call(tmp_path, "fit", "more.csv", "--schema", "schema.bayes", *hidden, "-o", "shared.bayes")
        assert [step.digests for step in load(tmp_path / "shared.bayes").history] == [(), ()]


def test_the_server_tells_of_it_too(tmp_path):
    fitted(tmp_path)
    with running(tmp_path / "pets.bayes", writable=True) as server:
        ids = [
            server.post("/api/v1/tables?name=sent.csv", content=text(rows).encode(), headers=ANY).json()["id"]
            for rows in (pets(), pets(20, seed=1))
        ]
        old, new = (ask(server, "models/pets/rows", {"table": id, "action": "learn"})["warnings"] for id in ids)
        ask(server, "models/pets/rows", {"table": ids[1], "action": "learn", "save": True})
    assert [said.partition(",")[0] for said in old] == ["sent.csv was learned already"]
    assert new == []
    assert "learned already" in call(tmp_path, "update", "pets.bayes", "more.csv").stderr


def test_a_folder_has_no_digest(tmp_path):
    write(tmp_path / "a.csv", pets(3))
    (named,) = digest_files([tmp_path, tmp_path / "a.csv", tmp_path / "gone.csv"])
    assert named[0] == str(tmp_path / "a.csv")
