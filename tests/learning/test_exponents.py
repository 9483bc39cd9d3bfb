"""Exponents are learned from weighted rows as from so many copies of them."""

from typing import Any

import numpy as np
import pytest

import bayesfold as bf
from bayesfold.data.frame import Frame
from bayesfold.learning.choices import own_classes
from bayesfold.learning.exponents import select_columns
from bayesfold.learning.weights import log_loss, temperature
from bayesfold.models.model import Model

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


def test_the_columns_that_are_kept_have_the_loss_that_is_told() -> None:
    model = bf.KDB(k=1).fit(X, Y).model_
    batch = model.schema.encode(Frame.of(X), Y)
    telling = {"a": 0.4, "same": 0.3, "b": 0.2, "noise": 0.1}
    for tempered in (False, True):
        kept, loss = select_columns(model, batch, telling, tempered)
        joint, own = kept.log_joint(batch, leave_out=True), own_classes(batch)
        exponent = temperature(joint, own, None) if tempered else 1.0
        assert loss == pytest.approx(log_loss(exponent * joint, own, None), rel=1e-6)


def test_a_model_with_exponents_says_what_one_made_of_its_parts_says() -> None:
    """Its tables are taken over; a number stands beside the network, and has an exponent too."""
    table = X | {"size": DRAW.normal(size=ROWS) + (Y == "n")}
    model = bf.TAN(weights="auto", numeric="gaussian").fit(table, Y).model_
    again = Model(model.mixture, model.families, model.tally, model.prior, model.class_weight, model.calibration)
    batch = model.schema.encode(Frame.of(table), Y)
    assert {node.power for node in model.mixture.networks[0]} != {1.0}
    np.testing.assert_allclose(model.log_joint(batch), again.log_joint(batch), rtol=1e-9)


@pytest.mark.filterwarnings("error")
def test_networks_are_weighed_where_rows_are_less_probable_than_a_number_can_say() -> None:
    """Of rows left out no network has seen any of the pairs, and each pair costs forty nats."""
    draw = np.random.default_rng(0)
    y = draw.choice([*"pq"], 40)
    cells: dict[str, Any] = {f"c{i}": draw.integers(0, 9, 40).astype(str) for i in range(18)}
    cells["telling"] = np.where(draw.random(40) < 0.9, y, "p")
    model = bf.AODE(alpha=1e-18, combine="pool").fit(cells, y).model_
    parts = model.parts_left_out(model.schema.encode(Frame.of(cells), y))
    assert parts.max(axis=1).min() < -400
    assert np.isfinite(model.mixture.weights).all()
    assert np.isfinite(model.log_joint(model.schema.encode(Frame.of(cells), y))).all()
