"""Files that are written never replace what is read."""

import glob
import os
from collections.abc import Iterable

from bayesfold.runtime.overwriting import is_same, refuse_overwriting

STREAM = "-"


def refuse_input(out: str | None, inputs: Iterable[str | None], option: str = "-o") -> None:
    """Refuse to write over a file that is read; `inputs` may be globs, or nothing."""
    if out is None or out == STREAM:
        return
    for text in inputs:
        if text is not None and text != STREAM:
            refuse_overwriting(out, matching_files(text), f"give another name with {option}")


def refuse_one_for_both(out: str, checkpoint: str) -> None:
    """Refuse one file for a model and for the count that it comes from."""
    if is_same(out, checkpoint):
        raise ValueError(f"{checkpoint} is where the model will be written; give the checkpoint another name")


def matching_files(text: str) -> list[str]:
    """The files that a path or a glob stands for."""
    path = os.path.expanduser(text)
    return [path] if os.path.exists(path) else glob.glob(path, recursive=True)
