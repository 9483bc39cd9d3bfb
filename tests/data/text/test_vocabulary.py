"""A vocabulary grows, keeps its numbers, and never changes for those who hold an older one."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesfold.data.text import vocabulary as module
from bayesfold.data.text.tokenizer import Analyser, count_terms
from bayesfold.data.text.vocabulary import Vocabulary

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
    np.testing.assert_array_equal(grown.places(other), grown.numbers(other))
    assert (old.places(grown)[len(old) :] == -1).all()


def test_two_that_grow_from_one_do_not_see_each_other():
    old = count_terms(["one two"], Vocabulary.of([]), Analyser(), grow=True).vocabulary
    left = count_terms(["three"], old, Analyser(), grow=True).vocabulary
    right = count_terms(["four five"], old, Analyser(), grow=True).vocabulary
    assert (list(left), list(right), list(old)) == (
        ["one", "two", "three"],
        ["one", "two", "four", "five"],
        ["one", "two"],
    )
    assert count_terms(["three four"], old, Analyser()).unknown.tolist() == [2]


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


@pytest.mark.parametrize("size", [8, 9, 15, 16, 17, 24, 31, 126, 127, 128, 300])
def test_a_long_term_with_another_ones_key_is_told_apart_by_every_byte(size):
    term = "".join(chr(97 + i % 26) for i in range(size))
    vocabulary = Vocabulary.of(["first", term, "last"])
    begin = int(vocabulary.store.ends[1])
    for place in range(begin, begin + size):  # the key in the table stays that of the term
        vocabulary.store.arena[place] ^= 1
        assert term not in vocabulary
        vocabulary.store.arena[place] ^= 1
    assert vocabulary.numbers([term, term[:-1], term + "a"]).tolist() == [1, -1, -1]


def test_terms_of_127_bytes_and_more_have_their_length_compared():
    terms = ["x" * size for size in (7, 8, 9, 126, 127, 128, 254, 255, 256, 383)]
    assert list(Vocabulary.of(terms)) == terms


def test_a_vocabulary_that_is_full_says_so(monkeypatch):
    monkeypatch.setattr(module, "MOST_LETTERS", 1 << 14)
    docs = [f"word{i:04d}" for i in range(3_000)]
    before = Vocabulary.of(["old"])
    with pytest.raises(ValueError, match=r"cannot grow any more; read the text with hashed="):
        count_terms(docs, before, Analyser(), grow=True)
    assert list(before) == ["old"]
