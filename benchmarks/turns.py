"""Two versions of the project in turns, ours alone, in processor time: `python -m benchmarks.turns OLD [GROUP...]`.

OLD is a checkout of the other version whose kernels are compiled (`git worktree add OLD COMMIT`, there
`python setup.py build_ext --inplace`). Both versions run in this interpreter, beside the same libraries, on the work in
`own_work.py`. A token goes from one to the other, so that one at a time is measured and a slow moment falls on both.
The fastest of `--repeats` rounds is compared, in processor time of all threads.
"""

import argparse
import gc
import json
import math
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.compare import pair, print_table
from benchmarks.memory import ROOT

SAMPLE_SECONDS = 0.02
SLOW = 2.0  # a task that takes so long is not repeated more than SLOW_ROUNDS times
SLOW_ROUNDS = 4


def main() -> int:
    """Run each group on both sides and print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.turns", description=__doc__)
    parser.add_argument("old", type=Path)
    parser.add_argument("groups", nargs="*")
    parser.add_argument("--repeats", type=int, default=10)
    parser.add_argument("--only", default="", metavar="TEXT", help="only work whose name has this in it")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write every repetition to FILE")
    chosen = parser.parse_args()
    from benchmarks.own_work import GROUPS

    record = {}
    for group in chosen.groups or GROUPS:
        old, new = sides(chosen, group)
        record[group] = [old, new]
        pairs = pair(old, new)
        print(f"\n{group}", flush=True)
        print_table(pairs)
        ratios = sorted(one.ratio for one in pairs)
        if ratios:
            print(f"\n{len(ratios)} pieces: median {ratios[len(ratios) // 2]:.2f}x, least {ratios[0]:.2f}x", flush=True)
        if chosen.json is not None:
            chosen.json.write_text(json.dumps(record, indent=1) + "\n")
    return 0


def sides(chosen: argparse.Namespace, group: str) -> list[dict[str, list[float]]]:
    """Seconds by work of the old and the new version, which hand a token to each other through two pipes."""
    (to_old, from_new), (to_new, from_old) = os.pipe(), os.pipe()
    ends = {"old": (to_old, from_old), "new": (to_new, from_new)}
    os.write(from_new, b".")
    with tempfile.TemporaryDirectory() as folder:
        running = {}
        kept = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
        for side, (take, give) in ends.items():
            source = (chosen.old.resolve() if side == "old" else ROOT) / "src"
            environment = kept | {"PYTHONPATH": str(source), "PYTHONPYCACHEPREFIX": f"{folder}/{side}"}
            program = "import sys; from benchmarks.turns import work; work(*sys.argv[1:])"
            arguments = [group, str(take), str(give), f"{folder}/{side}.json", str(chosen.repeats), chosen.only]
            running[side] = subprocess.Popen(
                [sys.executable, "-W", "ignore", "-c", program, *arguments],
                cwd=ROOT, env=environment, pass_fds=(take, give),
            )  # fmt: skip
        for end in (*ends["old"], *ends["new"]):
            os.close(end)
        ends_well = [process.wait() == 0 for process in running.values()]
        if not all(ends_well):
            print(f"{group} broke")
            return [{}, {}]
        return [json.loads(Path(folder, f"{side}.json").read_text()) for side in ends]


def work(group: str, take: str, give: str, out: str, repeats: str, only: str) -> None:
    """One side: every piece of work of a group, a repetition for each token."""
    from benchmarks.own_work import GROUPS

    found: dict[str, list[float]] = {}
    for name, task, calls in GROUPS[group]():
        if only not in name:
            continue
        rounds, number = int(repeats), 1
        for _ in range(2):  # the first may import and allocate
            took = in_turn(int(take), int(give), partial(sample, task, 1))
        if took < SAMPLE_SECONDS:
            number = math.ceil(SAMPLE_SECONDS / max(took, 1e-7))
        rounds = rounds if took < SLOW else min(rounds, SLOW_ROUNDS)
        repeat = partial(in_turn, int(take), int(give), partial(sample, task, number))
        found[name] = [repeat() / calls for _ in range(rounds)]
    Path(out).write_text(json.dumps(found))


def in_turn(take: int, give: int, do: Callable[[], float]) -> float:
    """Wait for the token, do it, hand the token on; where the other side has ended, nobody waits."""
    os.read(take, 1)
    try:
        return do()
    finally:
        with suppress(BrokenPipeError):
            os.write(give, b".")


def sample(task: Any, calls: int) -> float:
    """Processor seconds of one call, of all threads, averaged over `calls`."""
    from benchmarks.own_work import Timed

    if isinstance(task, Timed):
        return task()
    gc.collect()
    gc.disable()
    try:
        start = time.process_time()
        for _ in range(calls):
            task()
        return (time.process_time() - start) / calls
    finally:
        gc.enable()


if __name__ == "__main__":
    sys.exit(main())
