"""Small tables for people: as text in a terminal, as HTML in a notebook.

>>> print(text_table(("model", "cost"), [("arg-max", "0.31"), ("least risk", "0.2")]))
model       cost
arg-max     0.31
least risk   0.2
"""

from collections.abc import Sequence
from html import escape

Line = Sequence[str]


def text_table(header: Line, lines: Sequence[Line], left: int = 1) -> str:
    """Columns side by side, the first `left` of them flush left, the others flush right."""
    every = [header, *lines]
    wide = [max(len(line[i]) for line in every) for i in range(len(header))]

    def in_print(line: Line) -> str:
        cells = (c.ljust(w) if i < left else c.rjust(w) for i, (c, w) in enumerate(zip(line, wide, strict=True)))
        return "  ".join(cells).rstrip()

    return "\n".join(map(in_print, every))


def html_table(header: Line, lines: Sequence[Line], left: int = 1, caption: str = "") -> str:
    """The same as HTML, without a colour of its own, so that it suits dark pages and light ones.

    >>> html_table(("a",), [("<1",)])
    '<table><thead><tr><th style="text-align:left">a</th></tr></thead><tbody><tr><td style=...>&lt;1</td>...</table>'
    """

    def row(line: Line, tag: str) -> str:
        sides = ("left" if i < left else "right" for i in range(len(line)))
        return "".join(
            f'<{tag} style="text-align:{side}">{escape(cell)}</{tag}>' for cell, side in zip(line, sides, strict=True)
        )

    body = "".join(f"<tr>{row(line, 'td')}</tr>" for line in lines)
    above = f"<caption>{escape(caption)}</caption>" if caption else ""
    return f"<table>{above}<thead><tr>{row(header, 'th')}</tr></thead><tbody>{body}</tbody></table>"
