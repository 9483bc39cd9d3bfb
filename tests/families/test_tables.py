"""A table of one column, asked by slot, says what the model says of the value: missing, a level, or one never seen."""

import numpy as np
import pytest

from bayesfold import NaiveBayes
from bayesfold.data.frame import Frame
from bayesfold.models.scoring.group import group_columns

LEVELS = [1, 2, 4, 7]


@pytest.mark.parametrize("family", ["categorical", "m_estimate", "kde"])
def test_a_slot_has_the_density_of_its_value(family):
    draw = np.random.default_rng(2)
    c, noise = draw.choice(LEVELS, 90), draw.choice([*"pqr"], 90)
    y = np.where(draw.random(90) < 0.3, noise, np.where(c < 2, "p", np.where(c < 5, "q", "r")))
    model = NaiveBayes(families={"c": family}).fit({"c": c}, y).model_
    (group,) = model.groups
    batch = model.schema.encode(Frame.of({"c": [None, *LEVELS, 100]}))
    ((_, slots),) = group_columns(batch, group)
    cells, held = group.held(model.tally)
    log_p, said = held.log_density(held.fit(cells), slots[:, 0])[:, 1:], model.contributions(batch)[:, 1]
    np.testing.assert_allclose(log_p, said, rtol=1e-12, atol=1e-15)
    assert (log_p[0] == 0).all()
    assert (np.ptp(log_p[1:-1], axis=0) > 0).all()
    beyond = held.log_density(held.fit(cells), np.array([10**6]))[:, 1:]
    assert (beyond == 0).all()  # a value never seen, whatever its slot
