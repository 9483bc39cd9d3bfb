"""Fitted classifiers in other languages, one format per file; `find` loads by name and `for_path` by a file's ending.

Each has SUFFIXES and `write(classifier, **options) -> str or bytes`. What is written answers as the classifier does,
also for missing and unseen values, or is refused with the reason; it never approximates.

>>> names()
['bif', 'js', 'json', 'onnx', 'sql']
>>> for_path("model.sql").__name__
'bayesfold.store.export.sql'
"""

from pathlib import Path
from typing import Any

from bayesfold.runtime.atomic_file import write
from bayesfold.runtime.overwriting import learned_files, refuse_overwriting
from bayesfold.runtime.registry import Plugs


def export_model(classifier: Any, path: str | Path, format: str | None = None, **options: Any) -> Path:
    """Export a fitted classifier to another system; the file extension says the format, unless `format` does.

    .json is the classifier as plain tables, .js the same with a scorer for Node and browsers, .sql a query for DuckDB
    and PostgreSQL, .onnx a graph for onnxruntime, .bif a Bayesian network. `options` are those of the format's `write`.
    """
    refuse_overwriting(path, learned_files(classifier))
    made = (for_path(path) if format is None else find(format)).write(classifier, **options)
    write(path, made.encode() if isinstance(made, str) else made)
    return Path(path)


PLUGS = Plugs(__name__, "export format")
names, find, for_path = PLUGS.names, PLUGS.load, PLUGS.for_path
