"""What the demonstration prints with: headings, tables side by side, and a word while it works."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from click import echo, style

from bayesfold.runtime.text_table import width

WIDTH = 100
GAP = "    "


def show(text: str = "") -> None:
    """Print a text; its colours are left out where no terminal shows them."""
    echo(text)


def show_heading(text: str) -> None:
    """Print the title of a part, after an empty line."""
    show(f"\n{style(text, bold=True)} {style('─' * (WIDTH - 1 - width(text)), fg='cyan')}")


@contextmanager
def working(what: str) -> Iterator[None]:
    """Say in a terminal what is being done, until it is done."""
    terminal = sys.stdout.isatty()
    if terminal:
        echo(f"{what} ...", nl=False)
        sys.stdout.flush()
    try:
        yield
    finally:
        if terminal:
            echo("\r\x1b[K", nl=False)


def indent(text: str) -> str:
    """The text, its lines two spaces further in.

    >>> indent("a\\nb").splitlines()
    ['  a', '  b']
    """
    return "\n".join(f"  {line}".rstrip() for line in text.splitlines())


def put_beside(left: str, right: str) -> str:
    """Two texts, one beside the other.

    >>> put_beside("ab\\nc", "x\\ny\\nz").splitlines()
    ['ab    x', 'c     y', '      z']
    """
    first, second = left.splitlines(), right.splitlines()
    lines = max(len(first), len(second))
    wide = max(map(width, first), default=0)
    first, second = (part + [""] * (lines - len(part)) for part in (first, second))
    return "\n".join(f"{a}{' ' * (wide - width(a))}{GAP}{b}".rstrip() for a, b in zip(first, second, strict=True))
