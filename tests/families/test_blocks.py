"""Families of count blocks: leaving a row out equals counting without it, dense or sparse, and nothing is ever NaN."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.sparse import csr_array, csr_matrix

from bayesfold.data import sparse
from bayesfold.data.encodings import Categories, Counts
from bayesfold.data.frame import Frame
from bayesfold.data.schema import Schema
from bayesfold.families.bernoulli import Bernoulli
from bayesfold.families.complement import Complement
from bayesfold.families.multinomial import Multinomial
from bayesfold.tally.counter import count
from bayesfold.tally.layout import Clique
from bayesfold.tally.statistic import Cells

WIDTH, CLASSES = 7, 3
BLOCK = Clique(("y",), ("block",), 1)
VECTOR = tuple(np.linspace(0.1, 2.0, WIDTH).tolist())
FAMILIES = [
    kind(alpha, *more)
    for alpha in (0.0, 1e-10, 1.0, VECTOR)
    for kind, *more in ((Multinomial,), (Bernoulli,), (Complement,), (Complement, True))
]


def rows(
    seed: int, weighted: bool, fractions: bool
) -> tuple[NDArray[Any], NDArray[np.intp], NDArray[np.float64] | None]:
    """A block with an empty row, an empty column and a class of one row."""
    rng = np.random.default_rng(seed)
    x: NDArray[Any] = rng.poisson(0.6, (25, WIDTH)) * (rng.random((25, WIDTH)) if fractions else 1)
    x[3], x[:, 2] = 0, 0
    y = np.r_[CLASSES - 1, np.arange(24) % (CLASSES - 1)]
    return x, y, rng.choice([0.25, 0.5, 1.0, 2.0], 25) if weighted else None


def table(x: Any, y: NDArray[np.intp], weight: Any) -> Cells:
    """The cells of a block."""
    names = tuple(f"x{j}" for j in range(x.shape[1]))
    schema = Schema(Categories("y", tuple(range(CLASSES))), (Counts("block", names),))
    tally = count(schema, (Clique(("y",)), BLOCK), schema.encode(Frame(names, x.shape[0], {}, x), y, weight))
    return tally.cells(tally.layout.span([BLOCK]))


def held_out(family: Any, x: NDArray[Any], y: NDArray[np.intp], weight: Any) -> NDArray[np.float64]:
    """Each row scored by a table that never held it (or held one copy less of it)."""
    w = np.ones(len(y)) if weight is None else weight
    found = []
    for i in range(len(y)):
        less = w.copy()
        less[i] -= min(w[i], 1.0)
        kept = less > 0
        cells = table(x[kept], y[kept], None if weight is None else less[kept])
        found.append(family.log_density(family.hold(cells).fit(cells), x[i : i + 1])[0])
    return np.array(found)


@pytest.mark.parametrize("family", FAMILIES, ids=str)
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("fractions", [False, True])
def test_leaving_a_row_out_equals_counting_without_it(family: Any, weighted: bool, fractions: bool) -> None:
    x, y, weight = rows(0, weighted, fractions)
    binary = isinstance(family, Bernoulli)
    x = (x > 0).astype(np.float64) if binary else x
    expected = held_out(family, x, y, weight)
    leaving = np.ones(len(y)) if weight is None else np.minimum(weight, 1.0)
    for matrix in (x, csr_array(x), csr_matrix(x)):
        cells = table(matrix, y, weight)
        got = family.hold(cells).left_out(cells, matrix, y + 1, leaving, np.zeros(1, np.intp))[:, 0]
        want = expected if got.ndim == 2 else expected[np.arange(len(y)), y + 1]
        np.testing.assert_allclose(
            got[..., 1:] if got.ndim == 2 else got, want[..., 1:] if got.ndim == 2 else want, rtol=1e-9, atol=1e-9
        )


@pytest.mark.parametrize("family", FAMILIES, ids=str)
def test_pieces_do_not_change_the_answer(family: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    x, y, _ = rows(1, False, False)
    x = (x > 0).astype(np.float64) if isinstance(family, Bernoulli) else x
    cells = table(x, y, None)
    whole = family.left_out(cells, csr_array(x), y + 1, np.ones(len(y)), np.zeros(1, np.intp))
    for module in (sparse, __import__("bayesfold.families.bernoulli", fromlist=["PIECE"])):
        monkeypatch.setattr(module, "PIECE", 5)
    for matrix in (x, csr_array(x)):
        np.testing.assert_array_equal(
            family.left_out(cells, matrix, y + 1, np.ones(len(y)), np.zeros(1, np.intp)), whole
        )


@pytest.mark.parametrize("family", FAMILIES, ids=str)
def test_never_nan(family: Any) -> None:
    for x, y in (
        (np.zeros((1, WIDTH)), np.array([0])),
        (np.eye(WIDTH)[:1], np.array([1])),
        (np.ones((4, 1)), np.array([0, 0, 1, 1])),
        (np.zeros((4, WIDTH)), np.array([0, 0, 1, 1])),
    ):
        some = family if not isinstance(family.alpha, tuple) else type(family)(family.alpha[: x.shape[1]])
        cells = table(x, y, None)
        assert np.isfinite(some.log_density(some.fit(cells), np.ones((1, x.shape[1])))).all()
        assert np.isfinite(some.left_out(cells, x, y + 1, np.ones(len(y)), np.zeros(1, np.intp))).all()


def test_a_zero_factor_loses_against_fewer_zero_factors() -> None:
    x, y = np.array([[1, 1, 0], [0, 0, 1], [1, 0, 0]]), np.array([0, 1, 2])
    cells = table(x, y, None)
    family = Multinomial(0.0)
    scores = family.log_density(family.fit(cells), np.array([[1, 1, 0]]))[0, 1:]
    assert scores.argmax() == 0
    assert scores[2] > scores[1]


def test_duplicate_entries_of_a_sparse_row_are_one_entry() -> None:
    twice = csr_array((np.array([1.0, 2.0, 1.0]), np.array([0, 0, 1]), np.array([0, 2, 3])), shape=(2, 2))
    y, once = np.array([0, 1]), twice.toarray()
    for family in (Multinomial(), Complement()):
        cells = table(once, y, None)
        args = y + 1, np.ones(2), np.zeros(1, np.intp)
        np.testing.assert_array_equal(family.left_out(cells, twice, *args), family.left_out(cells, once, *args))
    assert twice.nnz == 3  # what was given is not touched


@pytest.mark.parametrize("kind", [Multinomial, Complement, Bernoulli])
def test_samples_have_the_moments_of_their_group(kind: Any) -> None:
    rng = np.random.default_rng(0)
    y = np.arange(3000) % CLASSES
    x = rng.poisson(np.array([[0.2, 2.0, 1.0], [1.0, 0.5, 3.0], [0.1, 0.1, 0.1]])[y])
    x = (x > 0).astype(np.int64) if kind is Bernoulli else x
    cells = table(x, y, None)
    family = kind()
    drawn = family.sample(family.fit(cells), y + 1, rng)
    for c in range(CLASSES):
        np.testing.assert_allclose(drawn[y == c].mean(0), x[y == c].mean(0), atol=0.25)


@pytest.mark.parametrize("weighted", [True, False])
def test_columns_that_one_row_or_two_show_are_left_out_as_if_they_had_not_been(weighted: bool) -> None:
    """A column whose sum is at most 1 is still one that was shown, until its only row is left out."""
    draw = np.random.default_rng(5)
    x = np.zeros((18, WIDTH))
    for j in range(WIDTH):
        x[draw.choice(18, 1 + j % 3, replace=False), j] = [1.0, 0.25, 0.5][j % 3]
    y = np.arange(18) % CLASSES
    weight = draw.choice([0.25, 0.5, 1.0], 18) if weighted else None
    leaving = np.ones(18) if weight is None else weight
    for family in (f for f in FAMILIES if not isinstance(f, Bernoulli)):
        cells = table(x, y, weight)
        got = family.hold(cells).left_out(cells, x, y + 1, leaving, np.zeros(1, np.intp))[:, 0]
        expected = held_out(family, x, y, weight)
        if got.ndim == 2:
            np.testing.assert_allclose(got[:, 1:], expected[:, 1:], rtol=1e-9, atol=1e-9, err_msg=str(family))
        else:
            np.testing.assert_allclose(got, expected[np.arange(18), y + 1], rtol=1e-9, atol=1e-9, err_msg=str(family))
