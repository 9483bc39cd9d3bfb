"""Where the command begins and ends: an interrupt (Ctrl-C) at any moment stops it in one line, with exit code 130."""

import gc
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from types import FrameType

INTERRUPTED = 130
SOON = 0.01
"""Seconds after which an interrupt at a bad moment is tried again."""
DEAF = ("<frozen importlib", "threadpoolctl.py")
"""Files in whose functions an exception may be lost: they load modules and libraries."""
WHOLE = "put_in_place"
"""The function in which a file changes and is remembered as changed: it is never interrupted."""
OFTEN = gc.get_threshold()
"""Python's own rule for when to look for cycles among new objects."""
SELDOM = (200_000, 10, 10)
"""How many new objects there may be before a command looks for cycles among them: loading modules makes 100,000, and
looking through them again and again takes a tenth of a short command."""
CLOSED: list[str] = []
"""Which of the standard streams were closed when the process began."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit code."""
    open_closed_streams()
    if arguments is None:  # the process is ours
        gc.set_threshold(*SELDOM)
    before = len(written_files())
    try:
        with interruptible(to_the_end=arguments is None):
            from bayesfold.cli._commands import run

            return run(list(sys.argv[1:] if arguments is None else arguments))
    except KeyboardInterrupt:
        remove_unfinished()
        done = written_files()[before:]
        kept = f"{' and '.join(done)} was written before that" if done else "files are as they were"
        print(f"bayesfold: stopped; {kept}", file=sys.stderr)
        if arguments is None:
            leave_at_once()
        return INTERRUPTED


def open_closed_streams() -> None:
    """Let streams that were closed when the process began go nowhere: Python has none in their place, and the next file
    that is opened would take their number."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the least number that is free
    CLOSED.extend(name for name in ("stdin", "stdout", "stderr") if getattr(sys, name) is None)
    sys.stdin = sys.stdin or os.fdopen(os.open(os.devnull, os.O_RDONLY), encoding="utf-8")
    sys.stdout = sys.stdout or os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8")
    sys.stderr = sys.stderr or os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8")


def leave_at_once() -> None:
    """End the process without waiting for threads that still count: files are whole, and nobody wants the rest."""
    with suppress(OSError, ValueError):
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(INTERRUPTED)


def written_files() -> list[str]:
    """The files that this process has written so far."""
    atomic = sys.modules.get("bayesfold.runtime.atomic_file")  # it is loaded when there is something to write
    return [] if atomic is None else list(atomic.WRITTEN)


def remove_unfinished() -> None:
    """Take away what this process has half written: whoever wrote it may not have been told to stop."""
    atomic = sys.modules.get("bayesfold.runtime.atomic_file")
    if atomic is not None:
        for fresh in list(atomic.UNFINISHED):
            atomic.discard(fresh)


@contextmanager
def interruptible(to_the_end: bool) -> Iterator[None]:
    """An interrupt is raised at once, or, while a module is loaded, as soon as that is done: else it may get lost.

    With `to_the_end` nothing interrupts what Python still has to do after the block.
    """
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler or not hasattr(signal, "setitimer"):
        yield  # someone else takes care of interrupts, or they are turned off
        return

    def interrupt(_: int, frame: FrameType | None) -> None:
        if drops_exceptions(frame):
            signal.setitimer(signal.ITIMER_REAL, SOON)
        else:
            raise KeyboardInterrupt

    alarm = signal.signal(signal.SIGALRM, interrupt)
    signal.signal(signal.SIGINT, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN if to_the_end else signal.default_int_handler)
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, alarm)


def drops_exceptions(frame: FrameType | None) -> bool:
    """Whether an exception in this frame may be dropped on its way up, or would leave a step half done."""
    while frame is not None:
        if frame.f_code.co_name == WHOLE or any(name in frame.f_code.co_filename for name in DEAF):
            return True
        frame = frame.f_back
    return False
