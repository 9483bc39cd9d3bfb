"""Columns that are declared, not discovered: their tables, the rows counted in them, and impossible classes."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, cast

import numpy as np

from bayesfold.data.batch import Batch
from bayesfold.data.encodings import Categories
from bayesfold.data.frame import Coded, Floats, Frame
from bayesfold.data.graph import Mixture
from bayesfold.data.schema import Column, Schema
from bayesfold.models.model import Model
from bayesfold.models.plan import cliques
from bayesfold.models.scoring.scorer import leaving
from bayesfold.models.structures.naive import Naive
from bayesfold.tally.counter import add_rows
from bayesfold.tally.layout import Layout
from bayesfold.tally.statistic import Tally

PLAIN = frozenset({np.float64, np.float32, np.int64, np.int32, np.uint8})
"""Kinds of array that need no conversion."""


def plan(kind: type, target: Categories, declared: bool, make: Callable[..., tuple[Column, ...]], *key: Any) -> Layout:
    """The tables of a target, whose classes may be declared, and of columns that all have one kind of family."""
    return plan_once(kind, target, tuple(map(type, target.levels)), declared, make, *key)


@lru_cache(maxsize=8)
def plan_once(
    kind: type,
    target: Categories,
    levels: tuple[type, ...],
    declared: bool,
    make: Callable[..., tuple[Column, ...]],
    *key: Any,
) -> Layout:
    """As `plan`, worked out once; `levels` are there because 1, 1.0 and True are one key."""
    features = make(*key)
    codes = {c.name: c.levels for c in features if c.slots}  # codes are no names
    schema = Schema(target, features, declared=codes | ({target.name: target.levels} if declared else {}))
    return Layout(schema, cliques(schema, Naive().learn(schema), dict.fromkeys(schema.columns, kind)))


def naive_structure(layout: Layout) -> Mixture:
    """The naive Bayes structure, worked out once for a layout."""
    if "naive" not in layout.plans:
        layout.plans["naive"] = Naive().learn(layout.schema)
    return cast(Mixture, layout.plans["naive"])


def count_rows(layout: Layout, frame: Frame, labels: Coded, weight: Any) -> Tally:
    """The tally of these rows."""
    layout.check()
    cells, sums = layout.size
    weights = np.zeros((2, cells if weight is not None else 0))
    tally = Tally(layout, np.zeros(cells, np.int64), weights, np.zeros((2, sums)))
    add_rows(tally, layout.schema.encode(frame, labels, weight))
    return tally


def without_impossible(model: Model, batch: Batch, joint: Floats, leave_out: bool = False) -> Floats:
    """scikit-learn's log joint: a class without rows, or whose given probability is 0, is impossible (-inf).

    Elsewhere such a class is only very improbable, so that no row is left without a class.
    """
    n = model.class_prior.chances(model.class_weights())
    if (n > 0).any():
        joint[:, n <= 0] = -np.inf
    if leave_out and model.prior is None and (n > 0).sum() > 1:
        assert batch.labels is not None
        own = batch.labels - 1
        alone = np.flatnonzero(n[own] <= leaving(batch))
        joint[alone, own[alone]] = -np.inf
    return joint


def is_csr(X: Any) -> bool:
    """Whether X is a sparse matrix in rows, whose indices are of one type."""
    return getattr(X, "format", None) == "csr" and X.indices.dtype == X.indptr.dtype


def has_finite_sum(X: Any) -> bool:
    """Whether the sum of all numbers is finite, as it is when each of them is (unless they are huge)."""
    with np.errstate(all="ignore"):
        return bool(np.isfinite(X.sum() if isinstance(X, np.ndarray) else X.data.sum()))


@lru_cache(maxsize=16)
def numbered_names(width: int) -> tuple[str, ...]:
    """The names x0, x1, ... for columns without names."""
    return tuple(f"x{j}" for j in range(width))
