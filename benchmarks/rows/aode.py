"""AODE, 100,000 x 30 codes of 5 levels, 4 classes, beside Weka, and how both grow with the columns."""

from collections.abc import Iterator
from functools import partial

from bayesfold import AODE
from benchmarks.rows import Options
from benchmarks.sides import fit, predict_proba
from benchmarks.table import Line, Target, at_least, compare
from benchmarks.tree_table import as_arrow, tree_table
from benchmarks.weka import beside, missing, weka

GROWTH = (10, 30, 60, 100)
NOTE = "both with Laplace's 1, from columns that are coded already; "


def run(options: Options) -> Iterator[Line]:
    """Fit and predict_proba; the growth is measured on fewer rows."""
    if missing():
        print(f"row aode is skipped: {missing()}")
        return
    yield from lines(options.rows(100_000), 30, at_least(8), at_least(5))
    for columns in GROWTH:
        yield from lines(options.rows(20_000), columns, None, None, rounds=3)


def lines(
    rows: int, columns: int, fit_target: Target | None, predict_target: Target | None, rounds: int = 5
) -> Iterator[Line]:
    """The two lines of a table's size."""
    X, y = tree_table(rows, columns)
    table, make = as_arrow(X), partial(AODE, alpha=1.0, prior_alpha=1.0)
    ours, shape = make().fit(table, y), f"{rows:,} x {columns}"
    with weka("weka.classifiers.bayes.AODE", X, y) as peer:
        fits = beside(peer, "fit", partial(fit, make, table, y), rounds)
        scores = beside(peer, "predict", partial(predict_proba, ours, table), rounds)
        agreement = compare(ours.predict_proba(table), peer.answers())
    yield Line(f"AODE fit {shape}", "Weka", *fits[:2], fit_target, agreement, note=NOTE + fits[2])
    yield Line(f"AODE predict_proba {shape}", "Weka", *scores[:2], predict_target, agreement, note=NOTE + scores[2])
