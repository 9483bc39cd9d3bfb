"""Some networks of a mixture: the same as a mixture of these alone."""

from dataclasses import replace

import numpy as np
import pytest

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
