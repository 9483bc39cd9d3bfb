"""How much each column matters, of a model without its rows: what it adds to the reasons of rows that it draws."""

from typing import Any

import numpy as np

from bayesfold.data.dates import date_column_of
from bayesfold.data.frame import Floats
from bayesfold.models.pool import Pool

DRAWN = 1_000
"""How many rows are drawn."""


def importances(clf: Any) -> Floats:
    """For each column that `fit` was given, its share of the mean |log-odds| that columns add; 0 for one left out.

    The rows are drawn from the model, of a pool from its first part. A model that rows cannot be drawn from has no
    importances: explain(X).importance() are those of given rows.
    """
    model = clf.model_.first if isinstance(clf.model_, Pool) else clf.model_
    try:
        columns, _ = model.sample(DRAWN, np.random.default_rng(0))
        others = {name: [None] * DRAWN for name in clf.model_.schema.sources if name not in columns}
        by_name = clf.explain(columns | others).importance()
    except (ValueError, TypeError) as error:
        raise AttributeError(f"feature_importances_: {error}; explain(X).importance() tells of given rows") from None
    place = {name: j for j, name in enumerate(clf._names)}
    total = np.zeros(len(place))
    for name, value in by_name.items():
        j = place.get(date_column_of(name, place) or name)
        if j is not None:
            total[j] += value
    return total / total.sum() if total.any() else total
