"""Accuracy and log-loss of classifiers on the public folds, beside the peers' published results.

Usage: python -m benchmarks.quality --model "NaiveBayes()" --model "BayesClassifier()" [--boosting] [--sets iris,car]
       [--repetitions 1] [--data ../shared/data]

A model's own estimate is the held-out log-loss that it reports after learning (`report_.loss`), and the gap is how far
that is above the log-loss of the test rows. The published results are means over more repetitions (their `protocol`)
than are usually run here; boosting, when asked for, learns on the same rows as the models.
"""

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import bayesfold
from benchmarks.public_sets import FOLDER, Boosting, PublicSet, described, load, tabular
from benchmarks.standing import DRAW, against, mean_ranks, ranked

BOOSTING = "boosting .05"


def evaluate(make: Callable[[], Any], data: PublicSet, repetitions: int) -> dict[str, float]:
    """Means over the folds of every repetition; a row that is not a distribution stops the run."""
    hits, losses, estimates = [], [], []
    started = time.perf_counter()
    for fold in data.folds.T[:repetitions]:
        for f in np.unique(fold):
            train, test = fold != f, fold == f
            clf = make().fit(data.X[train], data.y[train])
            p = clf.predict_proba(data.X[test])
            if not (np.isfinite(p).all() and np.allclose(p.sum(1), 1)):
                raise AssertionError("a posterior is not a distribution")
            whole = np.zeros((len(p), len(data.classes)))
            whole[:, [data.classes.index(c) for c in clf.classes_]] = p
            truth = np.array([data.classes.index(c) for c in data.y[test]])
            hits.append(whole.argmax(1) == truth)
            losses.append(-np.log(np.clip(whole[np.arange(len(p)), truth], 1e-15, 1)))
            estimates.append(np.full(len(p), getattr(getattr(clf, "report_", None), "loss", np.nan)))
    acc, nll, estimate = (float(np.concatenate(rows).mean()) for rows in (hits, losses, estimates))
    took = time.perf_counter() - started
    return {"acc": acc, "nll": nll, "estimate": estimate, "gap": estimate - nll, "seconds": took}


def arguments() -> argparse.Namespace:
    """The command line."""
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--data", type=Path, default=FOLDER)
    ask.add_argument("--repetitions", type=int, default=1, help="of the folds (default: %(default)s)")
    ask.add_argument("--sets", default="", help="which, separated by commas (default: every table, the smallest first)")
    ask.add_argument("--model", action="append", help="an expression such as 'AODE(combine=\"pool\")'; may be repeated")
    ask.add_argument("--boosting", action="store_true", help="also HistGradientBoosting(learning_rate=.05)")
    ask.add_argument("--peers", default="weka_AODE,weka_TAN,sk_logreg,sk_HGB", help="shown set by set")
    return ask.parse_args()


def model_of(expression: str) -> Callable[[], Any]:
    """What makes the model that an expression names, once for each fold."""
    known = vars(bayesfold) | {name: getattr(bayesfold, name) for name in bayesfold.__all__}
    return lambda: eval(expression, known)


def show(model: str, ours: pd.DataFrame, peers: pd.DataFrame, beside: list[str]) -> None:
    """Print a model's results set by set, then where it stands."""
    table = ours.dropna(axis="columns", how="all")
    for peer in beside:
        its = peers[peers.method == peer].set_index("dataset").reindex(ours.index)
        both = zip(its.acc, its.nll, strict=True)
        table = table.assign(**{peer: ["" if np.isnan(a) else f"{a:.3f} / {n:.3f}" for a, n in both]})
    print(f"\n{model}\n{table.to_string(float_format='{:.4f}'.format)}")
    print(f"mean accuracy / log-loss: {ours.acc.mean():.4f} / {ours.nll.mean():.4f} on {len(ours)} sets")
    if ours.gap.notna().any():
        print(f"mean absolute gap between its own estimate and the test log-loss: {ours.gap.abs().mean():.4f}")
    ranks = mean_ranks(ours, peers)
    print(f"mean rank among {ranked(ours, peers)}: accuracy {ranks['acc']:.2f}, log-loss {ranks['nll']:.2f}")
    print(f"wins / draws (less than {DRAW} apart) / losses:")
    print(against(ours, peers).to_string(float_format="{:.4f}".format))


def main() -> None:
    """Run every model on every set, one line each on stderr, then print the tables."""
    args = arguments()
    every = described(args.data)
    peers = pd.read_csv(args.data / "reference_public.csv")
    names = args.sets.split(",") if args.sets else tabular(every)
    unknown = [name for name in names if name not in every]
    if unknown:
        raise SystemExit(f"there is no set {unknown[0]!r}; choose from {', '.join(tabular(every))}")
    models: dict[str, Callable[[], Any]] = {m: model_of(m) for m in args.model or ["NaiveBayes()"]}
    if args.boosting:
        models = {BOOSTING: Boosting} | models
    results: dict[str, dict[str, dict[str, float]]] = {model: {} for model in models}
    for i, name in enumerate(names):
        data = load(args.data, name, every[name])
        for model, make in models.items():
            line = results[model][name] = evaluate(make, data, args.repetitions)
            said = f"{line['acc']:.4f} / {line['nll']:.4f} in {line['seconds']:.1f} s"
            print(f"{i + 1}/{len(names)} {name:14} {model:40} {said}", file=sys.stderr, flush=True)
    tables = {model: pd.DataFrame.from_dict(lines, orient="index") for model, lines in results.items()}
    for model, ours in tables.items():
        others = peers
        if args.boosting and model != BOOSTING:
            same = tables[BOOSTING].rename_axis("dataset").reset_index().assign(method=BOOSTING)
            others = pd.concat([peers, same], ignore_index=True)
        show(model, ours, others, args.peers.split(",") + [BOOSTING] * (others is not peers))


if __name__ == "__main__":
    main()
