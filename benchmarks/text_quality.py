"""Accuracy and log-loss on the public sets of text, on their folds, beside scikit-learn.

Usage: python -m benchmarks.text_quality [--model "TextClassifier(analyzer='char_wb', ngram_range=(2, 5))"]
       [--repetitions 2] [--data ../shared/data]
"""

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline

from benchmarks.public_sets import FOLDER, described
from benchmarks.quality import model_of

OURS = (
    "TextClassifier()",
    "TextClassifier(model='multinomial', weights=None, calibration='temperature')",
    "TextClassifier(model='multinomial', alpha=1.0, weights=None)",
)
PEERS: dict[str, Callable[[], Any]] = {
    "CountVectorizer + MultinomialNB": lambda: make_pipeline(CountVectorizer(), MultinomialNB()),
    "TfidfVectorizer + LogisticRegression": lambda: make_pipeline(TfidfVectorizer(), LogisticRegression(C=30)),
}


def judged(make: Callable[[], Any], docs: Any, y: Any, folds: Any) -> tuple[float, float, float]:
    """Accuracy, log-loss and processor seconds over the folds of every repetition."""
    hits, losses, started = [], [], time.process_time()
    for fold in folds.T:
        for f in np.unique(fold):
            train, test = fold != f, fold == f
            clf = make().fit(docs[train], y[train])
            p = clf.predict_proba(docs[test])
            truth = np.searchsorted(clf.classes_, y[test])
            hits.append(p.argmax(1) == truth)
            losses.append(-np.log(np.clip(p[np.arange(len(p)), truth], 1e-15, 1)))
    return float(np.concatenate(hits).mean()), float(np.concatenate(losses).mean()), time.process_time() - started


def main() -> None:
    """Print a line for each set and model."""
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--data", type=Path, default=FOLDER)
    ask.add_argument("--repetitions", type=int, default=2)
    ask.add_argument("--model", action="append", help="an expression; may be repeated")
    told = ask.parse_args()
    every = described(told.data)
    models = {model: model_of(model) for model in told.model or OURS}
    for name in (name for name, facts in every.items() if facts["n_text"]):
        table = pd.read_csv(told.data / every[name]["file"], keep_default_na=False)
        folds = pd.read_csv(told.data / "folds" / f"{name}.csv.gz").to_numpy()[:, : told.repetitions]
        docs, y = table["text"].to_numpy(object), table.iloc[:, -1].to_numpy(object)
        print(f"\n{name}: {len(y):,} documents, {folds.shape[1]} x {folds.max() + 1} folds")
        for model, make in {**models, **PEERS}.items():
            acc, loss, seconds = judged(make, docs, y, folds)
            print(f"  accuracy {acc:.4f}  log-loss {loss:.4f}  {seconds:6.1f} s  {model}", flush=True)


if __name__ == "__main__":
    main()
