"""A density sums or integrates to 1 over what a column can show, in every class, also in one without rows."""

from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bayesfold import families
from bayesfold.data.encodings import Binned, Categories, Counts
from bayesfold.data.frame import Frame
from bayesfold.data.text.column import Words
from bayesfold.data.vector import Vector

from .tables import kind, model_of, tables

NO_DENSITY = {"complement"}  # its weights are those of the other classes: a rule of thumb, and no probability
WORDS = {"bernoulli": list(product((0, 1), repeat=3)), "multinomial": np.eye(3, dtype=int).tolist()}


def said(model, values):
    """log P(value | class) of each value of the first column, given as cells by source column: [value, class]."""
    column = model.schema.features[0]
    rows = len(next(iter(values.values())))
    empty = {s: ([0] if isinstance(model.schema.features[1], Counts) else [None]) * rows for s in model.schema.sources}
    parts = model.contributions(model.schema.encode(Frame.of(empty | values)))
    return parts[:, 1 + model.names.index(column.name)]


def panels(low, high, step):
    """Nodes and weights of Gauss and Legendre's rule on panels of a width."""
    nodes, weights = np.polynomial.legendre.leggauss(8)
    edges = np.linspace(low, high, int(np.ceil((high - low) / step)) + 1)
    half = np.diff(edges)[:, None] / 2
    return (edges[:-1, None] + half * (1 + nodes)).ravel(), (half * weights).ravel()


@pytest.mark.parametrize("name", sorted(set(families.names()) - NO_DENSITY))
@given(data=st.data())
def test_the_probabilities_of_a_column_sum_to_one(data, name):
    rows = data.draw(tables(name, least=2))
    schema = kind(name).schema(rows, classes=("a class without rows",))
    model = model_of(name, "naive", rows, schema)
    column = schema.features[0]
    if isinstance(column, Counts):
        shown = np.array(WORDS[name])
        log_p = said(model, {s: shown[:, i] for i, s in enumerate(column.sources)})
        total = np.exp(log_p).sum(0)
    elif isinstance(column, Words):  # documents of one term; a class without documents shares them out evenly
        if not len(column.vocabulary):
            return
        total = np.exp(said(model, {column.name: list(column.vocabulary)})).sum(0)
    elif isinstance(column, Binned):
        middles = [-1e9, *column.cuts]
        total = np.exp(said(model, {column.name: middles})).sum(0)
    elif isinstance(column, Vector):  # tests/test_covariance.py has its integral
        return
    elif isinstance(column, Categories):
        if not column.levels:
            return
        total = np.exp(said(model, {column.name: list(column.levels)})).sum(0)
    elif model.families[column.name].order == 1:
        total = np.exp(said(model, {column.name: np.arange(400.0)})).sum(0)
    else:
        total = integral(model, column, rows)
    np.testing.assert_allclose(total, 1.0, rtol=1e-6)


def integral(model, column, rows):
    """Of a density over the numbers, or over their logarithms where only positive numbers are shown."""
    seen = np.array([x for x in rows.columns()[column.name] if x is not None], float)
    seen = np.log(seen) if column.transform else seen
    assume(np.ptp(seen) > 0 if len(seen) else True)  # a column of one value says nothing, and stands anywhere
    spread = float(np.ptp(seen)) if len(seen) else 1.0
    centre = float(seen.mean()) if len(seen) else 0.0
    z, weight = panels(centre - 40 * spread, centre + 40 * spread, spread / 100)
    if not column.transform:
        return weight @ np.exp(said(model, {column.name: z}))
    inside = np.abs(z) < 700
    return weight[inside] @ np.exp(said(model, {column.name: np.exp(z[inside])}) + z[inside, None])


def test_a_family_that_is_no_density_is_still_there():
    assert set(families.names()) >= NO_DENSITY
