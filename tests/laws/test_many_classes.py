"""A row left out is a row taken out, whatever the number of classes: loops go over them four and two at a time."""

import numpy as np
import pytest

import bayesfold as bf
from bayesfold.data.frame import code
from bayesfold.data.tables import frame
from bayesfold.models.scoring import parent_tables

KINDS = {
    "tan": bf.TAN,
    "naive": bf.NaiveBayes,
    "kdb": bf.KDB,
    "spode": lambda **how: bf.SPODE(parent="a", **how),
    "aode": bf.AODE,
}


def rows(classes, seed=0):
    draw = np.random.default_rng(seed)
    y = draw.permutation(np.arange(6 * classes) % classes)
    table = {
        "a": np.array([*"uvw"])[(y + draw.integers(0, 2, len(y))) % 3],
        "b": np.array([*"xyz"])[draw.integers(0, 3, len(y))],
        "c": np.where(draw.random(len(y)) < 0.2, None, np.array([*"pq"])[(y + draw.integers(0, 2, len(y))) % 2]),
    }
    return {name: column.tolist() for name, column in table.items()}, np.array([f"class {k}" for k in y])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("few", [0, parent_tables.FEW])
def test_a_row_left_out_is_a_row_taken_out_whatever_the_number_of_classes(kind, few, monkeypatch):
    monkeypatch.setattr(parent_tables, "FEW", few)
    draw = np.random.default_rng(1)
    for classes in range(2, 11):
        table, y = rows(classes)
        weights = draw.uniform(0.5, 2.0, len(y))
        for how, weight in (({}, None), ({}, weights), ({"alpha": 0.0}, weights)):
            model = KINDS[kind](**how).fit(table, y, sample_weight=weight).model_
            batch = model.schema.encode(frame(table), code(y), weight)
            found = model.log_joint(batch, leave_out=True)
            for i in range(0, len(y), 4):
                one = batch.take(np.array([i]))
                expected = model.without(one).log_joint(one)[0]
                np.testing.assert_allclose(found[i], expected, rtol=1e-8, atol=1e-8, err_msg=f"{classes} {how}")
