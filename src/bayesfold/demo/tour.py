"""Scenes played in a terminal: prose is printed, code is shown, run, and answered as Python's prompt answers."""

from contextlib import redirect_stdout
from doctest import DocTestParser, Example
from io import StringIO
from time import perf_counter
from typing import Any

import click

from bayesfold.demo.scenes import Scene
from bayesfold.runtime.waiting import waiting

SLOW = 0.05
"""Seconds from which a line of code says how long it took."""
WIDTH = 100


def play(scene: Scene, number: int, names: dict[str, Any]) -> bool:
    """Play a scene with the names that earlier ones have defined; False when a check in it came out False."""
    title = f"{number}  {scene.title} "
    click.secho(f"\n{title}{'─' * (WIDTH - len(title))}", fg="cyan", bold=True)
    sound = True
    for part in DocTestParser().parse(scene.text):
        if isinstance(part, Example):
            sound &= run(part.source, names)
        elif part.strip():
            click.echo(f"\n{part.strip()}\n")
    return sound


def run(source: str, names: dict[str, Any]) -> bool:
    """Show a statement, run it, and print what Python's prompt would; False when it answers False."""
    first, *others = source.rstrip("\n").split("\n")
    click.secho("\n".join([f"  >>> {first}", *(f"  ... {line}" for line in others)]), fg="yellow")
    said = StringIO()
    begin = perf_counter()
    with waiting("working"), redirect_stdout(said):
        exec(compile(source, "<tour>", "single"), names)  # "single": an expression prints its value
    took = perf_counter() - begin
    answer = said.getvalue().rstrip("\n")
    if answer:
        click.echo("\n".join(f"  {line}" for line in answer.split("\n")))
    if took >= SLOW:
        click.secho(f"  # {took * 1e3:,.0f} ms" if took < 1 else f"  # {took:,.1f} s", dim=True)
    return answer != "False"
