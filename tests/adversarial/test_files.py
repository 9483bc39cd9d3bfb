"""Any file is read as the cells that it says, or refused in one line; a damaged one never ends in an error of ours."""

import contextlib
import gzip
import io
import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest
from tests.cli.process import call, main

from bayesfold.store import load

from .files import damaged, file, plain
from .seeds import seeds


def check(seed: int, folder: Path) -> None:
    """All laws, on the file of this seed."""
    as_it_says(seed, folder)
    in_one_line(seed, folder)


def as_it_says(seed: int, folder: Path) -> None:
    """The model of a file is that of the plain file of the same cells."""
    made = file(seed)
    (folder / "plain.csv").write_bytes(plain(made))
    (folder / f"odd{made.ending}").write_bytes(made.data)
    call(folder, "fit", "plain.csv", "-t", "y", "-m", "naive", "-o", "plain.bayes")
    call(folder, "fit", f"odd{made.ending}", "-t", "y", "-m", "naive", "-o", "odd.bayes")
    trained = [load(folder / name) for name in ("plain.bayes", "odd.bayes")]
    assert [model.rows for model in trained] == [len(made.rows)] * 2
    one, other = (model.model_ for model in trained)
    assert one.schema == other.schema
    np.testing.assert_array_equal(one.tally.counts, other.tally.counts)
    np.testing.assert_allclose(one.tally.sums, other.tally.sums, rtol=1e-12)
    said = (explained(folder, "plain.bayes", "plain.csv"), explained(folder, "odd.bayes", f"odd{made.ending}"))
    np.testing.assert_allclose(*said, rtol=1e-9, atol=1e-9)


def explained(folder: Path, model: str, table: str) -> list[float]:
    """The log-odds of all rows."""
    rows = json.loads(call(folder, "explain", model, table, "--first", "1000", "--json").stdout)
    return [row["log_odds"] for row in rows]


def in_one_line(seed: int, folder: Path) -> None:
    """A damaged file is learned, or refused with exit code 1 and one line that is no mistake of ours."""
    made = file(seed)
    forms = {"d.csv": made.data if made.ending != ".csv.gz" else plain(made)}
    table = pa.table({name: [row[i] for row in made.rows] for i, name in enumerate(made.names)})
    pa.parquet.write_table(table, folder / "d.parquet")
    forms["d.parquet"] = (folder / "d.parquet").read_bytes()
    pa.feather.write_feather(table, str(folder / "d.arrow"), compression="uncompressed")
    forms["d.arrow"] = (folder / "d.arrow").read_bytes()
    forms["d.jsonl"] = "\n".join(map(json.dumps, table.to_pylist())).encode()
    forms["d.csv.gz"] = made.data if made.ending == ".csv.gz" else gzip.compress(made.data)
    name = list(forms)[seed % len(forms)]
    (folder / name).write_bytes(damaged(forms[name], seed))
    code, said = told(folder, "fit", name, "-t", "y", "-m", "naive", "-o", "d.bayes")
    assert code in (0, 1), said
    if code:
        lines = [line for line in said.splitlines() if not line.startswith("note: ")]
        assert len(lines) == 1, said
        assert lines[0].startswith("bayesfold: "), said
        assert "mistake of bayesfold" not in said, said


def told(folder: Path, *arguments: str) -> tuple[int, str]:
    """The exit code, and what was said on standard error."""
    error = io.StringIO()
    with contextlib.chdir(folder), contextlib.redirect_stderr(error), contextlib.redirect_stdout(io.StringIO()):
        return main(list(arguments)), error.getvalue()


@pytest.mark.parametrize("seed", seeds(300))
def test_any_file(seed: int, tmp_path: Path) -> None:
    check(seed, tmp_path)
