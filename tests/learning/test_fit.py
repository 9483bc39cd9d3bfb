"""From a table to a model: what is checked before anything is learned."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import log_loss

from bayesfold import BayesClassifier, GaussianBayes, NaiveBayes
from bayesfold.data.frame import Frame
from bayesfold.learning import fit
from bayesfold.learning.fit import learn
from bayesfold.learning.one_column import Options
from bayesfold.learning.recipe import Recipe
from bayesfold.models.structures.kdb import Kdb
from bayesfold.tally.layout import TooLargeError

X = {"c": [*"abab"], "x": [1.0, 2.0, 4.0, 3.0]}
Y = [*"pqqp"]


@pytest.mark.parametrize(
    ("labels", "words"),
    [
        (["p", "q"], "there are 4 rows but 2 labels"),
        (np.array(["p", "q", None, "p"], object), "row 2 has no label; leave out rows whose class is unknown"),
        (None, "requires y to be passed"),
        ([0.5, 1.0, 2.0, 1.0], "continuous"),
        ([1.0, np.nan, 2.0, 1.0], "NaN"),
    ],
)
def test_labels_are_checked(labels, words):
    with pytest.raises(ValueError, match=words):
        NaiveBayes().fit(X, labels)


@pytest.mark.parametrize(
    ("weights", "words"),
    [
        ([1.0], "there are 4 rows but 1 weights"),
        ([1.0, -1.0, 1.0, 1.0], r"row 1 has the weight -1\.0; weights must be finite and at least 0"),
        ([1.0, 1.0, np.inf, 1.0], "row 2 has the weight inf"),
        ([0.0] * 4, "every sample weight is zero, so there is nothing to learn"),
    ],
)
def test_weights_are_checked(weights, words):
    with pytest.raises(ValueError, match=words):
        NaiveBayes().fit(X, Y, sample_weight=weights)


@pytest.mark.parametrize(
    ("priors", "words"),
    [
        ([0.5, 0.4], r"priors must be at least 0 and sum to 1; they sum to 0\.9"),
        ([1.5, -0.5], "priors must be at least 0"),
        ([0.5, np.nan], "priors must be"),
        ([0.2, 0.3, 0.5], "priors has 3 entries for 2 classes: 'p', 'q'"),
        ({"p": 1.0}, "the priors lack 'q'"),
    ],
)
def test_priors_are_checked(priors, words):
    with pytest.raises(ValueError, match=words):
        NaiveBayes(priors=priors).fit(X, Y)


@pytest.mark.parametrize(
    ("class_weight", "words"),
    [
        ("heavy", "class_weight='heavy' is not None, 'balanced' or a dict of a weight by class"),
        ([1.0, 2.0], "is not None, 'balanced' or a dict"),
        ({"z": 2.0}, "class_weight names 'z'; the classes are 'p', 'q'"),
        ({"p": -1.0}, r"class_weight.*'p'"),
        ({"p": np.nan}, r"class_weight.*'p'"),
    ],
)
def test_class_weights_are_checked(class_weight, words):
    with pytest.raises(ValueError, match=words):
        NaiveBayes(class_weight=class_weight).fit(X, Y)


def test_exponents_for_columns_that_are_not_there_are_refused():
    with pytest.raises(ValueError, match="weights names columns that are not in the schema: 'mass'"):
        NaiveBayes(weights={"mass": 0.5}).fit(X, Y)


@pytest.mark.parametrize("exponent", [np.nan, np.inf, "much"])
def test_an_exponent_is_a_finite_number(exponent):
    with pytest.raises(ValueError, match=r"weights.*'x'"):
        NaiveBayes(weights={"x": exponent}).fit(X, Y)


@pytest.mark.parametrize("option", ["alpha", "prior_alpha"])
@pytest.mark.parametrize("value", [-1, "much", None, float("nan")])
def test_smoothing_is_a_number_of_at_least_0_or_auto(option, value):
    with pytest.raises(ValueError, match=f"{option}=.* must be 'auto' or a number of at least 0"):
        NaiveBayes(**{option: value}).fit(X, Y)


def test_a_schema_that_is_given_is_used_as_it_is():
    first = NaiveBayes(families={"x": "poisson"}).fit(X, Y)
    second = NaiveBayes(schema=first.schema_).fit({"x": [5.0, 6.0], "c": ["b", "new"]}, ["q", "r"])
    assert [c.name for c in second.schema_.features] == ["c", "x"]
    assert second.schema_.features[0].levels == ("a", "b", "new")
    assert second.classes_.tolist() == ["p", "q", "r"]
    assert second.model_.class_counts().tolist() == [0, 1, 1]
    assert [(c.family, c.why) for c in second.columns_] == [
        ("categorical", "given by schema="),
        ("poisson", "given by schema="),
    ]
    both = first + second
    assert both.model_.class_counts().tolist() == [2, 3, 1]


def test_a_schema_lacks_a_column_that_the_table_lacks():
    first = NaiveBayes().fit(X, Y)
    with pytest.raises(ValueError, match="the table has no column 'x'"):
        NaiveBayes(schema=first.schema_).fit({"c": [*"ab"]}, [*"pq"])


def test_fitting_again_forgets_everything():
    clf = NaiveBayes().fit(X, Y).fit({"z": [1.0, 2.0, 3.0]}, [*"uvu"])
    assert clf.classes_.tolist() == ["u", "v"]
    assert clf.schema_.sources == ("z",)
    assert clf.model_.class_counts().tolist() == [2, 1]


def test_a_vectors_schema_is_handed_over_and_no_other_models():
    X, y = {"x": [1.0, 2.0, 3.0, 5.0, 8.0, 4.0], "c": [*"ababab"]}, [*"ppqqpq"]
    whole = GaussianBayes().fit(X, y)
    again = GaussianBayes(schema=whole.schema_).fit(X, y)
    np.testing.assert_array_equal(again.predict_proba(X), whole.predict_proba(X))
    for kind, schema in ((NaiveBayes, whole.schema_), (GaussianBayes, NaiveBayes().fit(X, y).schema_)):
        with pytest.raises(ValueError, match="another kind of model"):
            kind(schema=schema).fit(X, y)


def test_a_structure_whose_tables_would_be_nearly_empty_is_not_tried():
    draw = np.random.default_rng(0)
    table = {name: [f"v{k}" for k in draw.integers(0, 30, 60)] for name in "abcd"}
    recipe = Recipe(Options(alpha="auto"), weights="auto")
    tried = []

    class Spy(Kdb):
        def learn(self, schema, count):
            tried.append(self.k)
            return super().learn(schema, count)

    learn(Frame.of(table), draw.integers(0, 2, 60), None, replace(recipe, structure=(Spy(1), Spy(2), Spy(3))))
    assert tried == [1, 2]  # about 30^3 cells for each class and 60 rows
    with pytest.raises(TooLargeError, match="GiB"):
        learn(Frame.of(table), draw.integers(0, 2, 60), None, replace(recipe, structure=Kdb(1), most_bytes=100))


def small(seed, rows, words):
    """A few columns of which each tells a little by itself, as numbers or as words."""
    draw = np.random.default_rng(seed)
    y = draw.integers(0, 2, rows)
    x = draw.normal(size=(rows, 8)) + 0.7 * y[:, None]
    return pd.DataFrame(np.where(x > 1, "high", np.where(x < 0, "low", "mid")) if words else x), y


@pytest.mark.parametrize("alpha", [1.0, "auto"])
@pytest.mark.parametrize("sizes", [(1, 2), (1, 2, 3)])
def test_of_two_structures_too_the_one_that_predicts_rows_left_out_is_kept(sizes, alpha):
    """The class is the parity of three columns, of which two, whatever they are, tell nothing."""
    bits = np.array([*np.ndindex(2, 2, 2)] * 12)
    table = Frame.of({name: [*np.array(["no", "yes"])[bits[:, j]]] for j, name in enumerate("abc")})
    for y, parents in ((bits.sum(1) % 2, 2), (bits[:, 0], 1)):
        recipe = Recipe(Options(alpha=alpha), structure=tuple(map(Kdb, sizes)))
        (network,) = learn(table, y, None, recipe)[0].mixture.networks
        assert max(len(node.parents) - 1 for node in network) == parents


def test_cuts_learned_with_the_rows_must_earn_their_flattery(monkeypatch):
    """They have seen every row that is left out of the tables, and fifths have not."""
    new, truth = small(99, 1_000, words=False)
    model = BayesClassifier(structure="kdb")

    def losses():
        return [log_loss(truth, model.fit(*small(seed, 60, words=False)).predict_proba(new)) for seed in range(6)]

    paid = np.mean(losses())
    monkeypatch.setattr(fit, "A_CUT_COLUMN", 0.0)
    assert paid < np.mean(losses()) - 0.02


def test_more_parents_must_earn_their_flattery(monkeypatch):
    """These columns depend on the class alone, so that one parent is one too many already."""

    def parents():
        recipe = Recipe(Options(alpha="auto"), weights="auto", structure=Kdb.sizes())
        some = [small(seed, 60, words=True) for seed in range(8)]
        found = [learn(Frame.of({str(c): X[c].tolist() for c in X}), y, None, recipe)[0] for X, y in some]
        return [max(len(node.parents) - 1 for node in model.mixture.networks[0]) for model in found]

    assert max(parents()) == 1
    monkeypatch.setattr(fit, "EARNED", 0.0)
    assert max(parents()) > 1
