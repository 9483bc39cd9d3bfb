"""A file in the folder is a family: found by its name, with everything that the paths ask for."""

import dataclasses

import numpy as np
import pytest

from bayesfold import families
from bayesfold.families import Family


@pytest.mark.parametrize("name", families.names())
def test_every_file_holds_a_frozen_family_of_its_name(name):
    kind = families.find(name)
    assert kind.__name__.lower() == name.replace("_", "")
    assert dataclasses.is_dataclass(kind)
    assert isinstance(kind(), Family)
    assert kind.order in {0, 1, 2}
    with pytest.raises(dataclasses.FrozenInstanceError):
        kind().alpha = 2.0
    assert kind() == kind()
    assert hash(kind()) == hash(kind())


@pytest.mark.parametrize("name", families.names())
def test_what_a_family_holds_while_rows_are_left_out_makes_it_no_other_family(name):
    plain = families.find(name)()
    held = [field.name for field in dataclasses.fields(plain) if "ndarray" in str(field.type)]
    holding = dataclasses.replace(plain, **dict.fromkeys(held, np.array([1.0, 2.0])))
    assert holding == dataclasses.replace(plain, **dict.fromkeys(held, np.array([3.0, 4.0]))) == plain
    assert hash(holding) == hash(plain)


def test_a_family_that_is_not_there_is_refused_with_those_that_are():
    with pytest.raises(ValueError, match=r"there is no family 'normal'; .*There are .*gaussian"):
        families.find("normal")


def test_helpers_of_families_are_no_families():
    assert not any(name.startswith("_") for name in families.names())
