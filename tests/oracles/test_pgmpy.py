"""Beside pgmpy, where that can be imported: PC-stable by the same p-values, climbing to scores at least as high.

`./dev` installs pgmpy with the few libraries that these tests need (requirements/networks.in), not with all it names.
pgmpy's variant "stable" takes arcs away while it goes through them, so it depends on the order of the columns; its
"parallel" does what the algorithm says.
"""

import pandas as pd
import pytest
from tests.networks.published import MISSING, PATHS

import bayesfold as bf

pytestmark = [pytest.mark.filterwarnings("ignore"), pytest.mark.slow]

NOT_WHOLE = (
    "pgmpy cannot be imported without the libraries of requirements/networks.txt: ./dev test installs them, or "
    "pip install --no-deps -r requirements/networks.txt"
)


@pytest.mark.parametrize(("name", "rows"), [("asia", 2_000), ("cancer", 3_000), ("survey", 2_000)])
def test_the_same_pairs_and_p_values(name, rows):
    peer = pytest.importorskip("pgmpy.estimators", reason=NOT_WHOLE, exc_type=ImportError)
    tests = pytest.importorskip("pgmpy.ci_tests", reason=NOT_WHOLE, exc_type=ImportError)
    if name not in PATHS:
        pytest.skip(MISSING)
    table = pd.DataFrame(bf.read_network(PATHS[name]).sample(rows, random_state=7)).astype(str)
    found = bf.learn_network(table, search="pc", significance=0.01).tested
    theirs, _ = peer.PC(table).build_skeleton(
        variant="parallel", ci_test="log_likelihood", significance_level=0.01, max_cond_vars=99, n_jobs=1,
        show_progress=False,
    )  # fmt: skip
    assert {*found.pattern.lines, *map(frozenset, found.pattern.arrows)} == {frozenset(e) for e in theirs.edges()}
    test = tests.LogLikelihood(table)
    for pair, given in found.separators.items():
        test(*sorted(pair), list(given), significance_level=0.01)
        assert found.p_values[pair] == pytest.approx(test.p_value_, abs=1e-9)


@pytest.mark.parametrize(("name", "rows"), [("asia", 1_000), ("asia", 5_000), ("survey", 2_000)])
@pytest.mark.parametrize("seed", range(3))
def test_the_score_is_at_least_that_of_its_hill_climbing(name, rows, seed):
    peer = pytest.importorskip("pgmpy.estimators", reason=NOT_WHOLE, exc_type=ImportError)
    if name not in PATHS:
        pytest.skip(MISSING)
    table = pd.DataFrame(bf.read_network(PATHS[name]).sample(rows, random_state=seed)).astype(str)
    theirs = peer.HillClimbSearch(table).estimate(scoring_method="bic-d", show_progress=False)
    ours = bf.learn_network(table)
    arcs = bf.BayesianNetwork.from_edges(list(theirs.edges()), list(table.columns))
    assert ours.compare(arcs).ahead >= -1e-6
