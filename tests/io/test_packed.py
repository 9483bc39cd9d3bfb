"""Columns of a source as small codes: what they show is what the table shows, whatever engine reads it."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import bayesfold as bf
from bayesfold.io import blocks
from bayesfold.io.open import open_source
from bayesfold.io.packed import pack_columns
from bayesfold.learning.intervals import bin_words, in_bins

DRAW = np.random.default_rng(2)
TABLE = pd.DataFrame(
    {
        "city": DRAW.choice(["Rome", "Bern", None], 700),
        "stars": DRAW.integers(0, 5, 700),
        "sure": DRAW.random(700) < 0.3,
        "metres": DRAW.normal(100, 30, 700).round(2),
    }
)


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_codes_show_what_the_rows_show(kind, tmp_path, monkeypatch):
    path = tmp_path / f"table.{kind}"
    TABLE.to_csv(path, index=False) if kind == "csv" else TABLE.to_parquet(path)
    monkeypatch.setattr(blocks, "BLOCK", 128)
    rows, states = pack_columns(open_source(path), list(TABLE), cut=4)
    assert rows.rows == 700
    for name in ("city", "stars", "sure"):
        coded = rows.coded(name)
        shown = [None if i < 0 else coded.levels[i] for i in coded.index.tolist()]
        expected = [None if v is None or v != v else v for v in TABLE[name].tolist()]
        assert [str(v) for v in shown] == [str(v) for v in expected]
        assert coded.raw.dtype == np.int16
    (cut,) = states
    assert cut == "metres"
    often = np.bincount(rows.coded("metres").index, minlength=4)
    assert often.min() > 150
    assert len(states["metres"]) == 4
    assert rows.numbers("stars").tolist() == TABLE["stars"].tolist()


def test_learning_from_a_file_is_learning_from_its_rows(tmp_path):
    truth = bf.read_network("smoking")
    table = pa.table(truth.sample(3_000, random_state=1))
    pq.write_table(table, tmp_path / "rows.parquet")
    seen = []
    found = bf.learn_network_from(tmp_path / "rows.parquet", score="bdeu", progress=seen.append)
    expected = bf.learn_network(table, score="bdeu")
    assert found.dag == expected.dag
    assert found.score == expected.score
    assert seen[-1].share == 1.0
    for v in truth.nodes:
        np.testing.assert_array_equal(found.network.table(v).values, expected.network.table(v).values)
    some = bf.learn_network_from(tmp_path / "rows.parquet", ["cancer", "xray"])
    assert some.dag.names == ("cancer", "xray")


def test_holes_and_what_cannot_be_learned_are_said(tmp_path):
    TABLE.to_csv(tmp_path / "table.csv", index=False)
    with pytest.raises(ValueError, match=r"row \d+ has no value of 'city'.*Take em=True"):
        bf.learn_network_from(tmp_path / "table.csv", cut=3)
    assert bf.learn_network_from(tmp_path / "table.csv", cut=3, em=True).rows == 700
    many = pa.table({"id": [f"k{i}" for i in range(9_000)], "a": ["x", "y"] * 4_500})
    with pytest.raises(ValueError, match=r"'id' has .* different values, too many to learn its arcs"):
        bf.learn_network_from(many)
    with pytest.raises(ValueError, match="no column 'nme'"):
        bf.learn_network_from(many, ["nme"])
    with pytest.raises(TypeError, match="is a path, and this takes rows in memory"):
        bf.learn_network(str(tmp_path / "table.csv"))


def test_intervals_in_words():
    cuts = (1.5, 2.5)
    assert in_bins(np.array([1.0, 1.5, np.nan, 9.0]), cuts) == ["< 1.5", "1.5 to 2.5", None, "≥ 2.5"]
    assert len(bin_words(cuts)) == 3


def test_numbers_may_stay_numbers(tmp_path):
    draw = np.random.default_rng(0)
    x = draw.normal(0, 1, 9_000)
    table = pa.table({"x": x, "y": 2 * x + draw.normal(0, 1, 9_000), "few": draw.integers(0, 3, 9_000)})
    pq.write_table(table, tmp_path / "numbers.parquet")
    found = bf.learn_network_from(tmp_path / "numbers.parquet", numbers="gaussian")
    assert found.dag == bf.learn_network(table, numbers="gaussian").dag
    assert {"x", "y"} in [set(edge) for edge in found.dag.edges]
