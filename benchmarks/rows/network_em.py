"""Three iterations of EM with 10 % of the cells missing, beside pyAgrum's."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pandas as pd
from tests.networks.peers import as_pyagrum
from tests.networks.published import PATHS

from bayesfold import EM, BayesianNetwork, read_network
from benchmarks.rows import Options
from benchmarks.table import Line, at_least
from benchmarks.timing import alternate

SIZES = {"asia": 5_000, "alarm": 2_000}
ITERATIONS = 3


def peer_em(path: Path, peer: Any) -> Any:
    """The peer reads holes from a file only."""
    import pyagrum as gum

    learner = gum.BNLearner(str(path), peer, ["?"])
    learner.useEM(1e-9)
    learner.useSmoothingPrior(1)
    learner.EMsetMaxIter(ITERATIONS)
    return learner.learnParameters(peer.dag())


def run(options: Options) -> Iterator[Line]:
    """Ours from a frame, the peer from a file."""
    import pyagrum as gum

    gum.setNumberOfThreads(1)
    for name, rows in SIZES.items():
        net, draw = read_network(PATHS[name]), np.random.default_rng(0)
        table = pd.DataFrame(net.sample(options.rows(rows), draw)).astype(str)
        table = table.mask(draw.random(table.shape) < 0.1)
        bare = BayesianNetwork.from_edges(net.edges, net.nodes, states=net.axes)
        with TemporaryDirectory() as folder:
            path = Path(folder, "rows.csv")
            table.fillna("?").to_csv(path, index=False)
            ours = partial(bare.fit, table, em=EM(iterations=ITERATIONS, tolerance=0.0))
            ours_time, peer_time = alternate(ours, partial(peer_em, path, as_pyagrum(net)), peer_repeats=1)
        yield Line(
            f"{name} {len(table):,} rows, 10 % missing, {ITERATIONS} iterations of EM",
            "pyAgrum",
            ours_time,
            peer_time,
            at_least(100),
            note="ours counts once more, for the log-likelihood in the end",
        )
