"""A vocabulary grows, keeps its numbers, and never changes for those who hold an older one."""

import pickle

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from bayesfold.terms import Analyser, index
from bayesfold.vocabulary import Vocabulary

TERMS = st.lists(st.text(min_size=1, max_size=12), max_size=30)


@given(TERMS)
def test_terms_keep_their_order_and_are_found(terms):
    vocabulary = Vocabulary.of(terms)
    distinct = list(dict.fromkeys(terms))
    assert list(vocabulary) == distinct
    assert vocabulary.numbers(distinct).tolist() == list(range(len(distinct)))
    assert all(term in vocabulary for term in terms)
    assert "\ud7ff no such term" not in vocabulary


@given(TERMS, TERMS)
def test_growing_appends_and_leaves_the_old_one_alone(first, second):
    old, other = Vocabulary.of(first), Vocabulary.of(second)
    grown = old.grown(other)
    assert list(grown) == list(dict.fromkeys([*first, *second]))
    assert list(old) == list(dict.fromkeys(first))
    assert grown.extends(old)
    np.testing.assert_array_equal(grown.places(other), grown.numbers(other))
    assert (old.places(grown)[len(old) :] == -1).all()


def test_two_that_grow_from_one_do_not_see_each_other():
    old = index(["one two"], Vocabulary.of([]), Analyser(), grow=True).vocabulary
    left = index(["three"], old, Analyser(), grow=True).vocabulary
    right = index(["four five"], old, Analyser(), grow=True).vocabulary
    assert (list(left), list(right), list(old)) == (
        ["one", "two", "three"],
        ["one", "two", "four", "five"],
        ["one", "two"],
    )
    assert index(["three four"], old, Analyser()).unknown.tolist() == [2]


@given(TERMS, TERMS)
def test_equal_is_the_same_terms_in_the_same_order(first, second):
    a, b = Vocabulary.of(first), Vocabulary.of(second)
    assert (a == b) == (list(a) == list(b))
    assert a != list(a)
    again = pickle.loads(pickle.dumps(a))
    assert again == a
    assert hash(again) == hash(a)
    assert list(again.grown(b)) == list(a.grown(b))


def test_a_long_one_grows_and_is_shown_in_short():
    many = Vocabulary.of(f"term {i}" for i in range(5000))
    assert many[4999] == "term 4999"
    assert many[-1:] == ["term 4999"]
    assert repr(many) == "<5,000 terms: 'term 0', 'term 1', 'term 2', 'term 3', ...>"
