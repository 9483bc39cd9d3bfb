"""Any network answers as the chain rule does, says what is impossible, and comes back from every file it goes into."""

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bayesfold as bf
from bayesfold.networks.declared import FormatWarning
from bayesfold.networks.formats import names as formats

from .networks import brute, network
from .seeds import seeds
from .sentences import attempt


def check(seed: int, folder: Path) -> None:
    """All laws, on the network of this seed."""
    net, draw = network(seed), np.random.default_rng([seed, 5])
    names, joint = brute(net)
    for _ in range(4):
        as_the_chain_rule(net, names, joint, draw)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FormatWarning)  # a UAI file has no names, and says so
        for name in formats():
            there_and_back(net, folder / f"n.{name}")


def as_the_chain_rule(net: Any, names: list[str], joint: Any, draw: np.random.Generator) -> None:
    """A query, the most probable states and the likelihood of what is seen, against sums over all states."""
    target, *seen = (int(i) for i in draw.permutation(len(names))[: int(draw.integers(1, len(names) + 1))])
    shown = {i: int(draw.integers(joint.shape[i])) for i in seen}
    cut = joint[tuple(slice(shown[i], shown[i] + 1) if i in shown else slice(None) for i in range(len(names)))]
    weights = cut.sum(axis=tuple(i for i in range(len(names)) if i != target))
    evidence = {names[i]: net.states(names[i])[s] for i, s in shown.items()}
    answer, refused = attempt(lambda: net.query(names[target], evidence=evidence))
    if isinstance(refused, bf.ImpossibleEvidence):
        assert weights.sum() < 1e-290
        return
    assert refused is None, refused
    if weights.sum() > 1e-290:
        np.testing.assert_allclose(answer.values, weights / weights.sum(), rtol=1e-9, atol=1e-12)
    assert np.isfinite(answer.values).all()
    assert answer.values.sum() == pytest.approx(1.0)


def there_and_back(net: Any, path: Path) -> None:
    """Written and read, it is the same network; or a sentence says what the format cannot say."""
    _, refused = attempt(lambda: bf.write_network(net, path))
    if refused is not None:
        assert not path.exists()
        return
    again = bf.read_network(path)
    assert len(again.nodes) == len(net.nodes)
    called = dict(zip(net.nodes, again.nodes, strict=True)) if set(again.nodes) != set(net.nodes) else None
    for name in net.nodes:
        other = name if called is None else called[name]
        np.testing.assert_allclose(again.table(other).values, net.table(name).values, rtol=1e-12, atol=0)
        if called is None:
            assert again.states(other) == net.states(name) or path.suffix == ".uai"


@pytest.mark.parametrize("seed", seeds(400))
def test_any_network(seed: int, tmp_path: Path) -> None:
    check(seed, tmp_path)
