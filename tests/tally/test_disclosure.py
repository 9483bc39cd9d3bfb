"""Small cells cannot be read off, nor worked out from totals; noise has the size that the budget says."""

import numpy as np
import pytest

import bayesfold as bf
from bayesfold.data.encodings import Categories, Real
from bayesfold.data.frame import Frame
from bayesfold.data.schema import Schema
from bayesfold.tally.counter import count
from bayesfold.tally.disclosure import add_noise, counts_of, hide_more, whole_shares, withhold
from bayesfold.tally.layout import Clique

CLASSES = Clique(("y",))
PAIR = Clique(("a", "b", "y"))
CLIQUES = (CLASSES, Clique(("a", "y")), Clique(("b", "y")), PAIR)
LEAST = 5


def tally_of(seed, cliques=CLIQUES, weight=None, rows=400):
    """Rows of two columns with rare levels and holes, and of three classes, one of them very rare."""
    draw = np.random.default_rng(seed)
    a, b = (draw.choice(["p", "q", "r", "s", None], rows, p=[0.5, 0.3, 0.15, 0.01, 0.04]) for _ in range(2))
    y = draw.choice(["no", "yes", "rare"], rows, p=[0.6, 0.395, 0.005])
    frame = Frame.of({"a": a.tolist(), "b": b.tolist(), "x": draw.normal(size=rows)})
    levels = ("p", "q", "r", "s")
    features = (Categories("a", levels), Categories("b", levels), Real("x"))
    schema = Schema(Categories("y", ("no", "rare", "yes")), features)
    return count(schema, cliques, schema.encode(frame, y.tolist(), weight))


@pytest.mark.parametrize("seed", range(20))
def test_no_cell_is_small_and_every_table_still_adds_up(seed):
    tally = withhold(tally_of(seed), LEAST)
    classes = counts_of(tally, CLASSES)
    assert not ((classes > 0) & (classes < LEAST)).any()
    for clique in CLIQUES:
        table = counts_of(tally, clique)
        shown = table[1:] if clique is not CLASSES else table
        assert not ((shown > 0) & (shown < LEAST)).any(), clique
        np.testing.assert_array_equal(table.reshape(-1, len(classes)).sum(0), classes)


@pytest.mark.parametrize("seed", range(20))
def test_what_is_withheld_is_no_difference_between_tables(seed):
    """What a line lacks of its total is nothing, or as many rows as a cell must have; or else all of it is lacking."""
    tally = withhold(tally_of(seed), LEAST)
    pair = counts_of(tally, PAIR)
    for axis, other in ((1, Clique(("a", "y"))), (0, Clique(("b", "y")))):
        total = counts_of(tally, other)[1:]
        lines = np.moveaxis(pair, axis, -1)[1:]
        lacking = total - lines.sum(-1)
        told = (lacking > 0) & (lacking < LEAST) & (lines.sum(-1) > 0)
        assert not told.any()


def test_sums_of_few_rows_and_their_weights_are_withheld():
    cliques = (CLASSES, Clique(("y",), ("x",), 2), Clique(("a", "y")))
    tally = withhold(tally_of(3, cliques, np.full(400, 2.0)), LEAST)
    rare = tally.schema.target.slot["rare"]
    assert counts_of(tally, cliques[1])[rare] == 0
    assert (tally.sums.reshape(2, -1, 2)[:, rare] == 0).all()
    np.testing.assert_array_equal(tally.weights.sum(0), 2.0 * tally.counts)


def test_noise_is_as_large_as_the_budget_says_and_adds_up():
    """Of T tables and a budget epsilon, a count is off by T / epsilon on average, a little more as noise is whole."""
    tally = tally_of(0, rows=200_000)
    off = []
    for seed in range(200):
        found = add_noise(tally, tally.schema, 2.0, np.random.default_rng(seed))
        assert (found.counts >= 0).all()
        classes = counts_of(found, CLASSES)
        for clique in CLIQUES:
            np.testing.assert_array_equal(counts_of(found, clique).reshape(-1, 4).sum(0), classes)
        off.append(abs(int(classes[1]) - int(counts_of(tally, CLASSES)[1])))
    r = np.exp(-2.0 / len(CLIQUES))
    assert abs(np.mean(off) / (2 * r / (1 - r * r)) - 1) < 0.2


@pytest.mark.slow
def test_one_row_more_changes_the_chances_of_what_comes_out_by_no_more_than_the_budget():
    """Of the class table alone: the chances of each outcome with and without a row, counted."""
    tally = tally_of(1, (CLASSES,))
    more = tally.copy()
    more.counts[1] += 1
    seen = [
        np.array([add_noise(t, t.schema, 1.0, np.random.default_rng(seed)).counts[1] for seed in range(6_000)])
        for t in (tally, more)
    ]
    middle = int(tally.counts[1])
    for outcome in range(middle - 1, middle + 3):
        a, b = (np.count_nonzero(found == outcome) for found in seen)
        assert abs(np.log(a / b)) < 1.0 + 0.25


def test_levels_that_only_these_rows_have_are_not_told():
    tally = tally_of(2)
    known = Schema(Categories("y", ("no", "yes")), (Categories("a", ("p", "q")), Categories("b", ("p",)), Real("x")))
    found = add_noise(tally, known, 1.0, np.random.default_rng(0))
    assert found.schema == known


@pytest.mark.parametrize(
    ("cliques", "weight", "epsilon", "why"),
    [
        ((CLASSES, Clique(("y",), ("x",), 2)), None, 1.0, "'x' would be summed"),
        (CLIQUES, np.ones(400), 1.0, "leave the weights out"),
        (CLIQUES, None, 0.0, "a number above 0"),
    ],
)
def test_what_noise_cannot_hide_is_refused(cliques, weight, epsilon, why):
    tally = tally_of(0, cliques, weight)
    with pytest.raises(ValueError, match=why):
        add_noise(tally, tally.schema, epsilon, np.random.default_rng(0))


def test_sums_of_all_columns_together_are_not_shown():
    clf = bf.GaussianBayes().fit({"zip": [*"abcd"] * 10, "x": np.arange(40.0)}, [*"pq"] * 20)
    with pytest.raises(ValueError, match="sums of all columns together tell of single rows"):
        withhold(clf.model_.tally, 5)


def test_a_cell_without_rows_hides_no_other():
    """Where 9 rows are hidden so that 2 are not known, they stay unknown only if 60 are hidden too."""
    table = np.array([[2, 40, 50], [9, 0, 60], [70, 80, 90]])
    hidden = np.zeros(table.shape, bool)
    hidden[0, 0] = True
    hide_more(table, hidden, [0, 1], LEAST)
    assert hidden[1].tolist() == [True, False, True]
    assert not hidden[table == 0].any()


def test_terms_that_few_documents_of_a_class_show_are_withheld():
    texts = ["ham eggs"] * 6 + ["ham tea"] * 2 + ["spam tea"] * 7
    tally = bf.TextClassifier(model="multinomial", weights=None).fit(texts, [*"p" * 8, *"q" * 7]).model_.tally
    (text,) = tally.schema.texts
    clique = next(c for c in tally.layout.cliques if c.terms)

    def shown(of):
        """Weight and documents of each term, [class, term, 2]."""
        cells = of.cells(of.layout.span([clique]))
        return dict(
            zip(
                text.vocabulary,
                (cells.high + cells.low)[0, 1:].reshape(2, -1, 2).transpose(1, 0, 2).tolist(),
                strict=True,
            )
        )

    assert shown(tally)["tea"] == [[2.0, 2.0], [7.0, 7.0]]
    left = shown(withhold(tally, LEAST))
    assert left == {"ham": [[8.0, 8.0], [0.0, 0.0]], "eggs": [[6.0, 6.0], [0.0, 0.0]], "tea": [[0.0, 0.0], [7.0, 7.0]],
                    "spam": [[0.0, 0.0], [7.0, 7.0]]}  # fmt: skip


@pytest.mark.parametrize(
    ("parts", "rows", "shares"),
    [
        ([0, 0, 0], 5, [5, 0, 0]), ([1, 1, 1], 4, [2, 1, 1]), ([1, 1, 1], 5, [2, 2, 1]), ([0, 3, 1], 8, [0, 6, 2]),
        ([2, 1, 0], 2, [1, 1, 0]), ([5, 5], 0, [0, 0]), ([0.1, 0.9], 7, [1, 6]),
    ],
)  # fmt: skip
def test_shares_are_whole_and_add_up(parts, rows, shares):
    assert whole_shares(np.array(parts, float), rows).tolist() == shares


@pytest.mark.parametrize("axes", [[0], [1], [0, 1]])
def test_hidden_cells_are_never_alone_in_a_line_nor_few_rows_together(axes):
    for seed in range(20):
        draw = np.random.default_rng(seed)
        table = draw.integers(0, 12, (4, 5))
        first = (table > 0) & (table < 3)
        hidden = first.copy()
        hide_more(table, hidden, axes, LEAST)
        assert (hidden | ~first).all(), "what was hidden stays so"
        for axis in axes:
            for line, mask in zip(np.moveaxis(table, axis, -1), np.moveaxis(hidden, axis, -1), strict=True):
                shown = line[~mask & (line > 0)]
                if mask.any() and len(shown):
                    assert mask.sum() >= 2
                    assert line[mask].sum() >= LEAST
    table, hidden = np.array([[2, 9, 7, 30]]), np.array([[True, False, False, False]])
    hide_more(table, hidden, [1], 9)
    assert hidden.tolist() == [[True, False, True, False]], "the smallest of the others"
    nothing = np.zeros((2, 3), bool)
    hide_more(np.ones((2, 3), int), nothing, [0, 1], 5)
    assert not nothing.any()
