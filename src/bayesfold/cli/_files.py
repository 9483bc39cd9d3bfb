"""Files that are written: whole or not at all, and never over what was read."""

import os
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def replacing(path: str | Path) -> Iterator[Path]:
    """A new file beside `path` to write into; it takes the name when all went well, and is gone when not."""
    target = Path(path)
    folder = target.parent
    if target.is_dir():
        raise IsADirectoryError(f"{target} is a folder; give the name of a file with -o")
    if not folder.is_dir():
        raise FileNotFoundError(f"cannot write {target}: there is no folder {folder}")
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=target.suffix, dir=folder)
    os.close(handle)
    fresh = Path(name)
    try:
        yield fresh
        with fresh.open("rb+") as file:
            os.fsync(file.fileno())
        fresh.chmod(target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~mask())
        fresh.replace(target)
    finally:
        fresh.unlink(missing_ok=True)


def mask() -> int:
    """The permissions that this user gives to nobody by default."""
    found = os.umask(0)
    os.umask(found)
    return found


def refuse_input(out: str | None, inputs: Iterable[str]) -> None:
    """Refuse to write over a file that is read."""
    if out is None or out == "-":
        return
    for path in inputs:
        if path != "-" and Path(out).exists() and Path(path).exists() and Path(out).samefile(path):
            raise ValueError(f"{out} is what is read; give another name with -o, so that it is not lost")
