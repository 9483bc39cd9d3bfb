"""What a person sees while waiting: after two seconds, on a terminal, and elsewhere only if asked for."""

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

from bayesfold.runtime.progress import Progress, Watcher

PATIENCE = 2.0


LINE_BY_LINE = 2.0
"""Seconds between two lines, where a line cannot be overwritten."""


@contextmanager
def waiting(what: str, anywhere: bool = False) -> Iterator[Watcher | None]:
    """Show that work goes on: for how long it has, or, where rows are told, how far it has come and what is left.

    On a terminal that is one line, which is taken away in the end. `anywhere` also writes to what is no terminal (a
    notebook, a log), a line now and then.
    """
    on_terminal = sys.stderr.isatty()
    if not (on_terminal or anywhere):
        yield None
        return
    done, began = threading.Event(), monotonic()
    last: list[Progress] = []
    before, after = ("\r", " \x1b[K") if on_terminal else ("", "\n")

    def tick() -> None:
        if done.wait(PATIENCE):
            return
        over = False
        while not over:
            how = repr(last[-1]) if last else f"{monotonic() - began:.0f} s"
            sys.stderr.write(f"{before}{what}: {how}{after}")
            sys.stderr.flush()
            over = done.wait(0.25 if on_terminal else LINE_BY_LINE)
        if on_terminal:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()

    # Python does not wait for it: an interrupt may fall between its start and the try, and nobody would end it
    ticker = threading.Thread(target=tick, daemon=True)
    ticker.start()
    try:
        yield lambda progress: last.__setitem__(slice(None), [progress])
    finally:
        done.set()
        ticker.join()
