"""What is written never replaces what is read: two names are one file however they are spelt or linked.

>>> is_same("a/../t.csv", "t.csv"), is_same("t.csv", "u.csv")
(True, False)
"""

import os
from collections.abc import Iterable
from typing import Any

Name = str | os.PathLike[str]


def is_same(a: Name, b: Name) -> bool:
    """Whether two names stand for one file: by links and other spellings too, or, where a file is yet to be made, by
    where it will stand. `b` may be a folder: what is in it is of it."""
    one, other = (os.path.realpath(os.path.expanduser(name)) for name in (a, b))
    if os.path.exists(one) and os.path.exists(other) and os.path.samefile(one, other):
        return True
    if os.path.isdir(other) and one.startswith(os.path.join(other, "")):
        return True
    # of files that are yet to be made, a file system may not tell capitals from small letters
    return not (os.path.exists(one) or os.path.exists(other)) and one.casefold() == other.casefold()


def refuse_overwriting(out: Name, inputs: Iterable[Name], advice: str = "give another name") -> None:
    """Refuse to write to a file that is read."""
    for read in inputs:
        if is_same(out, read):
            raise ValueError(f"{os.fspath(out)} is what is read; {advice}, so that it is not lost")


def learned_files(classifier: Any) -> tuple[str, ...]:
    """The files whose rows a classifier has learned, as far as it read them itself."""
    return getattr(getattr(classifier, "source_", None), "files", ())
