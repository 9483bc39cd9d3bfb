"""Tables of a file that are strange, and yet in order."""

import numpy as np
import pytest

import bayesfold as bf
from bayesfold.data.encodings import Categories, Real
from bayesfold.data.schema import Schema
from bayesfold.families.gaussian import Gaussian
from bayesfold.store import Unreadable
from bayesfold.store.check_tally import check_cliques, check_held, check_numbers, is_clique
from bayesfold.store.content import Part
from bayesfold.tally.layout import Clique, Layout

X = {"coat": ["long", "short", "short", "long"], "tame": ["yes", "no", "yes", "no"]}
Y = ["cat", "dog", "dog", "cat"]


def test_the_table_of_the_class_may_stand_behind_the_others() -> None:
    model = bf.NaiveBayes().fit(X, Y).model_
    own, *others = model.tally.layout.cliques
    assert own == Clique(("class",))
    place = {name: at for at, name in enumerate(model.families)}
    families = tuple(model.families.values())
    parts = {"": Part(model.mixture, families, place, model.prior, model.class_weight, model.calibration)}
    check_cliques(Layout(model.schema, (own, *others)), parts)
    check_cliques(Layout(model.schema, (*others, own)), parts)
    with pytest.raises(Unreadable, match="the table of 'coat' is not there, or not where it is read"):
        check_cliques(Layout(model.schema, (own, *reversed(others))), parts)


def test_what_is_left_of_large_weights_that_were_taken_out_may_be_just_below_zero() -> None:
    weight = np.array([1e6, 1e6, 2e6, 3e6])
    tally = bf.NaiveBayes().fit(X, Y, sample_weight=weight).model_.tally
    weights = tally.weights.copy()
    empty = np.flatnonzero(weights[0] == 0)[0]
    weights[0, empty] = -0.5
    check_numbers(tally.layout, tally.counts, weights, tally.sums)
    weights[0, empty] = -50.0
    with pytest.raises(Unreadable, match="one of its weights is below 0"):
        check_numbers(tally.layout, tally.counts, weights, tally.sums)


def test_a_density_holds_a_finite_number_for_each_of_its_columns() -> None:
    check_held(Gaussian(), 2)
    check_held(Gaussian(centre=np.zeros(2), within=np.ones(2)), 2)
    for held in ((np.zeros(3), np.ones(3)), (np.zeros(2), np.array([1.0, np.inf])), (np.zeros(2), None)):
        with pytest.raises(Unreadable, match="does not hold a finite number for each of its columns"):
            check_held(Gaussian(centre=held[0], within=held[1]), 2)


@pytest.mark.parametrize(
    ("keys", "terms", "order", "is_one"),
    [
        (("y",), ("n",), 2, True), (("y",), ("n",), 1, True), (("y",), ("n",), 0, False), (("y",), ("n",), 3, False),
        (("a", "y"), (), 0, True), (("a", "y"), (), 1, False), (("y", "a"), (), 0, False), (("a",), (), 0, False),
        (("y",), ("a",), 2, False), (("y",), ("gone",), 2, False), (("a", "y"), ("n",), 2, False),
        (("n", "y"), (), 0, False), (("gone", "y"), (), 0, False), (("y",), ("n", "n"), 2, False),
    ],
)  # fmt: skip
def test_a_table_is_of_levels_and_sums_one_column_of_numbers_or_none(keys, terms, order, is_one):
    schema = Schema(Categories("y", ("p", "q")), (Categories("a", ("u", "v")), Real("n")))
    places = {"a": 0, "y": 1}
    assert bool(is_clique(schema, Clique(keys, terms, order), places)) is is_one
