"""Results as tables (means by n, wins, draws and losses) and as a picture of curves."""

from pathlib import Path

import pandas as pd

from benchmarks.curves.methods import OURS

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
    return "\n".join(out)


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


def picture(results: pd.DataFrame, path: Path) -> None:
    """Log-loss against rows learned, a panel for each width, one line for each method."""
    from plotly.subplots import make_subplots

    widths = list(dict.fromkeys(results.wide))
    figure = make_subplots(1, len(widths), subplot_titles=widths, shared_yaxes=True)
    colours = ["#0b6e99", "#999999", "#d9730d", "#6940a5", "#0f7b6c", "#ad1a72", "#dfab01", "#e03e3e", "#64473a"]
    shown = list(dict.fromkeys(results.method))
    for k, wide in enumerate(widths, 1):
        table = means(results[results.wide == wide], "loss")
        for method, colour in zip(shown, colours * 3, strict=False):
            if method not in table.index:
                continue
            line = {
                "color": colour,
                "width": 4 if method == OURS else 2,
                "dash": "dot" if "part" in method else "solid",
            }
            figure.add_scatter(
                x=list(table.columns), y=table.loc[method].tolist(), name=method, line=line, legendgroup=method,
                showlegend=k == 1, mode="lines+markers", row=1, col=k,
            )  # fmt: skip
    figure.update_xaxes(type="log", title="rows learned")
    figure.update_yaxes(title="log-loss", col=1)
    figure.update_layout(template="plotly_white", width=480 * len(widths) + 160, height=520, margin={"t": 50, "l": 60})
    if path.suffix == ".html":
        figure.write_html(path)
    else:
        figure.write_image(path, scale=2)


def read(path: Path) -> pd.DataFrame:
    """The results in a file; the last of several runs of the same cell counts."""
    lines = pd.read_json(path, lines=True)
    return lines.drop_duplicates(["table", "wide", "n", "seed", "method"], keep="last")
