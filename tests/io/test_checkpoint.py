"""A count that is interrupted and taken up again is the count of a run that never was."""

import gzip
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from tests.io.engines.tables import FORMS, mixed

import bayesfold as bf
from bayesfold.io import checkpoint as module
from bayesfold.io import count as count_from
from bayesfold.io import sample as sampled
from bayesfold.io.fit import learn_from
from bayesfold.io.open import open_source
from bayesfold.learning.kinds import find

FEATURES = ["colour", "zip", "size", "age"]
ROWS = 300_000
KILLS = 50 if os.environ.get("BAYESFOLD_SOAK") == "1" else 2


class Stopped(Exception):
    pass


def stop_at(rows):
    def watcher(progress):
        if progress.rows >= rows:
            raise Stopped

    return watcher


@pytest.fixture(autouse=True)
def often(monkeypatch):
    monkeypatch.setattr(sampled, "MOST_ROWS", 2_000)
    monkeypatch.setattr(module, "SECONDS", 0.0)


@pytest.fixture(scope="module")
def table():
    return mixed(ROWS)


def assert_same(a, b):
    assert a.model_.schema == b.model_.schema
    for name in ("counts", "sums", "weights"):
        np.testing.assert_array_equal(getattr(a.model_.tally, name), getattr(b.model_.tally, name))


@pytest.mark.parametrize(
    ("form", "kind"),
    [("csv", "naive"), ("packed", "naive"), ("files", "naive"), ("parquet", "tan"), ("arrow_file", "tan")],
)
def test_an_interrupted_count_goes_on_where_it_stopped(form, kind, table, tmp_path):
    table = table.slice(0, 200_000)
    source = FORMS[form](table, tmp_path / f"t.{form}")
    keep = tmp_path / "count.bayes"
    told = (find(kind)(), source, "y", "weight", FEATURES)
    with pytest.raises(Stopped):
        learn_from(*told, watcher=stop_at(131_072), checkpoint=keep)
    seen = []
    again, account = learn_from(*told, watcher=seen.append, checkpoint=keep)
    assert seen[-1].rows < 200_000  # the rows before the stop were not counted again
    assert account.rows == 200_000
    assert_same(again, learn_from(*told)[0])
    done, account = learn_from(*told, checkpoint=keep)  # nothing is left to count
    assert account.rows == 200_000
    assert_same(done, again)


STOPS = range(65_536, 262_145, 65_536) if os.environ.get("BAYESFOLD_SOAK") == "1" else (131_072,)


@pytest.mark.parametrize("stop", STOPS)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("form", ["plain", "gzip", "quoted"])
def test_blank_lines_in_several_files_are_not_counted(form, end, stop, tmp_path):
    """A row is counted once, and no line without anything is a row, wherever a count was interrupted."""
    files = []
    for k, rows in enumerate((110_000, 40_000, 150_000)):
        quote = '"' if form == "quoted" else ""
        lines = [f"{quote}{i % 7}{quote},{'pq'[i * 7 % 3 % 2]}{end * (1 + (i % 5 == 0))}" for i in range(rows)]
        data = f"{end}a,y{end}{end}{''.join(lines)}{end * 3}".encode()
        files.append(tmp_path / f"{k}.csv")
        files[-1].write_bytes(gzip.compress(data, 1) if form == "gzip" else data)
    keep, told = tmp_path / "count.bayes", (find("naive")(), files, "y")
    with pytest.raises(Stopped):
        learn_from(*told, watcher=stop_at(stop), checkpoint=keep)
    again, account = learn_from(*told, checkpoint=keep)
    assert (account.rows, again.rows) == (300_000, 300_000)
    whole, account = learn_from(*told)
    assert (account.rows, whole.rows) == (300_000, 300_000)
    assert_same(again, whole)
    with open_source(files) as source:
        assert source.count() == 300_000
        assert source.place(110_000).endswith("1.csv, line 4")
        assert source.place(110_006).endswith("1.csv, line 12")


def test_a_checkpoint_of_something_else_is_refused(tmp_path, table):
    few = table.slice(0, 100_000)
    source = FORMS["parquet"](few, tmp_path / "t.parquet")
    keep = tmp_path / "count.bayes"
    learn_from(find("naive")(), source, "y", columns=FEATURES, checkpoint=keep)
    before = keep.read_bytes()
    others = [
        (find("naive")(alpha=2.0), source, "y", None, FEATURES),
        (find("naive")(), source, "y", None, FEATURES[:-1]),
        (find("naive")(), source, "colour", None, ["zip"]),
        (find("naive")(), FORMS["parquet"](few.slice(1), tmp_path / "u.parquet"), "y", None, FEATURES),
    ]
    for other in others:
        with pytest.raises(ValueError, match="is not a checkpoint of this work"):
            learn_from(*other, checkpoint=keep)
    FORMS["parquet"](few.slice(0, 99_999), source)
    with pytest.raises(ValueError, match="a file has changed since"):
        learn_from(find("naive")(), source, "y", columns=FEATURES, checkpoint=keep)
    assert keep.read_bytes() == before


def test_a_stream_has_no_checkpoint(tmp_path, table):
    with pytest.raises(ValueError, match="can be read once, so a count of it cannot be taken up again"):
        learn_from(find("naive")(), table.to_reader(), "y", checkpoint=tmp_path / "count.bayes")
    with pytest.raises(ValueError, match="GaussianNB keeps no checkpoint"):
        bf.GaussianNB().fit_from(pa.table({"a": [1.0], "y": [0]}), "y", checkpoint=tmp_path / "count.bayes")


def test_an_identifier_found_out_after_a_stop(tmp_path, monkeypatch):
    monkeypatch.setattr(count_from, "MOST_LEVELS", 80_000)
    rows = 200_000
    draw = np.random.default_rng(0)
    user = [f"u{i}" if new else "guest" for i, new in enumerate(draw.random(rows) < 0.5)]
    table = pa.table({"user": user, "size": draw.normal(size=rows), "y": ["a", "b"] * (rows // 2)})
    source, keep = FORMS["parquet"](table, tmp_path / "t.parquet"), tmp_path / "count.bayes"
    with pytest.raises(Stopped):
        learn_from(find("naive")(), source, "y", watcher=stop_at(131_072), checkpoint=keep)
    again, _ = learn_from(find("naive")(), source, "y", checkpoint=keep)
    assert again.model_.schema.sources == ("size",)
    assert_same(again, learn_from(find("naive")(), source, "y")[0])


def test_estimators_remove_their_checkpoint(tmp_path, table):
    source, keep = FORMS["parquet"](table.slice(0, 100_000), tmp_path / "t.parquet"), tmp_path / "count.bayes"
    bf.NaiveBayes().fit_from(source, "y", columns=FEATURES, checkpoint=keep)
    assert not keep.exists()


PROGRAM = """
import sys
from bayesfold.io import checkpoint
from bayesfold.io import sample as sampled
from bayesfold.learning.kinds import find
from bayesfold.io.fit import learn_from
from bayesfold.store import save
checkpoint.SECONDS = 0.0
sampled.MOST_ROWS = 2_000
path, keep, out = sys.argv[1:]
columns = ["colour", "zip", "size", "age"]
trained, _ = learn_from(find("naive")(), path, "y", "weight", columns, checkpoint=keep)
save(trained, out)
"""


@pytest.mark.slow
def test_killed_at_any_moment(tmp_path, table):
    path = FORMS["csv"](table, tmp_path / "t.csv")
    keep, out = tmp_path / "count.bayes", tmp_path / "model.bayes"
    command = [sys.executable, "-c", PROGRAM, str(path), str(keep), str(out)]
    began = time.monotonic()
    subprocess.run(command, check=True)
    took = time.monotonic() - began
    whole = out.read_bytes()
    draw = np.random.default_rng(1)
    for _ in range(KILLS):
        for file in (keep, out):
            file.unlink(missing_ok=True)
        killed = subprocess.Popen(command)
        time.sleep(float(draw.uniform(0.3, 1.0)) * took)
        killed.send_signal(signal.SIGKILL)
        killed.wait()
        assert not out.exists() or out.read_bytes() == whole
        subprocess.run(command, check=True)
        assert out.read_bytes() == whole
        left = [p for p in Path(tmp_path).iterdir() if p.suffix not in (".csv", ".bayes", ".new")]
        assert not left
