"""kill -9 while a model is being saved: the file is the old one or the new one, whole."""

import os
import random
import signal
import subprocess
import sys
import time

import pytest

from bayesfold import store

KILLS = 50 if os.environ.get("BAYESFOLD_SOAK") == "1" else 5

SAVES_FOR_EVER = """
import os, sys
from bayesfold import store
from bayesfold.data.frame import Frame
from bayesfold.learning.trained import Step, find, train

names = [f"level {i}" for i in range(30_000)]
table, labels = Frame.of({"a": names}), ["x", "y"] * 15_000
models = [train(find("naive")(families={"a": "categorical"}), table, labels, "b") for _ in range(2)]
models[1].learn({"a": names[:1]}, ["x"])

def save(path, turn):
    model = models[turn % 2]
    model.history = (Step("save", model.rows, date=str(turn)),)
    store.save(model, path)

for line in sys.stdin:
    path = line.strip()
    save(path, 0)
    child = os.fork()
    if not child:
        print(os.getpid(), flush=True)
        turn = 0
        while True:
            turn += 1
            save(path, turn)
            print(turn, flush=True)
    os.waitpid(child, 0)
    print("dead", flush=True)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="kill -9 is POSIX's")
def test_a_killed_save_leaves_the_old_file_or_the_new_one(tmp_path):
    draw = random.Random(9)
    half_written = 0
    with subprocess.Popen(
        [sys.executable, "-c", SAVES_FOR_EVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for kill in range(KILLS):
            path = tmp_path / f"{kill}.bayes"
            print(path, file=process.stdin, flush=True)
            child = int(process.stdout.readline())
            time.sleep(draw.uniform(0.0, 0.5))
            os.kill(child, signal.SIGKILL)
            said = [line.strip() for line in iter(process.stdout.readline, "dead\n")]
            done = int(said[-1]) if said else 0
            found = store.load(path)
            turn = int(found.history[-1].date)
            assert turn in (done, done + 1)
            assert found.rows == 30_000 + turn % 2
            half_written += len(list(tmp_path.glob(f".{path.name}.*.new")))
            store.save(found, path)  # the next save does not mind what the dead one left
            assert store.load(path).rows == found.rows
        process.stdin.close()
    assert half_written or KILLS < 50  # of many kills some fall into the writing itself
