"""A file is written whole or not at all: under another name beside the old one, then put in its place.

The new bytes are on the disk before the name changes, and the change of name is one step of the file system: whenever
the process or the machine dies, the name stands for all of the old bytes or for all of the new ones.
"""

import errno
import os
import secrets
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

WRITTEN: list[str] = []
"""The files that this process has put in their places, as they were named."""
UNFINISHED: set[Path] = set()
"""The half-written files of this process, for whoever ends it without unwinding."""
FULL = frozenset({errno.ENOSPC, errno.EFBIG, errno.EROFS, getattr(errno, "EDQUOT", errno.ENOSPC)})
"""Errors that only writing raises: the system does not say for which file."""
STALE = 600.0
"""Seconds after which a half-written file that nobody writes to any more was left by a process that died."""


def write(path: str | os.PathLike[str], data: bytes) -> None:
    """Put `data` at `path`."""
    with replacing(path) as file:
        file.write(data)


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """A file to write to, which stands at `path` when the block ends well, and is gone when it does not.

    A file that is replaced keeps its permissions, one that a link points to its links.
    """
    place = Path(os.path.realpath(path))
    old = stat_existing(place)
    sweep(place)
    fresh = place.with_name(f".{place.name[:40]}.{secrets.token_hex(8)}.new")
    UNFINISHED.add(fresh)
    try:  # from here on an interrupt at any moment finds the file by its name
        with naming(path):
            handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
        with naming(path), os.fdopen(handle, "wb") as file:
            if old is not None:
                keep_rights(fresh, old)
            yield file
            file.flush()
            os.fsync(file.fileno())
        with naming(path):
            put_in_place(fresh, place, os.fspath(path))
    except BaseException:
        discard(fresh)
        raise
    sync_folder(place.parent)


def put_in_place(fresh: Path, place: Path, name: str) -> None:
    """Let `place` stand for the new bytes, and remember that it does.

    The command lets no interrupt come between the two, or it would say of a new file that it is the old one.
    """
    os.replace(fresh, place)
    WRITTEN.append(name)
    UNFINISHED.discard(fresh)


def discard(fresh: Path) -> None:
    """Remove a half-written file, if it is there."""
    with suppress(OSError):
        fresh.unlink()
    UNFINISHED.discard(fresh)


@contextmanager
def naming(path: str | os.PathLike[str]) -> Iterator[None]:
    """Errors of the system, such as a full disk, say which file could not be written.

    >>> with naming("pets.bayes"):
    ...     raise OSError(28, "No space left on device")
    Traceback (most recent call last):
    OSError: [Errno 28] cannot be written: No space left on device: 'pets.bayes'
    """
    try:
        yield
    except OSError as error:
        if (error.errno in FULL and error.filename is None) or is_unfinished(error.filename):
            raise OSError(error.errno, f"cannot be written: {error.strerror}", os.fspath(path)) from error
        raise


def is_unfinished(name: Any) -> bool:
    """Whether a name is that of a file still being written, which says nothing to people."""
    return str(name).endswith(".new")


def stat_existing(place: Path) -> os.stat_result | None:
    """The status of the file at a place, None where there is none; a folder or a device is refused."""
    if not place.parent.is_dir():
        raise FileNotFoundError(f"there is no folder {str(place.parent)!r} to save in")
    try:
        status = place.stat()
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(status.st_mode):
        raise OSError(f"{str(place)!r} is not a file, so nothing can be saved there; give the name of a file")
    return status


def keep_rights(fresh: Path, old: os.stat_result) -> None:
    """Give a file the permissions and, where this process may, the owner of the one that it will replace."""
    if hasattr(os, "chown"):
        with suppress(OSError):
            os.chown(fresh, old.st_uid, old.st_gid)
    os.chmod(fresh, stat.S_IMODE(old.st_mode))


def sweep(place: Path) -> None:
    """Remove half-written files that writers of this file left when they died some time ago."""
    prefix = f".{place.name[:40]}."
    for name in os.listdir(place.parent):
        if name.startswith(prefix) and name.endswith(".new") and len(name) == len(prefix) + 20:
            left = place.with_name(name)
            with suppress(OSError):
                if time.time() - left.stat().st_mtime > STALE:
                    left.unlink()


def sync_folder(folder: Path) -> None:
    """Write the change of name to the disk, where a folder can be synced."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
