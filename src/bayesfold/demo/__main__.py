"""`python -m bayesfold.demo`."""

import argparse
import os
import sys
from collections.abc import Sequence
from io import TextIOWrapper
from time import perf_counter

from click import style

import bayesfold
from bayesfold.demo.screen import show, show_heading, working

IDEA = """\
A fitted Bayesian classifier is a grouped sum plus arithmetic.
Sums add: learning more rows, or merging two models, equals one fit of all the rows.
Sums subtract: rows are forgotten exactly, and any row is scored as if it had never been seen."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the demonstration; 1 when a check failed, 130 when interrupted."""
    parser = argparse.ArgumentParser(prog="python -m bayesfold.demo", description="What bayesfold does.")
    parser.add_argument("--rows", type=int, default=1_000_000, help="size of the generated table (at least 1,000)")
    rows = max(parser.parse_args(arguments).rows, 1_000)
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a pipe that cannot carry a bar shows a question mark
    begin = perf_counter()
    try:
        # scikit-learn takes its time to load: say hello first, and let Ctrl-C stop that as well
        show_heading(f"bayesfold {bayesfold.__version__}")
        show(IDEA)
        with working("loading scikit-learn"):
            from bayesfold.demo.fold import show_fold
            from bayesfold.demo.report import show_reports

        show_reports()
        sound = show_fold(rows)
    except KeyboardInterrupt:
        show("\nstopped")
        return 130
    ending = style("Every check held", fg="green") if sound else style("A check failed", fg="red", bold=True)
    show(f"\n{ending}, {perf_counter() - begin:.1f} s in all.")
    return 0 if sound else 1


if __name__ == "__main__":
    try:
        status = main()
        sys.stdout.flush()
    except BrokenPipeError:  # the reader went away, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = 1
    sys.exit(status)
