"""Means and variances of networks of numbers equal those of pyAgrum's CLG module, which has no categories."""

import sys
from importlib import import_module
from types import ModuleType

import numpy as np
import pytest
from tests.networks.mixed.brute_force import random_network

pytest.importorskip("pyagrum")


@pytest.fixture
def peer(monkeypatch):
    """pyAgrum's module; what compares pictures in it wants IPython, which nothing here needs."""
    library, pictures = import_module("pyagrum.lib"), ModuleType("pyagrum.lib.bn_vs_bn")
    monkeypatch.setitem(sys.modules, pictures.__name__, pictures)
    monkeypatch.setattr(library, "bn_vs_bn", pictures, raising=False)
    return import_module("pyagrum.clg")


def as_clg(clg, net):
    """The same network there."""
    other = clg.CLG()
    for v in net.nodes:
        line = net.lines(v)[()]
        other.add(clg.GaussianVariable(v, line.intercept, line.sd))
    for u, v in net.edges:
        other.addArc(u, v, net.lines(v)[()].slopes[u])
    return other


@pytest.mark.parametrize("seed", range(8))
def test_posteriors_are_those_of_pyagrum(peer, seed):
    net = random_network(seed, categories=0, numbers=6)
    draw = np.random.default_rng(seed)
    row = {v: float(column[0]) for v, column in net.sample(1, draw).items()}
    evidence = {v: x for v, x in row.items() if draw.random() < 0.4}
    engine = peer.CLGVariableElimination(as_clg(peer, net))
    engine.updateEvidence(evidence)
    for v in net.nodes:
        if v in evidence:
            continue
        theirs, ours = engine.posterior(v), net.query(v, evidence=evidence)
        assert ours.is_normal
        assert ours.mean == pytest.approx(theirs.mu(), rel=1e-9, abs=1e-9)
        assert ours.sd == pytest.approx(theirs.sigma(), rel=1e-9)
