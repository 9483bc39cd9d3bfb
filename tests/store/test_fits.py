"""Annotations as tests of values, whatever Python and numpy make of them."""

from collections.abc import Mapping
from typing import Any, TypeVar

import numpy as np
import pytest
from numpy.typing import NDArray
from typing_extensions import TypeAliasType

from bayesfold.store.fits import fits

Scalar = TypeVar("Scalar", bound=np.generic)
ALIAS = TypeAliasType("ALIAS", np.ndarray[Any, np.dtype[Scalar]], type_params=(Scalar,))


@pytest.mark.parametrize("numbers", [NDArray[np.int64], ALIAS[np.int64]], ids=["NDArray", "alias"])
def test_an_array_is_told_by_its_numbers(numbers):
    assert fits(np.arange(3), numbers)
    assert not fits(np.arange(3.0), numbers)
    assert not fits([0, 1, 2], numbers)
    assert fits((np.arange(3), None), tuple[numbers | None, ...])


def test_an_array_of_anything_is_an_array():
    assert fits(np.array(["a"]), NDArray[Any])
    assert not fits("a", NDArray[Any])


@pytest.mark.parametrize(
    ("hint", "good", "bad"),
    [
        (tuple[int, ...], [(), (1,), (1, 2, 3)], [[1], ("a",), (1, "a"), 1]),
        (tuple[int, str], [(1, "a")], [(1,), (1, 2), ("a", "b"), (1, "a", 2), [1, "a"], ()]),
        (tuple[int, int], [(1, 2)], [(1,), (1, 2, 3)]),
        (tuple[str | None, ...], [("a", None), ()], [(1,), ("a", 1)]),
        (tuple[tuple[int, ...], ...], [((1,), ())], [(1,), (("a",),)]),
        (frozenset[str], [frozenset(), frozenset({"a"})], [{"a"}, frozenset({1}), ("a",)]),
        (dict[str, int], [{}, {"a": 1}], [{"a": "b"}, {1: 1}, {"a": 1, "b": "c"}, [("a", 1)]]),
        (Mapping[str, float], [{"a": 1, "b": 0.5}], [{"a": None}]),
        (int | None, [1, None], [1.5, "a", True]),
        (bool, [True, np.bool_(False)], [1, 0, None]),
        (int, [1, np.int64(2)], [True, 1.0, "1"]),
        (float, [1, 1.5, np.float32(1)], [True, "1", None]),
        (str, ["a"], [1, None, b"a"]),
        (None, [None], [0, False, ""]),
        (np.dtype, [np.dtype("f8")], ["f8", np.float64]),
        (Any, [Ellipsis, None, 1], []),
    ],
    ids=str,
)
def test_a_value_is_what_an_annotation_says_or_it_is_not(hint: Any, good: list[Any], bad: list[Any]) -> None:
    assert [fits(value, hint) for value in good] == [True] * len(good)
    assert [fits(value, hint) for value in bad] == [False] * len(bad)
