"""P(value | class) of each column."""

import numpy as np
import pytest
from scipy.stats import norm

import bayesfold as bf
from bayesfold.data.frame import Frame
from bayesfold.plots import densities
from bayesfold.plots._columns import column_likelihoods

from .sources import CLF, DRAW, TRUTH, TWO, X, Y, drawn


def test_densities_and_shares():
    classes, columns, _ = densities.data(CLF)
    by_name = {c.name: c for c in columns}
    assert set(by_name) == {"heat", "sex", "dose"}
    np.testing.assert_allclose(np.exp(by_name["sex"].log_p).sum(0), 1.0)
    heat = by_name["heat"]
    area = np.trapezoid(np.exp(heat.log_p), heat.values, axis=0)
    np.testing.assert_allclose(area, 1.0, atol=0.02)
    plain = bf.GaussianNB(var_smoothing=0).fit(X[["heat"]], Y)
    column = densities.data(plain)[1][0]
    for k in range(3):
        own = X.heat[k == TRUTH]
        expected = norm.pdf(column.values, own.mean(), own.std(ddof=0))
        np.testing.assert_allclose(np.exp(column.log_p[:, k]), expected, rtol=1e-9)
    assert classes == ("home", "intensive", "ward")


def test_the_figure_holds_the_numbers():
    numbers = densities.data(CLF, columns=["sex", "heat"])
    figure = drawn(densities, numbers)
    assert len(figure.data) == 6
    for n, column in enumerate(numbers[1]):
        for k in range(3):
            np.testing.assert_allclose(figure.data[3 * n + k].y, np.exp(column.log_p[:, k]))
    assert [note.text for note in figure.layout.annotations] == ["<b>heat</b>", "<b>sex</b>"]


def test_of_many_levels_the_frequent_ones_are_drawn():
    words = DRAW.choice([f"w{i}" for i in range(40)], 150)
    figure = drawn(densities, densities.data(bf.NaiveBayes().fit(X.assign(word=words), TWO), columns=["word"]))
    assert len(figure.data[0].x) == densities.MOST_LEVELS


def test_what_cannot_be_drawn_is_said():
    with pytest.raises(ValueError, match="columns of counts share one"):
        densities.data(bf.MultinomialNB().fit(X[["dose"]], Y))
    with pytest.raises(ValueError, match="call fit first"):
        densities.data(bf.NaiveBayes())


def test_a_few_bins_are_told_in_words_and_have_their_shares():
    clf = bf.NaiveBayes(numeric="mdl").fit(X, TWO)
    binned = {c.name: c for c in clf.schema_.features if c.name in ("heat", "dose")}
    columns = densities.data(clf).columns
    for column in columns:
        if column.name in binned:
            assert len(column.values) == len(binned[column.name].cuts) + 1
            assert all(isinstance(v, str) for v in column.values)
            np.testing.assert_allclose(np.exp(column.log_p).sum(0), 1.0)


def test_a_column_without_cuts_is_any_number():
    clf = bf.NaiveBayes(numeric="mdl").fit({"x": DRAW.normal(size=150)}, TWO)
    (column,) = densities.data(clf)[1]
    assert column.values == ("any number",)
    np.testing.assert_allclose(column.log_p, 0.0, atol=1e-12)


@pytest.mark.parametrize("kind", [bf.TAN, bf.AODE, bf.KDB, bf.GaussianBayes])
def test_models_whose_columns_do_not_add_up_are_refused_in_words(kind):
    with pytest.raises(ValueError, match=rf"in this {kind.__name__} columns depend on each other, or several"):
        densities.data(kind().fit(X, TWO))


def test_a_pool_shows_the_naive_bayes_in_it_and_exponents_are_left_out():
    """What is drawn is P(value | class): its shares sum to 1, and weights that were learned do not bend it."""
    for column in densities.data(bf.BayesClassifier().fit(X, TWO))[1]:
        if not column.is_number:
            np.testing.assert_allclose(np.exp(column.log_p).sum(0), 1.0)
    of = {"numeric": "gaussian"}  # with weights another density may be the best
    plain, weighed = (densities.data(bf.NaiveBayes(weights=w, **of).fit(X, TWO))[1] for w in (None, "auto"))
    for one, other in zip(plain, weighed, strict=True):
        np.testing.assert_allclose(one.log_p, other.log_p)


def test_whole_numbers_with_a_density_are_drawn_as_a_curve():
    ages = DRAW.integers(1, 9, size=200)
    clf = bf.GaussianNB().fit(ages[:, None].astype(float), ages + DRAW.integers(0, 5, size=200) > 6)
    column = densities.data(clf)[1][0]
    assert len(column.values) > 100
    assert max(np.diff(column.values)) < 0.2


def test_of_many_columns_the_most_informative_are_drawn_unless_they_are_named():
    wide = X[["sex"]].assign(**{f"noise {j}": DRAW.normal(size=len(X)) for j in range(60)})
    wide["tells"] = np.where(np.asarray(TWO) == np.unique(TWO)[0], 0.0, 3.0) + DRAW.normal(size=len(X))
    clf = bf.NaiveBayes(numeric="gaussian").fit(wide, TWO)
    _, columns, of = numbers = densities.data(clf)
    assert (len(columns), of) == (densities.MOST_COLUMNS, 62)
    assert "tells" in {c.name for c in columns}
    figure = drawn(densities, numbers)
    assert figure.layout.title.text == "P(value | class) of the 40 most informative of 62 columns"
    named = densities.data(clf, columns=[*wide])
    assert [c.name for c in named.columns] == [*wide]
    told = {c.name: densities.information(c.log_p, clf.model_.class_weights()) for c in named.columns}
    assert {c.name for c in columns} == set(sorted(told, key=told.get)[-densities.MOST_COLUMNS :])


def test_what_a_column_says_is_the_same_alone_and_among_others():
    _, _, all_of_them = column_likelihoods(CLF.model_, 65)
    (one,) = column_likelihoods(CLF.model_, 65, only=["heat"])[2]
    np.testing.assert_array_equal(one.log_p, next(c for c in all_of_them if c.name == "heat").log_p)
    for column in all_of_them:
        rows = [{column.name: None if v == "missing" else v} for v in column.values]
        if column.is_number:
            explained = CLF.model_.contributions(CLF.schema_.encode(rows_of(rows, CLF)))
            np.testing.assert_allclose(column.log_p, explained[:, CLF.model_.parts.index(column.name)], rtol=1e-12)


def rows_of(rows, clf):
    """The rows as a frame in which all other columns are missing."""
    return Frame.of({name: [row.get(name) for row in rows] for name in clf.schema_.sources})


@pytest.mark.parametrize("how", ["kde", "proportional"])
def test_a_number_in_many_cells_has_a_density_of_its_unit(how):
    """A cell's probability stood on the axis, which shrinks with the cell."""
    x = DRAW.normal(50, 10, size=4000)
    (column,) = densities.data(bf.NaiveBayes(numeric=how).fit({"x": x}, x + DRAW.normal(0, 9, 4000) > 50))[1]
    if not column.is_number:
        pytest.fail("few bins have names")
    area = np.trapezoid(np.exp(column.log_p), column.values, axis=0)
    np.testing.assert_allclose(area, 1.0, atol=0.1)
