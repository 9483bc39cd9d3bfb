"""Drawings as SVG text: boxes, arrows, bars and curves in one style, readable on light and on dark pages."""

import math
from collections.abc import Iterable, Sequence
from html import escape

STYLE = """
text { font: 14px system-ui, "Segoe UI", "Noto Sans", "PingFang SC", "Noto Sans CJK SC", sans-serif; fill: #1b1f24 }
.small { font-size: 12px } .strong { font-weight: 600 } .title { font-size: 16px; font-weight: 600 }
.card { fill: #ffffff } .box { fill: #f3f6f9; stroke: #57606a; stroke-width: 1.2 }
.seen { fill: #ffd8a8; stroke: #57606a; stroke-width: 1.2 } .line { stroke: #57606a; fill: none; stroke-width: 1.4 }
.grid { stroke: #d5dae0 } .head { fill: #57606a } .for { fill: #0b6bb5 } .against { fill: #c2571a }
.rest { fill: #9aa4af } .for-line { stroke: #0b6bb5; fill: none; stroke-width: 2.2 }
.against-line { stroke: #c2571a; fill: none; stroke-width: 2.2 }
.rest-line { stroke: #7c8793; fill: none; stroke-width: 2.2; stroke-dasharray: 6 4 }
@media (prefers-color-scheme: dark) {
  text { fill: #e6e9ed } .card { fill: #16191d } .box { fill: #23282e; stroke: #9aa4af }
  .seen { fill: #6b4312; stroke: #9aa4af } .line { stroke: #9aa4af } .grid { stroke: #363c44 } .head { fill: #9aa4af }
  .for { fill: #4aa3e8 } .against { fill: #f0883e } .for-line { stroke: #4aa3e8 } .against-line { stroke: #f0883e }
}
"""
R = 24.0
"""Half the height of a node."""


def svg(width: float, height: float, title: str, parts: Iterable[str]) -> str:
    """A drawing on a card of its own."""
    size = f'width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}"'
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">\n<title>{escape(title)}</title>\n'
        f"<style>{STYLE}</style>\n"
        f'<rect class="card" width="{width:g}" height="{height:g}" rx="8"/>\n{body}\n</svg>\n'
    )


def text(x: float, y: float, said: str, anchor: str = "start", kind: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" class="{kind}">{escape(said)}</text>'


def bar(x: float, y: float, width: float, height: float, kind: str) -> str:
    return f'<rect class="{kind}" x="{x:.1f}" y="{y:.1f}" width="{max(width, 0):.1f}" height="{height:.1f}"/>'


def box(x: float, y: float, lines: Sequence[str], width: float = 120, kind: str = "box") -> str:
    """Lines of text in a box around (x, y), the first of them strong."""
    height = 14 + 18 * len(lines)
    corner = f'x="{x - width / 2:.1f}" y="{y - height / 2:.1f}"'
    frame = f'<rect class="{kind}" {corner} width="{width:g}" height="{height}" rx="7"/>'
    top = y - height / 2 + 20
    words = [text(x, top + 18 * i, line, "middle", "small" if i else "strong") for i, line in enumerate(lines)]
    return "\n".join([frame, *words])


def arrow(start: tuple[float, float], end: tuple[float, float], kind: str = "line") -> str:
    """A straight line with a head at its end."""
    (x0, y0), (x1, y1) = start, end
    angle = math.atan2(y1 - y0, x1 - x0)
    back = [(x1 - 10 * math.cos(angle + turn), y1 - 10 * math.sin(angle + turn)) for turn in (0.4, -0.4)]
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in [(x1, y1), *back])
    shaft = (x1 - 8 * math.cos(angle), y1 - 8 * math.sin(angle))
    line = f'<path class="{kind}" d="M{x0:.1f} {y0:.1f}L{shaft[0]:.1f} {shaft[1]:.1f}"/>'
    return f'{line}<polygon class="head" points="{points}"/>'


def curve(points: Iterable[tuple[float, float]], kind: str) -> str:
    return f'<path class="{kind}" d="M' + "L".join(f"{x:.1f} {y:.1f}" for x, y in points) + '"/>'


def edge_of(
    at: tuple[float, float], towards: tuple[float, float], width: float, square: bool = False
) -> tuple[float, float]:
    """Where a line from the middle of a node leaves it."""
    dx, dy = towards[0] - at[0], towards[1] - at[1]
    if square:
        scale = 9 / max(abs(dx), abs(dy))
    else:
        scale = 1 / math.hypot(dx / width, dy / R)
    return at[0] + dx * scale, at[1] + dy * scale


def graph(
    nodes: dict[str, tuple[float, float]],
    edges: Iterable[tuple[str, str]],
    seen: Iterable[str] = (),
    squares: Iterable[str] = (),
    directed: bool = True,
) -> list[str]:
    """Variables as ellipses, factors as squares, and arrows or lines between them; what is observed is filled."""
    seen, squares = set(seen), set(squares)
    width = {name: max(R, 5 + 4.2 * len(name)) for name in nodes}
    parts = []
    for a, b in edges:
        start = edge_of(nodes[a], nodes[b], width[a], a in squares)
        end = edge_of(nodes[b], nodes[a], width[b], b in squares)
        parts.append(arrow(start, end) if directed else curve([start, end], "line"))
    for name, (x, y) in nodes.items():
        kind = "seen" if name in seen else "box"
        if name in squares:
            parts.append(bar(x - 9, y - 9, 18, 18, "head"))
        else:
            parts.append(f'<ellipse class="{kind}" cx="{x:.1f}" cy="{y:.1f}" rx="{width[name]:.1f}" ry="{R:g}"/>')
            parts.append(text(x, y + 5, name.strip(), "middle"))
    return parts
