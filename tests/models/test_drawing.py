"""Rows drawn from a model."""

import numpy as np
import pytest

import bayesfold as bf

DRAW = np.random.default_rng(0)
LABELS = DRAW.choice([*"pq"], 80)
TABLE = {name: np.where(DRAW.random(80) < 0.8, LABELS, "r") for name in "abc"}


def test_a_product_of_networks_cannot_be_drawn_from() -> None:
    with pytest.raises(ValueError, match="a product of networks is not a distribution of rows"):
        bf.AODE(combine="pool").fit(TABLE, LABELS).sample(5)


def test_rows_drawn_from_a_mean_of_networks_are_as_often_of_a_class_as_those_learned() -> None:
    rows, labels = bf.AODE().fit(TABLE, LABELS).sample(4_000, random_state=0)
    assert np.mean(np.asarray(labels) == "p") == pytest.approx(np.mean(LABELS == "p"), abs=0.04)
    told = np.asarray(rows["a"]) == np.asarray(labels)
    assert np.mean(told) == pytest.approx(np.mean(TABLE["a"] == LABELS), abs=0.06)


def test_rows_are_drawn_from_networks_in_the_shares_of_their_weights() -> None:
    """A copy of a column goes with it in every network but that of noise, which has no weight."""
    labels = np.tile([*"pq"], 200)
    one = np.where(np.arange(400) % 10 < 8, labels, np.where(labels == "p", "q", "p"))
    table = {"one": one, "copy": one, "noise": np.tile([*"uuvv"], 100)}
    rows, _ = bf.AODE(weights="information").fit(table, labels).sample(2_000, random_state=0)
    assert np.mean(np.asarray(rows["one"]) == np.asarray(rows["copy"])) > 0.97
