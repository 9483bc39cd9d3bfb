"""Annotations as tests of values, whatever Python and numpy make of them."""

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
