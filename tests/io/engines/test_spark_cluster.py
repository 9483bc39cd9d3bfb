"""Sessions in processes of their own: a worker that is killed while it counts, and a session of Spark Connect.

Both end with a model of the same bits.
"""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests import cluster
from tests.sparks import QUIET, digest, generated, why_not

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings(QUIET),
    pytest.mark.skipif(bool(why_not()), reason=why_not() or "there is a Spark"),
]
ROOT = Path(__file__).parents[3]
ROWS, PARTITIONS = (2_000_000, 24) if os.environ.get("BAYESFOLD_SOAK") == "1" else (60_000, 6)


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="processes are found through /proc")
def test_a_worker_that_is_killed_changes_nothing(tmp_path):
    notes = tmp_path / "notes"
    notes.mkdir()
    with cluster.running(tmp_path) as (address, workers):
        program = [sys.executable, "-m", "tests.io.engines.killed_worker", address, str(notes)]
        with subprocess.Popen(
            [*program, str(ROWS), str(PARTITIONS)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT
        ) as driver:
            try:
                assert driver.stdout.readline() == "counting\n", driver.stderr.read()[-3_000:]
                until = time.monotonic() + cluster.PATIENCE
                while time.monotonic() < until and len(list(notes.glob("begun-*"))) < 2:
                    time.sleep(0.05)
                cluster.end(workers[0])
                said, wrong = driver.communicate(timeout=3 * cluster.PATIENCE)
            finally:
                cluster.end(driver)
    assert driver.returncode == 0, wrong[-3_000:]
    undisturbed, disturbed, begun = said.split()
    assert disturbed == undisturbed
    assert int(begun) > PARTITIONS  # somebody had to begin again


CONNECTED = """
import warnings
warnings.simplefilter("ignore")
from tests.sparks import builder, digest, generated

session = builder("").remote("local[2]").getOrCreate()
assert "connect" in type(session).__module__
table = generated(session, 60_000, 3)
print(digest(table))
model = __import__("bayesfold").NaiveBayes().fit_from(table, "y")
print(model.predict_from(table).where("predicted is not null").count())
session.stop()
"""


def test_a_session_of_connect_gives_the_same_model(spark, tmp_path):
    pytest.importorskip("grpc", reason="Spark Connect needs grpc")
    program = tmp_path / "connected.py"
    program.write_text(CONNECTED, "utf-8")
    with subprocess.Popen(
        [sys.executable, str(program)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)},
    ) as driver:  # fmt: skip
        try:
            said, wrong = driver.communicate(timeout=3 * cluster.PATIENCE)
        finally:
            cluster.end(driver)
    assert driver.returncode == 0, wrong[-3_000:]
    assert said.split()[-2:] == [digest(generated(spark, 60_000, 3)), "60000"]


LOST = """
import os, signal, sys, warnings
warnings.simplefilter("ignore")
import bayesfold as bf
from tests.cluster import descendants
from tests.sparks import builder, generated


def attempt(session):
    table = generated(session, 1_000, 2)
    yield
    try:
        bf.NaiveBayes().fit_from(table, "y")
    except RuntimeError as error:
        print(error)
    yield


def crash(batches):
    yield from batches
    os.kill(os.getpid(), signal.SIGKILL)


session = builder("local[2]").getOrCreate()
session.sparkContext.setLogLevel("OFF")
rows = generated(session, 1_000, 2)
try:
    bf.NaiveBayes().fit_from(rows.mapInArrow(crash, rows.schema), "y")
except RuntimeError as error:
    print(error)
stopped = attempt(session)
next(stopped)
session.stop()
next(stopped)
session = builder("local[2]").getOrCreate()
gone = attempt(session)
next(gone)
for process in descendants(os.getpid()):
    os.kill(process, signal.SIGKILL)
next(gone)
sys.stdout.flush()
os._exit(0)  # Spark would wait for what is gone
"""


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="processes are found through /proc")
def test_who_loses_memory_or_the_connection_is_told_the_stage_and_what_to_change(tmp_path):
    program = tmp_path / "lost.py"
    program.write_text(LOST, "utf-8")
    done = subprocess.run(
        [sys.executable, str(program)], capture_output=True, text=True, cwd=ROOT, check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT)}, timeout=3 * cluster.PATIENCE,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3_000:]
    crashed, stopped, gone = done.stdout.splitlines()
    assert crashed.startswith("the DataFrame: looking at the rows: an executor ran out of memory; give executors more")
    for said in (stopped, gone):
        assert "the connection to Spark is lost" in said
        assert "make a new session and run this again: nothing has changed" in said
