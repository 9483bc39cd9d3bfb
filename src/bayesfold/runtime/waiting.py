"""What a person sees while waiting: after two seconds, on a terminal, and nowhere else."""

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

from bayesfold.runtime.progress import Progress, Watcher

PATIENCE = 2.0


@contextmanager
def waiting(what: str) -> Iterator[Watcher | None]:
    """Show that work goes on: for how long it has, or, where rows are told, how far it has come and what is left."""
    if not sys.stderr.isatty():
        yield None
        return
    done, began = threading.Event(), monotonic()
    last: list[Progress] = []

    def tick() -> None:
        if done.wait(PATIENCE):
            return
        while not done.wait(0.25):
            how = repr(last[-1]) if last else f"{monotonic() - began:.0f} s"
            sys.stderr.write(f"\r{what}: {how} \x1b[K")
            sys.stderr.flush()
        sys.stderr.write("\r\x1b[K")
        sys.stderr.flush()

    ticker = threading.Thread(target=tick, daemon=True)
    ticker.start()
    try:
        yield lambda progress: last.__setitem__(slice(None), [progress])
    finally:
        done.set()
        ticker.join()
