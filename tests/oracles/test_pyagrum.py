"""Posteriors of the published networks equal pyAgrum's, rows with holes included."""

import numpy as np
import pytest
from tests.networks.graphs import SOAK
from tests.networks.peers import as_pyagrum
from tests.networks.published import MISSING, NODES, PATHS

from bayesfold.networks.files import read_network

gum = pytest.importorskip("pyagrum")
pytestmark = pytest.mark.skipif(not PATHS, reason=MISSING)

QUICK = ["cancer", "earthquake", "survey", "asia", "sachs", "child", "alarm", "insurance", "hailfinder", "win95pts"]
GIANTS = {"munin1", "link", "munin4", "munin", "diabetes", "munin2", "munin3", "barley"}
"""One question takes the peer seconds: it is asked one row of each kind."""


def rows_with_holes(net, count, missing, draw):
    """Rows drawn from the network, so that they can happen, with cells left out."""
    codes = net.answers.sample(count, draw)
    holes = draw.random(codes.shape) < missing
    holes[np.arange(count), draw.integers(len(net.nodes), size=count)] = True  # something to ask
    columns = {v: np.array(net.states(v), object)[codes[:, j]] for j, v in enumerate(net.nodes)}
    for j, v in enumerate(net.nodes):
        columns[v][holes[:, j]] = None
    return columns


@pytest.mark.parametrize("missing", [0.0, 0.2, 0.5, 0.8])
@pytest.mark.parametrize("name", list(NODES) if SOAK else QUICK)
def test_posteriors_equal_those_of_pyagrum(name, missing):
    net = read_network(PATHS[name])
    peer = as_pyagrum(net)
    draw = np.random.default_rng(17)
    count = 1 if name in GIANTS else 20 if SOAK else 3
    rows = rows_with_holes(net, count, missing, draw)
    found = net.posteriors(rows)
    engine = gum.LazyPropagation(peer)
    for i in range(count):
        seen = {v: str(column[i]) for v, column in rows.items() if column[i] is not None}
        engine.setEvidence(seen)
        engine.makeInference()
        for v in net.nodes:
            np.testing.assert_allclose(found[v][i], engine.posterior(v).toarray(), rtol=0, atol=1e-12)
        hidden = [v for v in net.nodes if v not in seen]
        target = hidden[draw.integers(len(hidden))]
        alone = net.query(target, evidence=seen)
        np.testing.assert_allclose(alone.values, engine.posterior(target).toarray(), rtol=0, atol=1e-12)
        assert net.answers.log_probabilities(seen)[0] == pytest.approx(np.log(engine.evidenceProbability()), rel=1e-9)
