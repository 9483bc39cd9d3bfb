"""Small tables for people: as text in a terminal, as HTML in a notebook.

>>> print(text_table(("model", "cost"), [("arg-max", "0.31"), ("least risk", "0.2")]))
model       cost
arg-max     0.31
least risk   0.2
"""

from collections.abc import Sequence
from unicodedata import category, east_asian_width

Line = Sequence[str]
UNSEEN = ("Mn", "Me", "Cf")
"""Kinds of characters that take no room of their own: accents, and what joins or chooses pictures."""


def text_table(header: Line, lines: Sequence[Line], left: int = 1) -> str:
    """Columns side by side, the first `left` of them flush left, the others flush right."""
    every = [header, *lines]
    wide = [max(width(line[i]) for line in every) for i in range(len(header))]

    def in_print(line: Line) -> str:
        room = [" " * (w - width(c)) for c, w in zip(line, wide, strict=True)]
        return "  ".join(c + r if i < left else r + c for i, (c, r) in enumerate(zip(line, room, strict=True))).rstrip()

    return "\n".join(map(in_print, every))


def width(text: str) -> int:
    """Columns that a text takes in a terminal: Chinese letters and pictures take two, accents none.

    >>> width("age"), width("年龄"), width("🙂")
    (3, 4, 2)
    """
    if text.isascii():
        return len(text)
    return sum(0 if category(c) in UNSEEN else 2 if east_asian_width(c) in "WF" else 1 for c in text)


def html_table(header: Line, lines: Sequence[Line], left: int = 1, caption: str = "") -> str:
    """The same as HTML, without a colour of its own, so that it suits dark pages and light ones.

    >>> html_table(("a",), [("<1",)])
    '<table><thead><tr><th style="text-align:left">a</th></tr></thead><tbody><tr><td style=...>&lt;1</td>...</table>'
    """
    from html import escape  # with a table of every named character, which terminals do without

    def row(line: Line, tag: str) -> str:
        sides = ("left" if i < left else "right" for i in range(len(line)))
        return "".join(
            f'<{tag} style="text-align:{side}">{escape(cell)}</{tag}>' for cell, side in zip(line, sides, strict=True)
        )

    body = "".join(f"<tr>{row(line, 'td')}</tr>" for line in lines)
    above = f"<caption>{escape(caption)}</caption>" if caption else ""
    return f"<table>{above}<thead><tr>{row(header, 'th')}</tr></thead><tbody>{body}</tbody></table>"
