"""The statistic of a network with numbers, against sums of the rows; scales, and sums brought from one to another."""

import itertools

import numpy as np
import pytest

from bayesfold.data.vector import Scaled
from bayesfold.networks.dag import Dag
from bayesfold.networks.mixed.kinds import Kinds
from bayesfold.networks.mixed.moments import (
    count_moments,
    find_scales,
    first_impossible,
    make_schema,
    rescale_sums,
    scale_values,
    sums_of,
)
from bayesfold.networks.mixed.rows import read_frame

DAG = Dag.of(
    [("sex", "height"), ("town", "height"), ("age", "height"), ("sex", "town"), ("age", "mass"), ("height", "mass")]
)
KINDS = Kinds(DAG, {"sex": ("f", "m"), "town": (1, 2, 3), "height": (), "age": (), "mass": ()})


def table(rows=50, seed=0):
    draw = np.random.default_rng(seed)
    found = {
        "sex": draw.choice(["f", "m"], rows).tolist(),
        "town": draw.integers(1, 4, rows).tolist(),
        "age": (40 + 10 * draw.normal(size=rows)).tolist(),
        "height": (1e6 + draw.normal(size=rows)).tolist(),
        "mass": (1e-6 * draw.normal(size=rows)).tolist(),
    }
    found["age"][3] = found["height"][5] = None
    return found


def counted(weight=None, scales=None, rows=None):
    rows = rows or table()
    frame = read_frame(rows)
    schema = make_schema(KINDS, scales or find_scales(frame, ["height", "age", "mass"]))
    return count_moments(KINDS, schema, rows, weight)[0]


def node(name):
    return DAG.names.index(name)


@pytest.mark.parametrize("weighted", [True, False])
@pytest.mark.parametrize("name", ["height", "mass", "age"])
def test_sums_are_those_of_the_whole_rows_of_each_group(name, weighted):
    weight = np.random.default_rng(1).choice([0.0, 0.5, 2.0], 50) if weighted else np.ones(50)
    tally, rows = counted(weight if weighted else None), table()
    found = sums_of(tally, KINDS, node(name))
    family = [name, *(DAG.names[u] for u in KINDS.numbers_above(node(name)))]
    scales = scale_values(tally, name)
    assert [axis.source for axis in scales] == family
    x = np.array([rows[v] for v in family], float).T
    z = (x - [axis.centre for axis in scales]) / [axis.unit for axis in scales]
    whole = ~np.isnan(z).any(1)
    above = [DAG.names[p] for p in KINDS.categories_above(node(name))]
    cells = [*itertools.product(*(KINDS.axes[v] for v in above))]
    assert len(found.weight) == len(cells)
    for g, cell in enumerate(cells):
        here = whole & np.array([all(rows[v][i] == s for v, s in zip(above, cell, strict=True)) for i in range(50)])
        w, own = weight[here], z[here]
        assert found.weight[g] == pytest.approx(w.sum())
        np.testing.assert_allclose(found.first[g], w @ own, atol=1e-9)
        np.testing.assert_allclose(found.second[g], (own.T * w) @ own, atol=1e-9)


def test_numbers_are_moved_and_scaled_by_powers_of_two():
    frame = read_frame(
        {"a": [160.0, 164.0, 180.0, None], "b": [5.0] * 4, "c": [0.0] * 4, "d": [None] * 4, "e": [-3e-9, 1e-9, 0, 0]}
    )
    scales = find_scales(frame, list("abcde"))
    assert (scales["a"].centre, scales["a"].unit) == (168.0, 8.0)
    assert (scales["b"].centre, scales["b"].unit) == (4.0, 4.0), "of a constant its own size"
    assert (scales["c"].centre, scales["c"].unit) == (0.0, 1.0)
    assert (scales["d"].centre, scales["d"].unit) == (0.0, 1.0)
    for name in "abcde":
        mantissa, _ = np.frexp(scales[name].unit)
        assert mantissa == 0.5
        assert scales[name].centre % scales[name].unit == 0
    spread = np.std([-3e-9, 1e-9, 0, 0])
    assert 0.7 <= scales["e"].unit / spread <= 1.5


def test_sums_in_other_scales_are_those_counted_in_them():
    weight = np.random.default_rng(2).uniform(0.5, 2, 50)
    for w in (None, weight):
        own = counted(w)
        others = {
            "height": Scaled("height", 1e6 - 4.0, 2.0),
            "age": Scaled("age", 0.0, 16.0),
            "mass": Scaled("mass", 0.0, 2.0**-18),
        }
        there = counted(w, others)
        moved = rescale_sums(own, there.schema)
        assert rescale_sums(own, own.schema) is own
        for v in KINDS.numbers:
            a, b = sums_of(moved, KINDS, v), sums_of(there, KINDS, v)
            np.testing.assert_allclose(a.weight, b.weight)
            np.testing.assert_allclose(a.first, b.first, rtol=1e-6, atol=1e-6)
            np.testing.assert_allclose(a.second, b.second, rtol=1e-6, atol=1e-6)
        assert moved.sums is not own.sums


def test_sums_that_no_rows_have_are_found():
    tally = counted()
    assert first_impossible(tally, KINDS) is None
    for v in KINDS.numbers:
        clique = tally.layout.cliques[v]
        begin, width = tally.layout.offsets[clique][1], tally.layout.schema.width(clique.terms[0])
        within = width + width * width
        cells = int(np.prod(tally.layout.shape(clique)))
        broken = counted()
        squares = begin + within * np.arange(cells) + width
        broken.sums[0, squares] -= 1e3
        assert first_impossible(broken, KINDS) == DAG.names[v]
