"""One process at a time changes a file: a lock on a small file beside it, which the system frees with its process.

The lock is the system's own, so that one left by a process that was killed holds nobody up. The small file is removed
by whoever held it last; who waited for it looks whether it is still the one that has the name.
"""

import errno
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

SOON, OFTEN = 1.0, 0.02
"""Seconds after which the caller is told that it waits, and seconds between two tries."""
NO_LOCKS = frozenset({errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.EINVAL})
"""Errors of file systems without locks; writers also check whether the file has changed."""

Name = str | os.PathLike[str]


class Locked(TimeoutError):
    """A file that another process is changing."""


@contextmanager
def locked(path: Name, wait: bool = True, waiting: Callable[[], None] | None = None) -> Iterator[None]:
    """Hold the lock of a file; `waiting` is called once where that takes a moment, and without `wait` it fails."""
    place, held = lock_path(path), list[int]()
    began, said = time.monotonic(), False
    try:
        try:
            while not try_to_lock(place, held):
                if not wait:
                    raise Locked(f"{os.fspath(path)} is being changed by another process; try again when it is done")
                if not said and waiting is not None and time.monotonic() - began > SOON:
                    said = True
                    waiting()
                time.sleep(OFTEN)
            yield
        finally:
            release(place, held)
    finally:
        release(place, held)  # what an interrupt of the first has left


def lock_path(path: Name) -> Path:
    """The path of a file's lock, beside it; a link has the lock of what it points to."""
    place = Path(os.path.realpath(path))
    return place.with_name(f".{place.name}.lock")


def try_to_lock(place: Path, held: list[int]) -> bool:
    """Whether the lock was free; its handle is put among those that are held before an interrupt can lose it."""
    held.append(os.open(place, os.O_RDWR | os.O_CREAT, 0o666))
    try:
        lock_handle(held[-1])
        now, mine = os.stat(place), os.fstat(held[-1])
        if (now.st_dev, now.st_ino) == (mine.st_dev, mine.st_ino):
            return True
    except (BlockingIOError, PermissionError, FileNotFoundError):  # held, or removed by who held it
        pass
    except OSError as error:
        if error.errno in NO_LOCKS:
            return True
        raise
    os.close(held.pop())
    return False


def release(place: Path, held: list[int]) -> None:
    """Remove the small file, unless another process holds it, and free the lock; to do so twice does no harm."""
    with suppress(OSError):
        if not held:  # an interrupt may have come between the file and its handle
            held.append(os.open(place, os.O_RDWR))
        if can_be_locked(held[-1]):
            place.unlink()  # before it is freed: who waits for it takes another
    while held:
        os.close(held.pop())


def can_be_locked(handle: int) -> bool:
    """Whether an open file is locked by this process, or could be; where there are no locks, it is."""
    try:
        lock_handle(handle)
    except OSError as error:
        return error.errno in NO_LOCKS
    return True


if os.name == "nt":
    import msvcrt

    def lock_handle(handle: int) -> None:
        """Lock an open file, or say at once that it is locked."""
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]

else:
    import fcntl

    def lock_handle(handle: int) -> None:
        """Lock an open file, or say at once that it is locked."""
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
