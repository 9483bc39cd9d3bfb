"""Whether the parts of a model fit together: a file may say anything, and the loops trust the sizes they are given.

Everything is known from the schema before a table is looked at: how many cells there are, which columns may have
parents, what a family can read. The same is asked of a model before it is saved.
"""

from typing import Any

import numpy as np

from bayesfold.data.dates import columns_for
from bayesfold.decisions.unseen_class import check_unseen_class
from bayesfold.learning.kinds import Settings
from bayesfold.learning.trained import DropIn
from bayesfold.runtime.messages import listed
from bayesfold.store.check_part import LARGEST, check_part, check_prior
from bayesfold.store.check_schema import check_schema
from bayesfold.store.check_tally import check_cliques, check_numbers
from bayesfold.store.unreadable import Unreadable, require
from bayesfold.tally.layout import Layout


def check(content: Any) -> None:
    """Refuse what is not a whole model."""
    require(isinstance(content.settings, Settings | DropIn), "its settings are those of no classifier")
    try:
        check_unseen_class(getattr(content.settings, "unseen_class", None))  # drop-ins have none
    except ValueError as error:
        raise Unreadable(f"its settings are wrong: {error}") from None
    schema = content.schema
    check_schema(schema)
    strange = sorted(set(columns_for(schema.sources, content.names)) - set(content.names))
    require(not strange, f"it reads {listed(strange)}, not among the columns that it says it has learned")
    require(content.parts, "there is no model in it")
    for name, part in content.parts.items():
        check_part(schema, part, f"its part {name!r}" if name else "it")
    check_pool(content)
    layout = Layout(schema, content.cliques)
    check_cliques(layout, content.parts)
    check_numbers(layout, content.counts, content.weights, content.sums)


def check_pool(content: Any) -> None:
    """Refuse a pool without a weight for each part, and several parts without a pool."""
    pool = content.pool
    if pool is None:
        require(set(content.parts) == {""}, "it has several parts, and nothing says how they are joined")
        return
    numbers = (*pool.weights, pool.doubt, *(bias for _, bias in pool.bias))
    right = len(pool.weights) == len(content.parts) and (np.abs(numbers) <= LARGEST).all()
    require(right, "its pool does not have a finite weight for each part")
    check_prior(content.schema, pool, "its pool")
