"""Models that learn and forget rows on the command line."""

import numpy as np
from tests.cli.process import call

from bayesfold import load


def test_a_model_that_would_forget_everything_stays_unless_its_names_are_kept(tmp_path):
    (tmp_path / "t.csv").write_text("a,y\n" + "".join(f"{'uvw'[i % 3]},{'pq'[i % 2]}\n" for i in range(30)))
    call(tmp_path, "fit", "t.csv", "-t", "y", "-m", "naive")
    before = (tmp_path / "t.bayes").read_bytes()
    learned = load(tmp_path / "t.bayes").model_.tally.counts
    said = call(tmp_path, "forget", "t.bayes", "t.csv", code=1).stderr
    assert "no row and no class is left to save; --keep-levels keeps the names" in said
    assert (tmp_path / "t.bayes").read_bytes() == before
    call(tmp_path, "forget", "t.bayes", "t.csv", "--keep-levels")
    call(tmp_path, "update", "t.bayes", "t.csv")
    np.testing.assert_array_equal(load(tmp_path / "t.bayes").model_.tally.counts, learned)
