"""Some networks of a mixture: the same as a mixture of these alone."""

from dataclasses import replace

import numpy as np
import pytest

import bayesfold as bf
from bayesfold.data.encodings import Categories
from bayesfold.data.frame import Frame
from bayesfold.data.schema import Schema
from bayesfold.families.categorical import Categorical
from bayesfold.families.m_estimate import MEstimate
from bayesfold.models.left_out import log_joint_by_families
from bayesfold.models.model import Model
from bayesfold.models.plan import cliques
from bayesfold.models.structures.aode import Aode
from bayesfold.tally.counter import count

NAMES = ("a", "b", "c", "d")


def one_of_each(mixture, schema, batch):
    """A model of a mixture that was counted for it alone."""
    families = dict.fromkeys(NAMES, MEstimate(deeper=2.0)) | {"y": Categorical()}
    return Model(mixture, families, count(schema, cliques(schema, mixture, families), batch))


@pytest.mark.parametrize("some", [[1, 3], [3, 0], [2]])
def test_some_networks_are_those_of_a_smaller_mixture(some):
    draw = np.random.default_rng(0)
    schema = Schema(Categories("y", ("p", "q")), tuple(Categories(name, ("u", "v", "w")) for name in NAMES))
    rows = {name: draw.choice(["u", "v", "w", None], 40, p=[0.4, 0.3, 0.2, 0.1]).tolist() for name in NAMES}
    batch = schema.encode(Frame.of(rows), draw.choice(["p", "q"], 40).tolist())
    mixture = Aode().learn(schema)
    fewer = replace(
        mixture, networks=tuple(mixture.networks[i] for i in some), roots=tuple(mixture.roots[i] for i in some)
    )
    whole, alone = one_of_each(mixture, schema, batch), one_of_each(fewer, schema, batch)
    for deeper in (0.5, 5.0):
        families = dict.fromkeys(NAMES, MEstimate(deeper=deeper)) | {"y": Categorical()}
        found, expected = (
            log_joint_by_families(model, batch, which)(families) for model, which in ((whole, some), (alone, None))
        )
        np.testing.assert_allclose(found, expected, rtol=1e-12)


@pytest.mark.parametrize("k", [1, 2])
def test_a_column_without_a_level_says_nothing_though_others_depend_on_it(k):
    """It has no value to be summed over where it is missing, which it always is."""
    levels = {"e": (), "c": ("only",), "d": ("one",)}
    x = {"e": [None] * 30, "c": ["only"] * 30, "d": [*["one"] * 29, None]}
    y = ["p", "q", "q"] * 10

    def learned(*names):
        schema = Schema(Categories("y", ("p", "q")), tuple(Categories(name, levels[name]) for name in names))
        return bf.KDB(k=k, schema=schema).fit({name: x[name] for name in names}, y)

    whole, without = learned("e", "c", "d"), learned("c", "d")
    assert any("e" in node.parents for node in whole.model_.mixture.networks[0])
    asked = {"e": [None] * 3, "c": ["only", None, "only"], "d": ["one", "one", None]}
    fewer = {name: asked[name] for name in ("c", "d")}
    np.testing.assert_allclose(whole.predict_proba(asked), without.predict_proba(fewer), rtol=1e-12)
    rows = {name: x[name] for name in ("c", "d")}
    np.testing.assert_allclose(whole.leave_one_out(x, y), without.leave_one_out(rows, y), rtol=1e-12)
