"""Answers that are kept for an object, not for its content, and not for ever."""

import gc
import weakref

from bayesfold.runtime.identity_cache import MOST, kept_by_identity, kept_while_alive


def counted():
    """A function whose answers are kept, and the list of what it was really asked."""
    asked = []

    @kept_by_identity
    def size(numbers, unit, most=9):
        asked.append((numbers, unit))
        return min(len(numbers) * unit, most)

    return size, asked


def test_the_same_object_is_asked_about_once_for_each_other_argument():
    size, asked = counted()
    numbers = [1, 2]
    assert [size(numbers, 2), size(numbers, 3), size(numbers, 2), size(numbers, 3, most=5)] == [4, 6, 4, 5]
    assert len(asked) == 3


def test_an_equal_object_is_another():
    size, asked = counted()
    first, second = [1], [1]
    assert size(first, 1) == size(second, 1) == 1
    assert len(asked) == 2


def test_an_object_that_is_gone_is_not_mistaken_for_a_new_one():
    size, _ = counted()
    assert [size([0] * n, 1) for n in range(9)] == list(range(9))  # each may stand where the last one stood


def test_few_answers_are_kept():
    size, asked = counted()
    every = [[n] for n in range(MOST + 1)]
    for numbers in (*every, every[0], every[-1]):
        size(numbers, 1)
    assert len(asked) == MOST + 2  # of the first the answer was given up


class Table:
    """Something that can be asked about and be gone."""


def test_answers_about_an_object_go_with_it():
    asked = []

    @kept_while_alive
    def double(table, number):
        asked.append(number)
        return 2 * number

    table, other = Table(), Table()
    assert [double(table, 1), double(table, 1), double(table, 2), double(other, 1)] == [2, 2, 4, 2]
    assert asked == [1, 2, 1]
    gone = weakref.ref(table)
    del table
    gc.collect()
    assert gone() is None


def test_what_is_asked_for_again_and_again_stays():
    made = []

    @kept_by_identity
    def noted(asked):
        made.append(asked)
        return len(asked)

    often, others = (0,), [(i, i) for i in range(3 * MOST)]
    for other in others:
        noted(often)
        noted(other)
    assert made.count(often) == 1
