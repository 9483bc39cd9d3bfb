"""Files that are written never replace what is read."""

from collections.abc import Iterable
from pathlib import Path


def refuse_input(out: str | None, inputs: Iterable[str]) -> None:
    """Refuse to write over a file that is read."""
    if out is None or out == "-":
        return
    for path in inputs:
        if path != "-" and Path(out).exists() and Path(path).exists() and Path(out).samefile(path):
            raise ValueError(f"{out} is what is read; give another name with -o, so that it is not lost")
