"""The page: its style, its skeleton, and its building blocks. Light or dark as the reader's screen, light on paper.

>>> make_table(("a", "b"), [("<", "1")], left=1)
'<div class="wide"><table><thead><tr><th>a</th><th class="n">b</th></tr></thead><tbody><tr><td>&lt;</td>...</div>'
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any

from bayesfold import __version__, plots
from bayesfold.plots._page import FIT, draw_for_pages, title_of

FEW_COLUMNS = 3
"""Columns of a table that fit on a telephone; the lines of a wider one become cards there."""
Part = tuple[str, str, str]
"""A section: its anchor, its title, its body."""


@dataclass
class Page:
    """The figures of a page, collected while its sections are written: each drawn light and dark."""

    figures: list[dict[str, Any]] = field(default_factory=list)

    def picture(self, name: str, numbers: Any, width: int = 0, height: int = 0) -> str:
        """The place of a picture, of its own size or of this one; on a narrow screen it is drawn narrower."""
        both = {key: draw_for_pages(plots.find(name), numbers, key == "dark") for key in ("light", "dark")}
        for figure in both.values():
            figure["layout"] |= {k: v for k, v in (("width", width), ("height", height)) if v}
        self.figures.append(both)
        size = both["light"]["layout"]
        style = f"width:{size['width']}px;height:{size['height']}px"
        label = escape(title_of(size), quote=True)
        return f'<div class="wide"><div class="figure" role="img" aria-label="{label}" style="{style}"></div></div>'


def make_table(header: Sequence[str], lines: Sequence[Sequence[str]], left: int = 1, raw: Sequence[int] = ()) -> str:
    """A table, its first `left` columns flush left; the cells of columns in `raw` are HTML already."""

    def row(cells: Sequence[str], tag: str) -> str:
        sides = ("" if i < left else ' class="n"' for i in range(len(cells)))
        named = (f' data-label="{escape(h, quote=True)}"' if h and tag == "td" and many else "" for h in header)
        inside = (c if i in raw and tag == "td" else escape(c) for i, c in enumerate(cells))
        marks = zip(sides, named, inside, strict=True)
        return "".join(f"<{tag}{side}{name}>{cell}</{tag}>" for side, name, cell in marks)

    many = len(header) > FEW_COLUMNS
    kind = ' class="many"' if many else ""
    body = "".join(f"<tr>{row(line, 'td')}</tr>" for line in lines)
    head = f"<thead><tr>{row(header, 'th')}</tr></thead>"
    return f'<div class="wide"><table{kind}>{head}<tbody>{body}</tbody></table></div>'


def fold_table(header: Sequence[str], lines: Sequence[Sequence[str]], most: int, rest: str) -> str:
    """A table; past `most` lines the others are in one that the reader unfolds."""
    if len(lines) <= most:
        return make_table(header, lines)
    more = f"{len(lines) - most} {escape(rest)}"
    return (
        make_table(header, lines[:most])
        + f"<details><summary>{more}</summary>{make_table(header, lines[most:])}</details>"
    )


def make_bar(share: float, negative: bool = False) -> str:
    """A bar in a cell, as long as the share of the longest."""
    kind = "bar down" if negative else "bar"
    return f'<span class="{kind}" style="width:{max(0.0, min(share, 1.0)) * 100:.1f}%"></span>'


def make_paragraph(words: str) -> str:
    """A paragraph."""
    return f"<p>{escape(words)}</p>"


def make_cards(items: Sequence[tuple[str, str, str]]) -> str:
    """Numbers to see at a glance: name, number, and a line below it."""
    inside = "".join(
        f'<div class="card"><div class="what">{escape(name)}</div><div class="number">{escape(number)}</div>'
        f'<div class="note">{escape(note)}</div></div>'
        for name, number, note in items
    )
    return f'<div class="cards">{inside}</div>'


def render(title: str, lead: str, caption: str, parts: Sequence[Part], sheet: Page) -> bytes:
    """The page as one file; `lead` is the sentence that it begins with."""
    links = "".join(f'<a href="#{anchor}">{escape(name)}</a>' for anchor, name, _ in parts)
    body = "".join(
        f'<section id="{anchor}"><h2>{escape(name)}</h2>{inside}</section>' for anchor, name, inside in parts
    )
    numbers = json.dumps(sheet.figures, allow_nan=False).replace("<", "\\u003c")
    before = (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark">'
        f"<title>{escape(title)}</title><style>{STYLE}</style></head><body>"
        f'<header><h1>{escape(title)}</h1><p class="lead">{escape(lead)}</p><p>{escape(caption)}</p>'
        f"<nav>{links}</nav></header><main>{body}</main>"
        f"<footer>bayesfold {__version__}</footer>"
        f'<script type="application/json" id="figures">{numbers}</script>'
        "<script>"
    )
    return (
        before.encode(errors="replace")
        + plots.script()
        + f"</script><script>{FIT}{DRAW}</script></body></html>\n".encode()
    )


STYLE = """
:root { --ink:#1b1b1b; --faint:#6a6a6a; --paper:#ffffff; --edge:#dadada; --soft:#f4f5f7; --up:#0072B2; --down:#D55E00 }
@media (prefers-color-scheme: dark) {
  :root { --ink:#e8e8e8; --faint:#9aa0a8; --paper:#16181c; --edge:#3a3f47; --soft:#1f2228; --up:#56B4E9;
    --down:#E69F00 } }
@media print {
  :root { --ink:#000; --faint:#555; --paper:#fff; --edge:#ccc; --soft:#f4f5f7; --up:#0072B2; --down:#D55E00 }
  nav { display:none } section { break-before:auto } h2 { break-after:avoid }
  .figure, tr, .card { break-inside:avoid } .wide { overflow:visible } @page { margin:14mm } }
* { box-sizing:border-box }
body { margin:0 auto; max-width:1040px; padding:24px 20px 60px; background:var(--paper); color:var(--ink);
  font:15px/1.5 "DejaVu Sans", Verdana, Arial, sans-serif; -webkit-print-color-adjust:exact; print-color-adjust:exact }
h1 { margin:0 0 4px; font-size:27px; overflow-wrap:anywhere } h2 { margin:44px 0 10px; font-size:20px }
h3 { margin:26px 0 6px; font-size:16px } header p, footer, .note, .what { color:var(--faint) }
p { margin:8px 0; max-width:75ch; overflow-wrap:anywhere } nav { display:flex; flex-wrap:wrap; gap:4px 18px }
a { color:var(--up) } footer { margin-top:50px; font-size:13px }
.lead { font-size:19px; line-height:1.4; color:var(--ink) !important; margin:10px 0 12px }
.wide { overflow-x:auto; margin:10px 0 } .pair > .wide { flex:1 1 340px; min-width:0 }
table { border-collapse:collapse; font-size:13.5px }
th, td { padding:4px 14px 4px 0; border-bottom:1px solid var(--edge); text-align:left; vertical-align:top }
th { color:var(--faint); font-weight:normal; white-space:nowrap } td { max-width:340px; overflow-wrap:break-word }
.n { text-align:right; white-space:nowrap; font-variant-numeric:tabular-nums }
td.bars { min-width:180px } .bar { display:inline-block; height:10px; background:var(--up); border-radius:2px }
.bar.down { background:var(--down) } .rail { display:block; width:180px }
.cards { display:grid; grid-template-columns:repeat(auto-fill, minmax(168px, 1fr)); gap:12px; margin:14px 0 }
.card { background:var(--soft); border:1px solid var(--edge); border-radius:8px; padding:12px 14px }
.number { font-size:25px; font-variant-numeric:tabular-nums } .what, .note { font-size:12.5px }
.pair { display:flex; flex-wrap:wrap; gap:0 16px } details { margin:8px 0 } summary { cursor:pointer; padding:3px 0 }
@media screen and (max-width: 640px) {
  body { padding:16px 14px 40px } h1 { font-size:23px } .lead { font-size:17px } h2 { margin-top:34px }
  nav { gap:10px 20px } .cards { grid-template-columns:repeat(2, minmax(0, 1fr)); gap:8px }
  .card { padding:10px 12px } .rail { width:24vw } table { width:100% } th, th.n { white-space:normal }
  td { max-width:46vw; overflow-wrap:anywhere }  td:first-child { overflow-wrap:break-word }
  table.many thead { display:none } table.many, table.many tbody { display:block }
  table.many tr { display:block; padding:8px 12px; margin:8px 0; background:var(--soft); border:1px solid var(--edge);
    border-radius:8px }
  table.many td { display:flex; gap:16px; justify-content:space-between; max-width:none; padding:3px 0; border:0;
    text-align:right }
  table.many td::before { content:attr(data-label); color:var(--faint); text-align:left; flex:none; max-width:45%;
    overflow-wrap:anywhere }
  table.many td:first-child { font-weight:bold; overflow-wrap:anywhere } table.many td:empty { display:none } }
"""

DRAW = """
const figures = JSON.parse(document.getElementById("figures").textContent);
const places = document.querySelectorAll(".figure");
const dark = window.matchMedia("(prefers-color-scheme: dark)");
function draw(isDark) {
  figures.forEach((figure, i) => {
    const room = places[i].parentElement.clientWidth;
    show(places[i], figure[isDark ? "dark" : "light"], room, 0, {displayModeBar: false});
  });
}
draw(dark.matches);
dark.addEventListener("change", () => draw(dark.matches));
let before = window.innerWidth;
window.addEventListener("resize", () => {
  if (window.innerWidth !== before) { before = window.innerWidth; draw(dark.matches); }
});
window.addEventListener("beforeprint", () => draw(false));
window.addEventListener("afterprint", () => draw(dark.matches));
"""
