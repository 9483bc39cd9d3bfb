"""Learning curves of ours, of its parts and of what people use instead.

Usage: python -m benchmarks.curves run  [--out build/curves.jsonl] [--tables sk_wine,pima_diabetes] [--sizes 30,60,125]
                                        [--wide plain,noise:50,shuffled:500] [--seeds 3] [--methods logistic,...]
       python -m benchmarks.curves show [--out build/curves.jsonl] [--picture docs/pictures/curves.svg]

A cell that the file already has is not run again. Processor time, one thread.
"""

import argparse
import json
import sys
from pathlib import Path

from benchmarks.curves.methods import METHODS
from benchmarks.curves.picture import draw
from benchmarks.curves.run import run
from benchmarks.curves.show import read, text
from benchmarks.curves.tables import cut, tables, widened
from benchmarks.public_sets import FOLDER

SIZES = "30,60,125,250,500,1000,2000"


def arguments() -> argparse.Namespace:
    """The command line."""
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("task", choices=("run", "show"))
    ask.add_argument("--out", type=Path, default=Path("build/curves.jsonl"))
    ask.add_argument("--data", type=Path, default=FOLDER)
    ask.add_argument("--tables", default="")
    ask.add_argument("--sizes", default=SIZES)
    ask.add_argument("--wide", default="plain,noise:50,noise:500,shuffled:50,shuffled:500")
    ask.add_argument("--seeds", type=int, default=3)
    ask.add_argument("--methods", default=",".join(METHODS))
    ask.add_argument("--picture", type=Path)
    return ask.parse_args()


def listed(words: str) -> list[str]:
    """The words of an option."""
    return [w for w in words.split(",") if w]


def main() -> None:
    """Run what is lacking, or show what there is."""
    args = arguments()
    if args.task == "show":
        results = read(args.out)
        print(text(results))
        if args.picture:
            draw(results, args.picture)
        return
    unknown = [m for m in listed(args.methods) if m not in METHODS]
    if unknown:
        raise SystemExit(f"there is no method {unknown[0]!r}; there are {', '.join(METHODS)}")
    args.out.parent.mkdir(parents=True, exist_ok=True)
    keys = ("table", "wide", "n", "seed", "method")
    old = args.out.read_text().splitlines() if args.out.exists() else []
    done = {tuple(line[k] for k in keys) for line in map(json.loads, old)}
    with args.out.open("a") as out:
        for n in map(int, listed(args.sizes)):  # all tables at a size before the next: a run may be cut short
            for table in tables(args.data, listed(args.tables)):
                for seed in range(args.seeds):
                    if (both := cut(table, n, seed)) is None:
                        continue
                    for wide in listed(args.wide):
                        how, _, columns = wide.partition(":")
                        lacking = [m for m in listed(args.methods) if (table.name, wide, n, seed, m) not in done]
                        wider = widened(both, how, int(columns or 0), seed) if lacking else both
                        for method in lacking:
                            for result in run(wider, (table.name, wide, n, seed), method):
                                out.write(json.dumps(result.line()) + "\n")
                                said = f"{result.accuracy:.3f} / {result.loss:.3f} in {result.fit:.1f} s"
                                print(f"{n} {table.name} {wide} {seed} {result.method}: {said}", file=sys.stderr)
                            out.flush()


if __name__ == "__main__":
    main()
