"""What a model is, in words."""

from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np

from bayesfold.candidates import members
from bayesfold.cli._changing import counts
from bayesfold.cli._words import advice, counted, say, table, title
from bayesfold.columns import Binned
from bayesfold.pooled import Pool
from bayesfold.schema import in_words
from bayesfold.structure import edges
from bayesfold.structure import in_words as graph_in_words
from bayesfold.trained import DropIn, Trained

MOST = 40
MOST_CUTS = 6


def show(path: str, trained: Trained) -> None:
    """All of it, for a person."""
    size = Path(path).stat().st_size
    say(f"{path}: {kind(trained)} of {trained.target!r}, {counted(trained.rows, 'row')}, {size / 1024:,.0f} KiB")
    title("classes")
    prior = np.exp(trained.model_.log_prior())
    lines = [
        (str(c), f"{n:,}", f"{p:.4f}") for (c, n), p in zip(counts(trained).items(), prior / prior.sum(), strict=True)
    ]
    table((trained.target, "rows", "prior"), lines, most=MOST)
    title("columns")
    ways = read_as(trained)
    lines = [(c.name, c.family or "-", ways.get(c.name, advice(c.why))) for c in trained.columns]
    table(("column", "is", "read as"), lines, left=3, most=MOST)
    parts = structure(trained)
    if parts:
        title("structure")
        for line in parts[:MOST]:
            say(line)
    told = settings(trained)
    if told:
        title("settings")
        table(("setting", "value"), [(k, str(v)) for k, v in told.items()], left=2)
    if trained.report is not None:
        title("held-out scores when it was learned")
        say(str(trained.report))
    if trained.history:
        title("history")
        steps = [(s.date, s.what, f"{s.rows:,}", s.source) for s in trained.history]
        table(("when", "what", "rows", "source"), steps, left=4)
    if trained.reweigh_needed:
        say("\nIts rows have changed since its parts were weighed; the weights stay until it is fitted again.")


def kind(trained: Trained) -> str:
    """What sort of model it is."""
    name = trained.settings.estimator
    return f"{'an' if name[0] in 'AEIOU' else 'a'} {name}"


def read_as(trained: Trained) -> dict[str, str]:
    """How each source column is read, in words; the ways of several models of a pool follow one another."""
    found: dict[str, dict[str, None]] = {}
    for column in trained.model_.schema.features:
        for source in getattr(column, "sources", ()) or (getattr(column, "source", "") or column.name,):
            found.setdefault(source, {})[way(column)] = None
    return {name: "; ".join(ways) for name, ways in found.items()}


def way(column: Any) -> str:
    """How a column is read, in few words."""
    if not isinstance(column, Binned):
        return in_words(column)
    if column.family == "kde":
        return "numbers, smoothed by kernels"
    shown = ", ".join(f"{cut:.4g}" for cut in column.cuts[:MOST_CUTS])
    more = f" and {len(column.cuts) - MOST_CUTS} more" if len(column.cuts) > MOST_CUTS else ""
    return f"numbers in {counted(len(column.cuts) + 1, 'bin')}" + (f", cut at {shown}{more}" if column.cuts else "")


def structure(trained: Trained) -> list[str]:
    """Which columns depend on which, where any do; for a pool the weight of each part."""
    model = trained.model_
    if isinstance(model, Pool):
        parts = zip(model.members.items(), model.weights, strict=True)
        return [f"{name}, weight {w:.3f}: {graph_in_words(one)}" for (name, one), w in parts]
    found = edges(model)
    shown = ", ".join(f"{parent} → {child}" for parent, child in found[:MOST])
    more = f" and {len(found) - MOST} more" if len(found) > MOST else ""
    return [graph_in_words(model), *([shown + more] if found else [])]


def settings(trained: Trained) -> dict[str, Any]:
    """What was told, where it is not the default."""
    told = trained.settings
    if isinstance(told, DropIn):
        return {k: v for k, v in told.parameters.items() if v is not None}
    return {f.name: getattr(told, f.name) for f in fields(told) if differs(getattr(told, f.name), f.default)}


def differs(value: Any, default: Any) -> bool:
    """Whether a value is not the default."""
    if isinstance(value, Mapping | list | tuple | np.ndarray):
        return True
    return bool(value is not default and value != default)


def as_json(path: str, trained: Trained) -> dict[str, Any]:
    """All of it, for machines."""
    ways = read_as(trained)
    schema = trained.model_.schema
    return {
        "model": path,
        "bytes": Path(path).stat().st_size,
        "kind": trained.settings.estimator,
        "target": trained.target,
        "rows": trained.rows,
        "classes": [{"class": c, "rows": n} for c, n in counts(trained).items()],
        "columns": [
            {"column": c.name, "family": c.family or None, "read_as": ways.get(c.name), "why": advice(c.why)}
            for c in trained.columns
        ],
        "networks": [
            [
                {"child": child, "parents": list(node.parents)}
                for network in one.mixture.networks
                for node in network
                for child in node.children
            ]
            for one in members(trained.model_)
        ],
        "class_column": schema.target.name,
        "settings": {
            k: v if isinstance(v, str | int | float | dict | list) else str(v) for k, v in settings(trained).items()
        },
        "history": [{"when": s.date, "what": s.what, "rows": s.rows, "source": s.source} for s in trained.history],
    }
