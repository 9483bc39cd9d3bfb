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
