"""Names that people type: columns, classes, settings, files. A misspelt one is answered with the nearest.

>>> resolve_name("column", "Glucos", ["Age", "Glucose"])
Traceback (most recent call last):
ValueError: there is no column 'Glucos'; did you mean 'Glucose'?
"""

from collections.abc import Container, Iterable, Sequence
from pathlib import Path
from typing import Any

from bayesfold.runtime.messages import nearest, suggest


def resolve_name(kind: str, name: str, names: Iterable[Any], where: str = "") -> Any:
    """The one of `names` that is written so; otherwise an error with the nearest there is."""
    every = {str(n): n for n in names}
    if name in every:
        return every[name]
    near = [n for n in every if n.strip() == name.strip()]  # spaces around a name are not seen in a spreadsheet
    if len(near) == 1:
        return every[near[0]]
    raise ValueError(f"{where}there is no {kind} {name!r}; {suggest(name, every)}")


def refuse_repeated(option: str, name: Any, given: Container[Any]) -> None:
    """Refuse what an option says a second time of the same thing: one of the two would not count.

    >>> refuse_repeated("--set", "alpha", {"alpha": 1})
    Traceback (most recent call last):
    ValueError: --set says what 'alpha' is twice; say it once
    """
    if name in given:
        raise ValueError(f"{option} says what {str(name)!r} is twice; say it once")


def find_file(path: str, endings: Sequence[str] = ()) -> Path:
    """A file that is there; a misspelt name is answered with the nearest beside it."""
    file = Path(path).expanduser()
    if file.is_dir():
        raise IsADirectoryError(f"{path} is a folder; name a file in it")
    if file.exists():
        return file
    folder = file.parent
    if not folder.is_dir():
        raise FileNotFoundError(f"there is no file {path}: there is no folder {folder}")
    beside = [p.name for p in folder.iterdir() if p.is_file() and (not endings or p.name.endswith(tuple(endings)))]
    near = nearest(file.name, beside)
    hint = "" if near is None else f"; did you mean {folder / near}?"
    raise FileNotFoundError(f"there is no file {path}{hint}")
