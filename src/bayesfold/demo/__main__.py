"""`python -m bayesfold.demo`."""

import argparse
import sys
from collections.abc import Sequence
from io import TextIOWrapper
from time import perf_counter

import click

import bayesfold
from bayesfold.demo.scenes import SCENES
from bayesfold.demo.tour import play

IDEA = """\
A Bayesian classifier is computed from counts and sums over rows.
Sums add: learning more rows, or merging two models, equals one fit of all the rows.
Sums subtract: rows are forgotten exactly, and any row is scored as if it had never been seen."""
NEXT = """\
Next, with a table of your own: bayesfold fit table.csv --target NAME
(bayesfold demo --table FILE writes a table to play with; bayesfold demo --web opens the browser).
README.md goes on from here."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Play the scenes; 1 when a check failed, 130 when interrupted."""
    parser = argparse.ArgumentParser(prog="python -m bayesfold.demo", description="What bayesfold does.")
    parser.add_argument("--rows", type=int, default=1_000_000, help="size of the generated table (at least 1,000)")
    rows = max(parser.parse_args(arguments).rows, 1_000)
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a pipe that cannot carry a line shows question marks
    begin = perf_counter()
    click.secho(f"bayesfold {bayesfold.__version__}", bold=True)
    click.echo(IDEA)
    names = {"rows": rows}
    try:
        sound = [play(scene, number, names) for number, scene in enumerate(SCENES, 1)]
    except KeyboardInterrupt:
        click.echo("\nstopped")
        return 130
    took = f"{perf_counter() - begin:.0f} s in all"
    if all(sound):
        click.echo(f"\n{click.style('Every check held', fg='green')}, {took}.\n{NEXT}")
        return 0
    click.secho(f"\nA check failed, {took}.", fg="red", bold=True)
    return 1


if __name__ == "__main__":
    sys.exit(main())
