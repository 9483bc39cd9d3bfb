"""Plant mistakes and count those that the tests notice.

python -m tests.mutants trace                              which tests run which line (once, minutes)
python -m tests.mutants hunt --rooms tally,families --count 100 --seed 0 [--workers 2]
python -m tests.mutants named                              those that the tests once did not notice
python -m tests.mutants hunt --again FILE                  those that survived in a file of results, with every case
"""

import argparse
import json
import random
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from tests.mutants.hunt import copy_tree, hunt_with, load_libraries
from tests.mutants.lines import KEPT, ROOT, trace
from tests.mutants.named import NAMED
from tests.mutants.plant import Mutant, count_changes, mutants_of, plant
from tests.mutants.worker import begin, work

ROOMS = (
    "data",
    "tally",
    "families",
    "models",
    "networks",
    "decisions",
    "explanations",
    "learning",
    "store",
    "io",
    "runtime",
    "kernels",
)


def choose(rooms: list[str], count: int, seed: int) -> list[Mutant]:
    """So many mutants of each room, drawn at random from all that can be planted in it."""
    chosen: list[Mutant] = []
    for room in rooms:
        files = sorted((ROOT / "src" / "bayesfold" / room).rglob("*.py"))
        if room == "kernels":
            files = [file for file in files if file.name != "__init__.py"]  # this is asked by the build
        drawn = random.Random(f"{seed} {room}")
        texts = {str(file.relative_to(ROOT)): file.read_text(encoding="utf-8") for file in files}
        every = [(path, k) for path, text in texts.items() for k in range(count_changes(text))]
        chosen += [plant(path, texts[path], k) for path, k in drawn.sample(every, min(count, len(every)))]
        print(f"{room}: {min(count, len(every))} of {len(every)} mutants", flush=True)
    random.Random(seed).shuffle(chosen)  # so that a hunt that is stopped has been to every room
    return chosen


def run(mutants: list[Mutant], workers: int, quick: bool, out: Path) -> None:
    """Hunt all mutants, write a line for each, and print what became of them room by room."""
    fates: Counter[tuple[str, str]] = Counter()
    with ProcessPoolExecutor(workers, get_context("spawn"), begin) as pool, out.open("a", encoding="utf-8") as file:
        for found in pool.map(work, [(m, quick) for m in mutants]):
            file.write(json.dumps(found) + "\n")
            file.flush()
            fates[found["path"].split("/")[2], found["fate"]] += 1
            if found["fate"] in ("survived", "not reached"):
                print(f"{found['fate']}: {found['path']}:{found['line']} {found['what']}", flush=True)
    for room in dict.fromkeys(room for room, _ in fates):
        of_room = {fate: n for (r, fate), n in fates.items() if r == room}
        noticed = of_room.get("killed", 0) + of_room.get("hung", 0)
        print(f"{room}: {noticed} of {sum(of_room.values())} noticed  {of_room}")


def try_named() -> int:
    """Plant the mistakes that were once not noticed, and print those that still are not; how many."""
    load_libraries()
    folder, unnoticed = copy_tree(0), 0
    for mistake in NAMED:
        verdict = hunt_with(mistake.planted(ROOT), list(mistake.tests), folder, 1_200.0, quick=False)
        print(f"{verdict.fate}: {mistake.what}  {verdict.noticed_by}", flush=True)
        unnoticed += verdict.fate != "killed"
    print(f"{len(NAMED) - unnoticed} of {len(NAMED)} noticed")
    return unnoticed


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("task", choices=["trace", "named", "hunt"])
    parser.add_argument("--rooms", default=",".join(ROOMS))
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--again", type=Path)
    told = parser.parse_args()
    if told.task == "trace":
        trace()
        return
    if told.task == "named":
        sys.exit(try_named() > 0)
    if told.again:
        left = [json.loads(line) for line in told.again.read_text(encoding="utf-8").splitlines()]
        keys = {(r["path"], r["line"], r["what"]) for r in left if r["fate"] in ("survived", "not reached")}
        files = sorted({path for path, _, _ in keys})
        every = [m for f in files for m in mutants_of(f, (ROOT / f).read_text(encoding="utf-8"))]
        mutants = [m for m in every if (m.path, m.line, m.what) in keys]
    else:
        mutants = choose(told.rooms.split(","), told.count, told.seed)
    run(mutants, told.workers, told.again is None, KEPT / f"results-{time.strftime('%H%M%S')}.jsonl")


if __name__ == "__main__":
    main()
