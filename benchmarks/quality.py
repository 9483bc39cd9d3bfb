"""Accuracy and log-loss of a classifier on the public folds, beside the peers' published results.

Usage: python -m benchmarks.quality [--data ../shared/data] [--repetitions 1] [--sets iris,car] [--model "NaiveBayes()"]
"""

import argparse
import json
import time
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import bayesfold


def load(folder: Path, name: str, facts: dict[str, Any]) -> tuple[pd.DataFrame, np.ndarray, np.ndarray]:
    """Features (text for categories, numbers for the rest), labels and the folds of each repetition."""
    kinds = {c["name"]: c["type"] for c in facts["columns"]}
    text = {c: str for c, kind in kinds.items() if kind != "numeric"}
    table = pd.read_csv(folder / facts["file"], dtype=text, keep_default_na=False, na_values={c: [""] for c in kinds})
    label = next(c for c, kind in kinds.items() if kind == "label")
    used = [c for c, kind in kinds.items() if kind in ("numeric", "categorical")]
    return table[used], table[label].to_numpy(), pd.read_csv(folder / "folds" / f"{name}.csv.gz").to_numpy()


def evaluate(make: Any, X: pd.DataFrame, y: np.ndarray, fold: np.ndarray, classes: list[str]) -> tuple[float, float]:
    """Accuracy and log-loss over the folds; a row that is not a distribution stops the run."""
    hits = loss = 0.0
    for f in np.unique(fold):
        train, test = fold != f, fold == f
        clf = make().fit(X[train], y[train])
        p = clf.predict_proba(X[test])
        if not (np.isfinite(p).all() and np.allclose(p.sum(1), 1)):
            raise AssertionError("a posterior is not a distribution")
        whole = np.zeros((len(p), len(classes)))
        whole[:, [classes.index(c) for c in clf.classes_]] = p
        truth = np.array([classes.index(c) for c in y[test]])
        hits += (whole.argmax(1) == truth).sum()
        loss -= np.log(np.clip(whole[np.arange(len(p)), truth], 1e-15, 1)).sum()
    return hits / len(y), loss / len(y)


def main() -> None:
    """Print the table."""
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--data", type=Path, default=Path(__file__).resolve().parents[2] / "shared" / "data")
    ask.add_argument("--repetitions", type=int, default=1)
    ask.add_argument("--sets", default="")
    ask.add_argument("--model", default="NaiveBayes()")
    ask.add_argument("--peers", default="sk_mixed,weka_NB,weka_NB_K,weka_NB_D,sk_logreg")
    args = ask.parse_args()
    if not args.data.is_dir():
        raise SystemExit(f"there is no folder {args.data}; name the one with schema.json and folds/ by --data")
    every = json.loads((args.data / "schema.json").read_text())
    peers = pd.read_csv(args.data / "reference_public.csv")
    names = args.sets.split(",") if args.sets else [n for n, s in every.items() if s["rows"] > 100 and not s["n_text"]]

    def make() -> Any:
        return eval(args.model, vars(bayesfold) | {n: getattr(bayesfold, n) for n in bayesfold.__all__})

    rows = {}
    for name in names:
        X, y, folds = load(args.data, name, every[name])
        classes = list(every[name]["columns"][-1]["values"])
        started = time.perf_counter()
        scores = [evaluate(make, X, y, folds[:, r], classes) for r in range(min(args.repetitions, folds.shape[1]))]
        took = time.perf_counter() - started
        line: dict[str, Any] = dict(zip(("acc", "nll"), np.mean(scores, axis=0), strict=True), seconds=took)
        for peer in args.peers.split(","):
            match = peers[(peers.dataset == name) & (peers.method == peer)]
            line[peer] = f"{match.acc.iloc[0]:.3f} / {match.nll.iloc[0]:.3f}" if len(match) else ""
        rows[name] = line
    table = pd.DataFrame(rows).T
    print(table.to_string(float_format="{:.4f}".format))
    print("mean", f"{table.acc.mean():.4f} / {table.nll.mean():.4f}")
    for peer in args.peers.split(","):
        match = peers[peers.dataset.isin(names) & (peers.method == peer)]
        print(f"  {peer:10} {match.acc.mean():.4f} / {match.nll.mean():.4f} on {len(match)} sets")


if __name__ == "__main__":
    main()
