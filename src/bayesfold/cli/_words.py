"""What is printed: results to standard output, as text or as JSON; remarks to standard error.

Colours and bars are for terminals; click drops them in a pipe.
"""

import json
import math
import os
import shutil
import sys
from collections.abc import Sequence
from itertools import zip_longest
from typing import Any

import click

from bayesfold.cli._advice import translate_advice
from bayesfold.runtime.text_table import text_table, width

Line = Sequence[str]


def say(text: str = "") -> None:
    """A line of the result. If nobody reads any more, the work still goes on: a model is to be written."""
    try:
        click.echo(text)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def require_output() -> None:
    """Refuse to begin where standard output is closed, and all that is made would be lost."""
    from bayesfold.cli._main import CLOSED

    if "stdout" in CLOSED:
        raise ValueError("standard output is closed, and the answers were to go there; name a file with -o")


def remark(text: str) -> None:
    """A line beside the result: what was done, or what to know."""
    click.echo(text, err=True)


def warn(text: str) -> None:
    """A remark that should not be overlooked; what the library says to programmers is translated."""
    click.echo(f"{click.style('note:', fg='yellow', bold=True)} {translate_advice(text)}", err=True)


def note(text: str) -> None:
    """A line of the result in prose, broken between words where the terminal ends."""
    for line in break_lines(text, shutil.get_terminal_size().columns) if is_terminal() else [text]:
        say(line)


def break_lines(text: str, room: int) -> list[str]:
    """A text in lines that fit.

    >>> break_lines("what the others say besides", 12)
    ['what the', 'others say', 'besides']
    """
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".lstrip()
        if lines[-1] and width(longer) > room:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def print_title(text: str) -> None:
    """A heading, with room above it, broken between words where the terminal ends."""
    lines = break_lines(text, shutil.get_terminal_size().columns) if is_terminal() else [text]
    say("\n" + "\n".join(click.style(line, bold=True) for line in lines))


def print_table(
    header: Line, lines: Sequence[Line], left: int = 1, most: int | None = None, bars: Sequence[str] = ()
) -> None:
    """A table, with a bar behind each line if there are any; past `most` lines only their number."""
    shown = [[cell.replace("\n", "⏎") for cell in line] for line in (lines if most is None else list(lines)[:most])]
    head, *body = text_table(header, shown, left).split("\n")
    room = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
    say(click.style(cut_line(head, room), dim=True))
    for line, drawn in zip_longest(body, bars[: len(body)], fillvalue=""):
        say(f"{cut_line(line, room)}  {drawn}" if drawn else cut_line(line, room))
    if len(shown) < len(lines):
        say(click.style(f"and {len(lines) - len(shown):,} more", dim=True))


def cut_line(line: str, room: int | None) -> str:
    """A line cut where the terminal ends."""
    if room is None or width(line) <= room:
        return line
    while width(line) > room - 1:
        line = line[: len(line) - max(1, (width(line) - room) // 2)]
    return line + "…"


def draw_bar(share: float, most: int = 20) -> str:
    """A bar for a terminal: green to the right, red where the number is below 0."""
    length = round(most * min(abs(share), 1.0))
    return click.style("━" * length, fg="green" if share >= 0 else "red")


def is_terminal() -> bool:
    """Whether a person sees the result as it comes."""
    return sys.stdout.isatty()


def print_json(value: Any) -> None:
    """One JSON document; NaN and infinity, which JSON does not have, are null."""
    click.echo(json.dumps(to_json(value), ensure_ascii=False, indent=2 if is_terminal() else None, allow_nan=False))


def to_json(value: Any) -> Any:
    """Values as JSON has them.

    >>> to_json({"a": (1.5, float("nan")), 2: None})
    {'a': [1.5, None], '2': None}
    """
    if isinstance(value, dict):
        return {str(k): to_json(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [to_json(v) for v in value]
    if hasattr(value, "tolist"):
        return to_json(value.tolist())
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value if value is None or isinstance(value, str | bool | int) else str(value)


def count_things(n: int, what: str, plural: str = "") -> str:
    """A number of things.

    >>> count_things(1, "row"), count_things(2_500, "row"), count_things(2, "class", "classes")
    ('1 row', '2,500 rows', '2 classes')
    """
    return f"{n:,} {what if n == 1 else plural or what + 's'}"
