"""Exponents are learned from weighted rows as from so many copies of them."""

from typing import Any

import numpy as np
import pytest

import bayesfold as bf

DRAW = np.random.default_rng(5)
ROWS = 90
COPIES = DRAW.integers(1, 5, ROWS)
Y = DRAW.choice([*"npq"], ROWS)
TOLD = np.where(DRAW.random(ROWS) < 0.6, Y, DRAW.choice([*"npq"], ROWS))
X = {"a": TOLD, "same": TOLD, "b": np.where(DRAW.random(ROWS) < 0.4, Y, "n"), "noise": DRAW.choice([*"uv"], ROWS)}


def learned(clf: Any) -> tuple[float, list[float], list[float]]:
    """The exponent on the joint probability, those on columns, and the weights of networks."""
    model = clf.model_
    powers = [node.power for network in model.mixture.networks for node in network]
    return model.calibration.exponent, powers, list(model.mixture.weights or ())


@pytest.mark.parametrize(
    "make",
    [
        lambda **told: bf.NaiveBayes(calibration="temperature", **told),
        lambda **told: bf.NaiveBayes(weights="auto", **told),
        lambda **told: bf.AODE(combine="pool", **told),
        lambda **told: bf.KDB(k=1, selective=True, calibration="temperature", **told),
    ],
    ids=["temperature", "columns", "networks", "selected"],
)
def test_exponents_of_weighted_rows_are_those_of_copies(make: Any) -> None:
    weighted = learned(make(weights_are="counts").fit(X, Y, sample_weight=COPIES.astype(float)))
    copied = learned(make().fit({name: cells.repeat(COPIES) for name, cells in X.items()}, Y.repeat(COPIES)))
    plain = learned(make().fit(X, Y))
    for own, other in zip(weighted, copied, strict=True):
        np.testing.assert_allclose(own, other, rtol=1e-5, atol=1e-6)
    assert weighted != plain  # so that weights which nobody reads are noticed
