"""Parts are counted into one tally where they are pooled, and only those that are."""

import numpy as np
from sklearn.datasets import load_iris

from bayesfold import BayesClassifier
from bayesfold.learning.pool import parts


def test_a_part_that_does_not_earn_its_place_is_never_counted_into_the_tally_of_all(monkeypatch):
    united = []
    unite = parts.unite_models

    def noted(models, *table):
        united.append([*models])
        return unite(models, *table)

    monkeypatch.setattr(parts, "unite_models", noted)
    x, y = load_iris(return_X_y=True)
    clf = BayesClassifier().fit(x, y)
    assert "parzen" not in clf.model_.members
    assert united == [[*clf.model_.members]]
    united.clear()
    draw = np.random.default_rng(0)
    angle = draw.uniform(0, 2 * np.pi, 300)
    rings = (1 + np.arange(300) % 3)[:, None] * np.stack([np.cos(angle), np.sin(angle)], 1)
    clf = BayesClassifier().fit(rings + draw.normal(0, 0.1, (300, 2)), np.arange(300) % 3 == 1)
    assert united[-1] == [*clf.model_.members]
