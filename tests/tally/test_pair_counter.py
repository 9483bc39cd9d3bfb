"""Which tables are counted in bitmaps, and that what a column shows alone is then counted with its pairs."""

import numpy as np
import pytest

from bayesfold.data.encodings import Categories
from bayesfold.data.frame import Frame
from bayesfold.data.schema import Schema
from bayesfold.tally import bitmaps
from bayesfold.tally.counter import count
from bayesfold.tally.layout import Clique, Layout
from bayesfold.tally.pair_counter import CrossTables
from bayesfold.tally.statistic import Tally

WIDE = tuple(f"v{i}" for i in range(40))
SCHEMA = Schema(
    Categories("y", ("p", "q")),
    (Categories("a", ("u", "v")), Categories("b", ("u", "v", "w")), Categories("c", WIDE)),
)
CLIQUES = tuple(Clique((*keys, "y")) for keys in ((), "a", "b", "c", "ab", "ac", "abc"))


def test_few_slots_go_into_bitmaps_and_others_do_not():
    tables = CrossTables.of(Layout(SCHEMA, CLIQUES))
    assert tables.pairs.columns == ("a", "b")
    assert len(tables.pairs.first) == 1
    assert tables.others == CLIQUES[5:]
    assert set(tables.alone) == {"a", "b"}
    assert tables.rest == [0, 1, 2, 3]


@pytest.mark.parametrize("weighted", [False, True])
def test_a_table_sums_to_those_of_its_columns(weighted):
    draw = np.random.default_rng(0)
    rows = {
        n: [None if draw.random() < 0.1 else str(draw.choice(SCHEMA.columns[n].levels)) for _ in range(300)]
        for n in "abc"
    }
    weight = draw.uniform(0.5, 2.0, 300) if weighted else None
    tally = count(SCHEMA, CLIQUES, SCHEMA.encode(Frame.of(rows), draw.choice(["p", "q"], 300), weight))
    whole = tally.table("a", "b", "c", "y")
    for keys, gone in (("ab", (2,)), ("ac", (1,)), ("a", (1, 2)), ("b", (0, 2)), ("c", (0, 1))):
        np.testing.assert_array_equal(tally.table(*keys, "y"), whole.sum(gone))


def test_parts_of_tallies_stand_side_by_side():
    draw = np.random.default_rng(1)
    rows = {n: [str(draw.choice(SCHEMA.columns[n].levels)) for _ in range(50)] for n in "abc"}
    batch = SCHEMA.encode(Frame.of(rows), draw.choice(["p", "q"], 50), draw.uniform(0.5, 2.0, 50))
    parts = [count(SCHEMA, CLIQUES[:4], batch), count(SCHEMA, CLIQUES[3:], batch)]
    wanted = (CLIQUES[5], CLIQUES[0], CLIQUES[3])
    found, expected = Tally.side_by_side(Layout(SCHEMA, wanted), parts), count(SCHEMA, wanted, batch)
    np.testing.assert_array_equal(found.counts, expected.counts)
    np.testing.assert_array_equal(found.weights, expected.weights)


def test_a_code_off_its_axis_is_still_refused_by_row():
    batch = SCHEMA.encode(Frame.of({n: ["u", "u"] for n in "ab"} | {"c": ["v0", "v1"]}), np.array(["p", "q"]))
    batch.codes[0].values[1, 0] = 9
    with pytest.raises(ValueError, match="column 'a' has the code 9 in row 1"):
        count(SCHEMA, CLIQUES, batch)


def test_blocks_of_words_add_up(monkeypatch):
    """One word a block, or all in one: a table of more rows than a block holds is counted the same."""
    draw = np.random.default_rng(2)
    rows = {n: draw.choice(SCHEMA.columns[n].levels, 500).tolist() for n in "abc"}
    batch = SCHEMA.encode(Frame.of(rows), draw.choice(["p", "q"], 500))
    whole = count(SCHEMA, CLIQUES, batch)
    monkeypatch.setattr(bitmaps, "WORDS", 1)
    monkeypatch.setattr(bitmaps, "ROOM", 0)
    np.testing.assert_array_equal(count(SCHEMA, CLIQUES, batch).counts, whole.counts)
