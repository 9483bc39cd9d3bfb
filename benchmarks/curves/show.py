"""Results as tables: means by n; wins, draws and losses; what ours says of itself; how long it takes."""

from pathlib import Path

import pandas as pd

from benchmarks.curves.methods import DEFAULT_BOOSTING, OURS

LEAST_ROWS = 60
DRAW = {"accuracy": 0.005, "loss": 0.01}
"""Nearer than this, two methods are even."""


def text(results: pd.DataFrame) -> str:
    """Means over tables and seeds for each n, then how often ours wins, draws and loses against each, by n."""
    out = []
    for wide, some in results.groupby("wide", sort=False):
        out.append(f"== {wide} ==")
        for measure in ("accuracy", "loss", "fit"):
            out.append(f"mean {measure} by rows learned (tables that every method has at that n)")
            out.append(means(some, measure).to_string(float_format="{:.3f}".format))
        for measure in ("accuracy", "loss"):
            out.append(f"{OURS} by {measure}: wins / draws (within {DRAW[measure]}) / losses")
            out.append(standing(some, measure).to_string())
        ours = some[some.method == OURS]
        gap = (ours.estimate - ours.loss).groupby(ours.n).agg(["mean", lambda g: g.abs().mean()])
        gap.columns = ["mean", "mean absolute"]
        out.append("own estimate less truth, nats")
        out.append(gap.to_string(float_format="{:+.3f}".format))
        holds = ((ours.low <= ours.loss) & (ours.loss <= ours.high))[ours.low.notna()]
        if len(holds):
            out.append(f"own interval holds the truth in {holds.mean():.0%} of {len(holds)} cells")
        out.append(against_parts(some))
        out.append(times(some))
    return "\n".join(filter(None, out))


def against_parts(some: pd.DataFrame) -> str:
    """How often, from 60 rows on, ours is more than .01 above the best of its own parts, in the mean over seeds."""
    cells = some[some.n >= LEAST_ROWS].groupby(["table", "n", "method"]).loss.mean().unstack()
    own = [method for method in cells.columns if method.startswith("part ")]
    if not own or OURS not in cells:
        return ""
    above = (cells[OURS] - cells[own].min(axis=1)).dropna()
    worst = f"at most {above.max():.3f} above ({', '.join(map(str, above.idxmax()))})"
    return f"more than .01 above the best of its parts in {(above > 0.01).sum()} of {len(above)} cells, {worst}"


def times(some: pd.DataFrame) -> str:
    """How many times as long as boosting's defaults ours learns and answers: in the median cell, and in the worst."""
    found = []
    for what in ("fit", "predict"):
        cells = some.pivot_table(index=["table", "n", "seed"], columns="method", values=what)
        if DEFAULT_BOOSTING in cells and OURS in cells:
            ratio = (cells[OURS] / cells[DEFAULT_BOOSTING]).dropna()
            found.append(f"{what} {ratio.median():.1f} in the median cell, {ratio.max():.1f} in the worst")
    return f"times as long as boosting's defaults: {'; '.join(found)}" if found else ""


def means(some: pd.DataFrame, measure: str) -> pd.DataFrame:
    """[method, n]: means over the cells that every method has."""
    cells = some.pivot_table(index=["table", "n", "seed"], columns="method", values=measure)
    return cells.dropna(axis=1, thresh=max(1, len(cells) // 2)).dropna().groupby("n").mean().T


def standing(some: pd.DataFrame, measure: str) -> pd.DataFrame:
    """[method, n]: "wins / draws / losses" of ours, a table being its mean over seeds."""
    cells = some.groupby(["table", "n", "method"])[measure].mean().unstack()
    better = 1 if measure == "accuracy" else -1
    lines = {}
    for method in cells.columns.drop(OURS):
        d = better * (cells[OURS] - cells[method]).dropna()
        counts = pd.DataFrame({"w": d > DRAW[measure], "d": d.abs() <= DRAW[measure], "l": d < -DRAW[measure]})
        lines[method] = counts.groupby("n").sum().apply(lambda r: f"{r.w} / {r.d} / {r.l}", axis=1)
    return pd.DataFrame(lines).T


def read(path: Path) -> pd.DataFrame:
    """The results in a file; the last of several runs of the same cell counts."""
    lines = pd.read_json(path, lines=True)
    return lines.drop_duplicates(["table", "wide", "n", "seed", "method"], keep="last")
