"""A file of every kind for every format that was released, and what it answers: they must stay readable.

`python -m tests.store.fixtures` writes those that the present format lacks, and touches no other: once a format is
released, its files stay as they are.
"""

import json
from pathlib import Path
from typing import Any

from bayesfold import store
from bayesfold.learning.trained import DropIn, Step, Trained
from bayesfold.store.file import FORMAT

from .models import LABELS, NAMES, rows_of, trained

HOME = Path(__file__).parent / "files"


def folder(number: int) -> Path:
    """The files of a format."""
    return HOME / f"format-{number}"


def answers(found: Trained, rows: dict[str, Any], labels: list[str]) -> dict[str, Any]:
    """What a model says of rows, and after it has learned them (once more)."""
    said = {"rows": found.rows, "classes": found.classes_.tolist(), "log_proba": found.log_proba(rows).tolist()}
    if not isinstance(found.settings, DropIn):
        found.learn(rows, labels)
        said["after"] = found.log_proba(rows).tolist()
    return said


def plain(value: Any) -> Any:
    """A number of numpy as Python's."""
    return getattr(value, "item", lambda: value)()


def write() -> None:
    """Write what is lacking."""
    home = folder(FORMAT)
    home.mkdir(parents=True, exist_ok=True)
    record = home / "answers.json"
    known = json.loads(record.read_text()) if record.exists() else {}
    for name in NAMES:
        path = home / f"{name}.bayes"
        if not path.exists():
            model = trained(name)
            model.history = (Step("fit", model.rows, "60 made-up animals", "2026-11-16T00:00:00+00:00"),)
            store.save(model, path)
            rows = {column: list(map(plain, values[:5])) for column, values in rows_of(name).items()}
            known[name] = {"X": rows, "y": LABELS[:5], **answers(store.load(path), rows, LABELS[:5])}
    record.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    write()
