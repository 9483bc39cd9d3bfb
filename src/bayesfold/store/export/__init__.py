"""Fitted classifiers in other languages, one format a file; `find` loads by name and `for_path` by a file's ending.

Each has SUFFIXES and `write(classifier, **options) -> str or bytes`. What is written answers as the classifier does,
also for missing and unseen values, or is refused with the reason; it never approximates.

>>> names()
['bif', 'js', 'json', 'onnx', 'sql']
>>> for_path("model.sql").__name__
'bayesfold.store.export.sql'
"""

from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

from bayesfold.runtime.atomic_file import write
from bayesfold.runtime.overwriting import files_of, refuse_overwriting


def export_model(classifier: Any, path: str | Path, format: str | None = None, **options: Any) -> Path:
    """Write a fitted classifier for another system, the format by the file's ending unless it is named.

    .json is the classifier as plain tables, .js the same with a scorer for Node and browsers, .sql a query for DuckDB
    and PostgreSQL, .onnx a graph for onnxruntime, .bif a Bayesian network. `options` are those of the format's `write`.
    """
    refuse_overwriting(path, files_of(classifier))
    made = (for_path(path) if format is None else find(format)).write(classifier, **options)
    write(path, made.encode() if isinstance(made, str) else made)
    return Path(path)


@cache
def find(name: str) -> Any:
    """The format in the file of that name."""
    if name not in names():
        raise ValueError(f"there is no format {name!r}; there are {', '.join(names())}")
    return import_module(f"bayesfold.store.export.{name}")


@cache
def names() -> list[str]:
    """Every format, by file name."""
    return sorted(module.name for module in iter_modules(__path__) if not module.name.startswith("_"))


def for_path(path: str | Path) -> Any:
    """The format of a file by how its name ends."""
    ending = Path(path).suffix.lower()
    for name in sorted(names(), key=lambda name: f".{name}" != ending):  # the likeliest first: none is loaded in vain
        if ending in find(name).SUFFIXES:
            return find(name)
    every = ", ".join(suffix for name in names() for suffix in find(name).SUFFIXES)
    raise ValueError(f"{Path(path).name!r} does not end like an exported model; the endings are {every}")
