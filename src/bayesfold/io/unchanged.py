"""Files that are written while they are read: what was read of them is neither the old table nor the new one.

A file is read more than once (a look at all of it, then every row), and in pieces, so its rows would be of both.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bayesfold.io.source import Source


@contextmanager
def refuse_changed(source: Source) -> Iterator[None]:
    """Refuse what the block has read if a file of the source is another one at its end, by size, date and number."""
    before = {path: state_of(path) for path in source.files}
    yield
    for path, state in before.items():
        if state_of(path) != state:
            raise ValueError(
                f"{os.fspath(path)} was changed while it was read, so rows may be of the old file and of the new one; "
                "do this again when nobody writes to it"
            )


def state_of(path: Path) -> tuple[int, int, int] | None:
    """What tells a file from the same file after a change; None for a folder, and for what is gone."""
    if not path.is_file():
        return None
    found = path.stat()
    return found.st_size, found.st_mtime_ns, found.st_ino
