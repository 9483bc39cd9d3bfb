"""Log-loss against rows learned as a drawing: a panel for each width, a line for each method."""

from collections.abc import Sequence
from html import escape
from math import ceil, log10
from pathlib import Path

import pandas as pd

from benchmarks.curves.methods import OURS
from benchmarks.curves.show import means

WIDTH, HEIGHT, LEFT, TOP, BELOW, BESIDE = 330, 300, 46, 34, 44, 190
COLOURS = ("#0b6e99", "#8a8a8a", "#d9730d", "#6940a5", "#0f7b6c", "#ad1a72", "#b98900", "#e03e3e", "#64473a")


def draw(results: pd.DataFrame, path: Path) -> None:
    """Write the picture; parts of ours are dotted."""
    widths = list(dict.fromkeys(results.wide))
    tables = {wide: means(results[results.wide == wide], "loss") for wide in widths}
    methods = [m for m in dict.fromkeys(results.method) if any(m in t.index for t in tables.values())]
    style = dict(zip(methods, (COLOURS * 3)[: len(methods)], strict=True))
    top = ceil(9.5 * max(t.loc[OURS].max() for t in tables.values())) / 5  # what is far above would flatten the others
    size = LEFT + len(widths) * (WIDTH + LEFT) + BESIDE, TOP + HEIGHT + BELOW
    shown = 'font-family="sans-serif" font-size="12" role="img" aria-label="log-loss against rows learned"'
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size[0]} {size[1]}" {shown}>',
        f'<rect width="{size[0]}" height="{size[1]}" fill="#ffffff"/>',
    ]
    for k, wide in enumerate(widths):
        out += panel(wide, tables[wide], LEFT + k * (WIDTH + LEFT), top, style)
    for i, (method, colour) in enumerate(style.items()):
        x, y = LEFT + len(widths) * (WIDTH + LEFT), TOP + 12 + 18 * i
        out.append(line(((x, y - 4), (x + 24, y - 4)), method, colour))
        out.append(f'<text x="{x + 30}" y="{y}" fill="#222222">{escape(method)}</text>')
    path.write_text("\n".join([*out, "</svg>", ""]))


def panel(title: str, table: pd.DataFrame, x0: int, top: float, style: dict[str, str]) -> list[str]:
    """One width: the axes, then the lines."""
    sizes = [int(n) for n in table.columns]
    first, last = log10(min(sizes)), max(log10(max(sizes)), log10(min(sizes)) + 1e-9)

    def at(n: int, loss: float) -> tuple[float, float]:
        return x0 + WIDTH * (log10(n) - first) / (last - first), TOP + HEIGHT * (1 - min(loss, top) / top)

    out = [f'<text x="{x0}" y="{TOP - 12}" fill="#222222" font-weight="bold">{escape(in_words(title))}</text>']
    for i in range(5):
        y = TOP + HEIGHT * (1 - i / 4)
        out.append(f'<line x1="{x0}" x2="{x0 + WIDTH}" y1="{y:.0f}" y2="{y:.0f}" stroke="#dddddd"/>')
        out.append(f'<text x="{x0 - 6}" y="{y + 4:.0f}" text-anchor="end" fill="#555555">{top * i / 4:.2f}</text>')
    for n in sizes:
        x = at(n, 0)[0]
        out.append(f'<text x="{x:.0f}" y="{TOP + HEIGHT + 18}" text-anchor="middle" fill="#555555">{n}</text>')
    middle = x0 + WIDTH / 2
    out.append(
        f'<text x="{middle:.0f}" y="{TOP + HEIGHT + 36}" text-anchor="middle" fill="#555555">rows learned</text>'
    )
    for method, colour in style.items():
        if method in table.index:
            out.append(line([at(n, table.loc[method, n]) for n in table.columns], method, colour))
    return out


def in_words(wide: str) -> str:
    """The heading of a panel.

    >>> in_words("noise:50")
    'log-loss with 50 columns of noise'
    """
    how, _, columns = wide.partition(":")
    return f"log-loss with {columns} columns of noise" if how == "noise" else f"log-loss, {wide}"


def line(points: Sequence[tuple[float, float]], method: str, colour: str) -> str:
    """A method's line."""
    places = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    dots = ' stroke-dasharray="2 4"' if method.startswith("part ") else ""
    width = 3.5 if method == OURS else 1.5
    return f'<polyline points="{places}" fill="none" stroke="{colour}" stroke-width="{width}"{dots}/>'
