"""Rows elsewhere, here in pieces of this process: what is guessed and counted by several is what one would count."""

from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pytest
from tests.io.engines.tables import mixed

from bayesfold.data.tables import frame
from bayesfold.io import sample
from bayesfold.io.engines import Survey
from bayesfold.io.fit import learn_from
from bayesfold.io.open import source_of_part
from bayesfold.learning.kinds import find
from bayesfold.tally.counter import count

ROWS = 9_001


@dataclass
class Pieces:
    """A table of which every piece is somebody else's; `passes` are the columns that were folded."""

    table: pa.Table
    many: int
    label: str = "the pieces"
    is_text: bool = False
    passes: list = field(default_factory=list)

    @property
    def types(self):
        return dict(zip(self.table.column_names, self.table.schema.types, strict=True))

    def sampled(self, columns, most, work, passing=None):
        drawn = self.table.select(columns).take(np.linspace(0, self.table.num_rows - 1, most).astype(int))
        return work(Survey(self.table.num_rows, drawn)), passing and self._folded(columns, passing)

    def folded(self, columns, fold):
        self.passes.append(tuple(columns))
        return self._folded(columns, fold)

    def _folded(self, columns, fold):
        ends = np.linspace(0, self.table.num_rows, self.many + 1).astype(int)
        pieces = [self.table.select(columns).slice(a, b - a) for a, b in pairwise(ends)]
        found = [
            fold.work(iter([piece.slice(0, 700), piece.slice(700)]), f"piece {i}") for i, piece in enumerate(pieces)
        ]
        while len(found) > 1:
            found = [fold.merge(found[i : i + 2]) for i in range(0, len(found), 2)]
        return fold.merge(found)


@pytest.fixture(autouse=True)
def small_sample(monkeypatch):
    monkeypatch.setattr(sample, "MOST_ROWS", 1_000)
    monkeypatch.setattr(sample, "LEAST_ROWS", 500)


def counted(model, table, weight=None):
    """The tally of all rows at once."""
    weights = None if weight is None else table.column(weight).to_numpy()
    features = frame(table.drop_columns([name for name in ("y", weight) if name]))
    batch = model.schema.encode(features, table.column("y").combine_chunks(), weights)
    return count(model.schema, model.tally.layout.cliques, batch)


def assert_same(tally, expected):
    np.testing.assert_array_equal(tally.counts, expected.counts)
    np.testing.assert_allclose(tally.sums.sum(0), expected.sums.sum(0), rtol=1e-12)
    np.testing.assert_allclose(tally.weights.sum(0), expected.weights.sum(0), rtol=1e-12)


@pytest.mark.parametrize("weight", [None, "weight"])
@pytest.mark.parametrize("many", [1, 7, 40])
def test_what_was_guessed_right_is_not_counted_again(many, weight):
    """Levels are in the same order however many look, and sums agree."""
    table = mixed(ROWS).select(["colour", "zip", "size", "y", *([weight] if weight else [])])
    part = Pieces(table.sort_by("colour"), many)  # so that hardly any two pieces show the same levels
    trained, account = learn_from(find("naive")(numeric="gaussian"), source_of_part(part), "y", weight)
    assert part.passes == []
    assert account.rows == ROWS
    assert_same(trained.model_.tally, counted(trained.model_, table, weight))
    one, _ = learn_from(find("naive")(numeric="gaussian"), source_of_part(Pieces(part.table, 1)), "y", weight)
    assert trained.model_.schema == one.model_.schema


def test_what_was_guessed_wrong_is_counted_again_and_nothing_else():
    table = mixed(ROWS).select(["colour", "size", "age", "y"])
    part = Pieces(table, 5)
    trained, _ = learn_from(find("naive")(families={"age": "poisson"}, numeric="gaussian"), source_of_part(part), "y")
    assert part.passes == [("age", "y")]
    assert_same(trained.model_.tally, counted(trained.model_, table))


def test_a_model_of_more_than_columns_side_by_side_guesses_nothing():
    table = mixed(ROWS).select(["colour", "size", "y"])
    part = Pieces(table, 3)
    trained, _ = learn_from(find("tan")(), source_of_part(part), "y")
    assert part.passes == [("colour", "size", "y")]
    assert_same(trained.model_.tally, counted(trained.model_, table))


@pytest.mark.parametrize("kind", ["naive", "tan"])
def test_rows_without_a_class_markers_and_a_class_that_only_few_show(kind):
    draw = np.random.default_rng(5)
    y = draw.choice(np.array(["a", "b", "?", "", None], object), ROWS, p=[0.5, 0.3, 0.1, 0.05, 0.05])
    y[4_444] = "rare"
    shape = draw.choice(np.array(["round", "flat", "?", None], object), ROWS)
    table = pa.table({"shape": shape, "hue": [f"h{v}" for v in draw.integers(0, 6, ROWS)], "y": y})
    clean = table.filter(pa.array([v not in ("?", "", None) for v in y.tolist()]))
    for rows in (table, table.filter(pa.array([v != "rare" for v in y.tolist()]))):
        trained, account = learn_from(find(kind)(missing="?"), source_of_part(Pieces(rows, 6)), "y")
        whole = clean.filter(pa.array([v in trained.model_.classes for v in clean.column("y").to_pylist()]))
        assert account.rows == whole.num_rows
        assert account.rows + account.unlabelled == rows.num_rows
        assert_same(trained.model_.tally, counted(trained.model_, whole))


def test_odd_rows_are_told_by_who_has_them():
    table = mixed(ROWS).select(["age", "y"]).append_column("w", pa.array(np.r_[np.ones(ROWS - 2), -1.0, 1.0]))
    with pytest.raises(ValueError, match=r"the pieces, piece 3, row 2,249: column 'w' is -1.0 here"):
        learn_from(find("naive")(), source_of_part(Pieces(table.slice(1), 4)), "y", "w")


def test_columns_that_only_some_pieces_find_to_have_few_values_are_left_to_a_pass_that_knows():
    """Each piece alone shows few names, all of them many."""
    number = np.arange(200_000)
    table = pa.table({"code": [f"c{n % 50_000}" for n in number], "a": number % 5 % 2, "y": number % 2})
    part = Pieces(table, 80)
    trained, _ = learn_from(find("naive")(families={}), source_of_part(part), "y")
    assert_same(trained.model_.tally, counted(trained.model_, table))
