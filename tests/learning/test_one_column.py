"""How columns are read where nothing is said about it."""

from dataclasses import fields

import pytest

import bayesfold as bf
from bayesfold.learning.one_column import Options

SHARED = [f.name for f in fields(Options) if f.name in bf.NaiveBayes().get_params() and f.name != "families"]


@pytest.mark.parametrize("name", SHARED)
def test_what_is_not_given_is_what_naive_bayes_takes(name: str) -> None:
    assert getattr(Options(), name) == bf.NaiveBayes().get_params()[name]
