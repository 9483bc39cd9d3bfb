"""A pool with kernels around rows answers elsewhere as it does here."""

import numpy as np
import pytest

import bayesfold as bf

from .answers import EVERYWHERE


def bent(rows, seed):
    """Two bent clouds, whose class no normal and no column alone tells; a category, and numbers with holes."""
    draw = np.random.default_rng(seed)
    y = draw.integers(0, 2, rows)
    angle = draw.uniform(0, np.pi, rows)
    x = np.where(y == 0, np.cos(angle), 1 - np.cos(angle)) + draw.normal(0, 0.15, rows)
    z = np.where(y == 0, np.sin(angle), 0.5 - np.sin(angle)) + draw.normal(0, 0.15, rows)
    x[draw.random(rows) < 0.05] = np.nan
    level = np.where(draw.random(rows) < 0.6, np.where(y == 0, "a", "b'"), "c").astype(object)
    level[draw.random(rows) < 0.05] = None
    return {"x": x.tolist(), "z": z.tolist(), "level": level.tolist()}, np.where(y == 0, "one", "two")


@pytest.fixture(scope="module")
def clf():
    model = bf.BayesClassifier().fit(*bent(250, 0))
    assert next(line.weight for line in model.report_.lines if line.name == "parzen") > 0.1
    return model


@pytest.mark.parametrize("where", EVERYWHERE)
def test_the_answers_are_the_same(where, clf):
    new, _ = bent(40, 1)
    new = {name: [*cells, None] for name, cells in new.items()}
    new["x"][0], new["level"][1] = 1e6, "never seen"
    p, labels = EVERYWHERE[where](clf, new)
    np.testing.assert_allclose(p, clf.predict_proba(new), rtol=1e-7, atol=1e-9)
    assert [str(v) for v in labels] == clf.predict(new).tolist()
