"""Rows as JSON gives them, checked against what a classifier reads, and what decisions cost for one question."""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

from bayesfold.data.dates import with_parts
from bayesfold.data.schema import Schema
from bayesfold.explanations.dates import date_columns
from bayesfold.io.predict import kinds_of
from bayesfold.learning.trained import DropIn, Trained
from bayesfold.runtime.messages import listed
from bayesfold.web.server.dates import read_date
from bayesfold.web.server.problems import Problem

WANTED = {"number": "a number", "text": "text", "words": "text", "truth": "true or false"}


@lru_cache(maxsize=64)
def kinds(schema: Schema) -> dict[str, str]:
    """What each column that a model reads holds: number, text, words or truth."""
    return {name: kind for name, (kind, _) in kinds_of(schema).items()}


@lru_cache(maxsize=64)
def long_numbers(schema: Schema) -> frozenset[str]:
    """The columns of whole numbers that no double holds, which are read as text for that."""
    levels = ((name, level) for c in schema.features for name, every in c.levels_by_source.items() for level in every)
    numbered = {name for name, level in levels if isinstance(level, int) and not isinstance(level, bool)}
    return frozenset(name for name in numbered if kinds(schema).get(name) == "text")


def checked_row(trained: Trained, row: Mapping[str, Any]) -> dict[str, Any]:
    """What a model reads of a row, the parts of its dates among it, if all of it is as `checked_cells` wants it."""
    schema = trained.model_.schema
    cells, known = checked_cells(trained, row), kinds(schema)
    if not date_columns(schema, trained.names):
        return cells
    whole = with_parts({name: value for name, value in cells.items() if value is not None}, schema.parts)
    return {name: whole.get(name) for name in (*cells, *whole) if name in known}


def checked_cells(trained: Trained, row: Mapping[str, Any]) -> dict[str, Any]:
    """The cells of a row, its dates among them, that a model reads, if it has no column that the model does not know
    and each value is of its column's kind.

    JSON tells numbers from text: 7 where a column holds text would be taken for a value never seen, without a word.
    """
    schema = trained.model_.schema
    known, dates = kinds(schema), date_columns(schema, trained.names)
    cells: dict[str, Any] = {}
    for name, value in row.items():
        if name in known or name in dates:
            exact = isinstance(value, int) and not isinstance(value, bool) and name in long_numbers(schema)
            empty = value is None or value == ""
            cells[name] = None if empty else value if exact else check_cell(name, value, known, dates)
        elif name not in trained.names:
            columns = listed([n for n in trained.names if n in known or n in dates])
            raise Problem("not-possible", f"there is no column {name[:200]!r}; the columns are {columns}")
    return cells


def check_cell(name: str, value: Any, known: Mapping[str, str], dates: Mapping[str, tuple[str, ...]]) -> Any:
    """The value, if it is of its column's kind."""
    if name not in known:
        return read_date(name, dates[name], value)
    kind = known[name]
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    right = is_number if kind == "number" else isinstance(value, bool) if kind == "truth" else isinstance(value, str)
    if not right:
        raise Problem("not-possible", f"column {name!r} holds {WANTED[kind]}, not {str(value)[:60]!r}")
    return value


def with_costs(trained: Trained, loss: Any, reject_cost: float | None) -> Trained:
    """The same model that decides by these costs; None: by its own."""
    if loss is None and reject_cost is None:
        return trained
    costs = {
        "loss": trained.loss if loss is None else loss,
        "reject_cost": trained.reject_cost if reject_cost is None else reject_cost,
        "reject_label": "reject" if trained.reject_label is None else trained.reject_label,
    }
    settings = trained.settings
    if isinstance(settings, DropIn):
        return replace(trained, settings=replace(settings, parameters={**settings.parameters, **costs}))
    return replace(trained, settings=replace(settings, **costs))
