"""`python -m bayesfold.demo`."""

import argparse
import sys
from collections.abc import Sequence
from io import TextIOWrapper
from time import perf_counter

from rich.console import Console
from rich.panel import Panel

import bayesfold

WIDTH = 100
IDEA = """\
A fitted Bayesian classifier is a [bold]grouped sum[/] plus arithmetic.
Sums add: learning more rows, or merging two models, equals one fit of all the rows.
Sums subtract: rows are forgotten exactly, and any row is scored as if it had never been seen."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the demonstration; 1 when a check failed, 130 when interrupted."""
    parser = argparse.ArgumentParser(prog="python -m bayesfold.demo", description="What bayesfold does.")
    parser.add_argument("--rows", type=int, default=1_000_000, help="size of the generated table (at least 1,000)")
    rows = max(parser.parse_args(arguments).rows, 1_000)
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a pipe that cannot carry a bar shows a question mark
    console = Console(highlight=False)
    console = Console(highlight=False, width=min(WIDTH, console.width) if console.is_terminal else WIDTH)
    begin = perf_counter()
    try:
        # scikit-learn takes its time to load: say hello first, and let Ctrl-C stop that as well
        console.print(Panel(IDEA, title=f"[bold]bayesfold[/] {bayesfold.__version__}", border_style="cyan"))
        with console.status("loading scikit-learn"):
            from bayesfold.demo.fold import show_fold
            from bayesfold.demo.report import show_reports

        show_reports(console)
        sound = show_fold(console, rows)
    except KeyboardInterrupt:
        console.print("\nstopped")
        return 130
    took = f"{perf_counter() - begin:.1f} s in all"
    console.print(f"\n[green]Every check held[/], {took}." if sound else f"\n[bold red]A check failed[/], {took}.")
    return 0 if sound else 1


if __name__ == "__main__":
    sys.exit(main())
