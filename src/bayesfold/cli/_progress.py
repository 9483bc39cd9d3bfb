"""What a person sees while waiting: after two seconds, on a terminal, and nowhere else."""

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

PATIENCE = 2.0


@contextmanager
def waiting(what: str) -> Iterator[None]:
    """Show that work goes on and for how long it has."""
    if not sys.stderr.isatty():
        yield
        return
    done, began = threading.Event(), monotonic()

    def tick() -> None:
        if done.wait(PATIENCE):
            return
        while not done.wait(0.5):
            sys.stderr.write(f"\r{what}, {monotonic() - began:.0f} s ")
            sys.stderr.flush()
        sys.stderr.write("\r\x1b[K")

    ticker = threading.Thread(target=tick, daemon=True)
    ticker.start()
    try:
        yield
    finally:
        done.set()
        ticker.join()
