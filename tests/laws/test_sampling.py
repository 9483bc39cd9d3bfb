"""Rows drawn from a model are rows of the model: a refit of many of them finds it again."""

import numpy as np
import pytest

from bayesfold import families
from bayesfold.data.frame import Frame
from bayesfold.models.model import Model

from .tables import Rows, batch_of, kind, model_of, tally_of

NO_DENSITY = {"complement"}  # it has no distribution of its own to draw from
DRAWN = 30_000


def example(name):
    """Rows of three classes that differ in every column."""
    made = kind(name)
    draw = np.random.default_rng(11)
    cells = []
    for i in range(60):
        x = int(draw.integers(1, 5)) + 2 * (i % 3)
        if name == "text":
            cells.append(tuple(" ".join(["ham", "eggs", "spam"][k % 3] for k in range(x + j)) for j in range(2)))
            continue
        cells.append(
            tuple("abcd"[min(x % 4, 3)] if name == "categorical" else (x + j) % 9 + 1 for j in range(len(made.cells)))
        )
    return Rows(tuple(made.cells), tuple(cells), tuple("pqrrp"[i % 5] for i in range(60)))


@pytest.mark.parametrize("name", sorted(set(families.names()) - NO_DENSITY - {"kde", "multinormal", "parzen"}))
def test_a_refit_of_drawn_rows_finds_the_model_again(name):
    rows = example(name)
    model = model_of(name, "naive", rows)
    columns, labels = model.sample(DRAWN, np.random.default_rng(5))
    assert set(columns) == set(rows.names)
    drawn = model.schema.encode(Frame.of({n: np.asarray(v) for n, v in columns.items()}), labels)
    again = Model(model.mixture, model.families, tally_of(name, "naive", model.schema, rows))
    again.learn(drawn, model.schema)
    again.forget(batch_of(model.schema, rows))
    assert again.class_counts().sum() == DRAWN
    asked = batch_of(model.schema, rows)
    np.testing.assert_allclose(again.log_joint(asked), model.log_joint(asked), atol=0.25)
    np.testing.assert_allclose(np.exp(again.log_prior()), np.exp(model.log_prior()), atol=0.02)


@pytest.mark.parametrize("name", ["categorical", "gaussian", "kde", "multinomial"])
def test_the_same_seed_draws_the_same_rows(name):
    model = model_of(name, "naive", example(name))
    first, second, other = (model.sample(50, np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert first[1].tolist() == second[1].tolist()
    assert all(np.array_equal(first[0][n], second[0][n]) for n in first[0])
    assert first[1].tolist() != other[1].tolist()


def test_a_column_that_no_row_has_shown_is_drawn_as_missing():
    rows = Rows(("categorical 1", "categorical 2"), (("a", None), ("b", None)), ("p", "q"))
    columns, _ = model_of("categorical", "naive", rows).sample(5, np.random.default_rng(0))
    assert columns["categorical 2"].tolist() == [None] * 5
    assert set(columns["categorical 1"]) <= {"a", "b"}


def test_vectors_are_not_rows_that_could_be_drawn():
    with pytest.raises(ValueError, match="rows cannot be drawn from it"):
        model_of("multinormal", "naive", example("multinormal")).sample(2, np.random.default_rng(0))
