"""Missing parents: summed out while that takes few terms, given up beyond, in every language as in Python."""

from types import SimpleNamespace

import numpy as np
import pytest

from bayesfold.data.encodings import Categories
from bayesfold.data.frame import Frame
from bayesfold.data.graph import Mixture, Node
from bayesfold.data.schema import Schema
from bayesfold.families.categorical import Categorical
from bayesfold.families.m_estimate import MEstimate
from bayesfold.models.model import Model
from bayesfold.models.plan import cliques
from bayesfold.models.scoring.missing_parents import MOST_SUMS
from bayesfold.tally.counter import count

from .answers import EVERYWHERE

MANY = 70
DRAW = np.random.default_rng(8)
ROWS = 400
COLUMNS = {name: DRAW.integers(0, MANY, ROWS) for name in "ab"} | {name: DRAW.integers(0, 3, ROWS) for name in "cde"}
LABELS = DRAW.choice(["p", "q"], ROWS)
NETWORK = (
    Node(("y",)),
    Node(("a",), ("y",)),
    Node(("b",), ("a", "y")),
    Node(("c",), ("a", "b", "y")),
    Node(("d",), ("c", "y")),
    Node(("e",), ("y",)),
)


@pytest.fixture(scope="module", params=[Categorical(1.0), MEstimate(2.0)], ids=str)
def model(request):
    levels = {name: tuple(range(MANY if name in "ab" else 3)) for name in COLUMNS}
    schema = Schema(Categories("y", ("p", "q")), tuple(Categories(n, v) for n, v in levels.items()))
    families = dict.fromkeys(COLUMNS, request.param) | {"y": Categorical(1.0)}
    mixture = Mixture((NETWORK,))
    tally = count(schema, cliques(schema, mixture, families), schema.encode(Frame.of(COLUMNS), LABELS))
    return Model(mixture, families, tally)


@pytest.mark.parametrize("language", EVERYWHERE)
def test_few_terms_are_summed_and_many_are_given_up(model, language):
    assert MANY**2 > MOST_SUMS > MANY * 3
    patterns = [(), "a", "b", "ab", "abc", "ac", "bc", "abd", "abcd", "cd", "d", "abcde"]
    full = {"a": 5, "b": 6, "c": 1, "d": 2, "e": 0}
    columns = {name: [None if name in gone else cell for gone in patterns] for name, cell in full.items()}
    clf = SimpleNamespace(model_=model, classes_=np.array(model.classes), loss=None, reject_cost=None)
    expected = model.log_proba(model.schema.encode(Frame.of(columns)), logs=False)
    np.testing.assert_allclose(EVERYWHERE[language](clf, columns)[0], expected, rtol=0, atol=1e-9)
    assert not np.allclose(expected[3], expected[1])
