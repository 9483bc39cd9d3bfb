"""Plant mistakes and count those that the tests notice.

python -m tests.mutants trace                              which tests run which line; goes on if cut off
python -m tests.mutants lines --rooms cli,io [--every]     which lines no test runs, and how many by package
python -m tests.mutants hunt --rooms tally,families --count 40 --seed 0 [--workers 2]      at random; goes on if cut off
python -m tests.mutants hunt --seed 0 --last 60            ... every case that reaches a survivor for a minute, not four
python -m tests.mutants hunt --seed 0 --again              those that survived, asked again with today's tests
python -m tests.mutants hunt --seed 0 --again --rooms store --tests tests/store/export     ... with every case of these
python -m tests.mutants named                              those that the tests once did not notice
"""

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path

from tests.mutants.draw import ROOMS, counts_of, draw_mutants
from tests.mutants.hunt import LAST, compile_modules, copy_tree, hunt_with, load_libraries, read_lines
from tests.mutants.lines import ROOT, trace
from tests.mutants.named import NAMED
from tests.mutants.not_run import summary
from tests.mutants.plant import Mutant
from tests.mutants.results import NOTICED, OPEN, UNNOTICED, append_result, read_results, results_of, summarise
from tests.mutants.worker import begin, work, work_last


def hunt_all(
    drawn: dict[str, Mutant], workers: int, again: bool, file: Path, tests: tuple[str, ...] = (), last: float = LAST
) -> None:
    """Hunt the mutants on which there is no verdict yet (again: also those that survived), and print room by room.

    First the tests that are near and quick are asked about all mutants, then every case about those that are left, for
    `last` seconds each; with last=0 they stay open.
    """
    known = read_results(file)
    waiting = {i: m for i, m in drawn.items() if i not in known or (again and known[i]["fate"] in UNNOTICED)}
    compile_modules()
    with ProcessPoolExecutor(workers, get_context("spawn"), begin, (tests,)) as pool:
        for task in (work, partial(work_last, last)) if last else (work,):
            for verdict in pool.map(task, waiting.items()):
                append_result(file, verdict)
                if verdict["fate"] not in NOTICED:
                    print(f"{verdict['fate']}: {verdict['path']}:{verdict['line']} {verdict['what']}", flush=True)
            known = read_results(file)
            waiting = {i: m for i, m in drawn.items() if known[i]["fate"] == OPEN}
    print(summarise([known[identity] for identity in drawn]))


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
    parser.add_argument("task", choices=["trace", "lines", "named", "hunt"])
    parser.add_argument("--rooms", default=",".join(ROOMS), help="each may say how many: tally:5,networks:30")
    parser.add_argument("--count", type=int, default=40, help="mutants of each room that does not say how many")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--again", action="store_true", help="ask those that survived once more")
    parser.add_argument("--last", type=float, default=LAST, help="seconds for every case that reaches a survivor")
    parser.add_argument("--tests", nargs="+", default=(), help="ask every case of these, and no others")
    parser.add_argument("--fresh", action="store_true", help="trace every folder of tests anew")
    parser.add_argument("--every", action="store_true", help="trace every case of all tests, or tell its lines")
    told = parser.parse_args()
    if told.task == "trace":
        trace(told.fresh, told.every)
        return
    if told.task == "lines":
        print(summary(read_lines(told.every), tuple(told.rooms.split(","))))
        return
    if told.task == "named":
        sys.exit(try_named() > 0)
    drawn = draw_mutants(counts_of(told.rooms, told.count), told.seed)
    hunt_all(drawn, told.workers, told.again, results_of(told.seed), tuple(told.tests), told.last)


if __name__ == "__main__":
    main()
