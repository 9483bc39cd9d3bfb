"""Exported models answer as Python does: every structure, every family, every format, whatever cells are missing."""

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.store.export.answers import EVERYWHERE

from bayesfold import families

from . import tables
from .tables import CASES, Kind, model_of, several, weights

FEWER = max(4, settings().max_examples // 4)


REFUSED = ("text",)
"""Families of columns that formats other than JavaScript cannot read yet: they are refused by name."""


@pytest.fixture(autouse=True)
def all_but_the_refused(monkeypatch):
    """A table of all families, but for those that are refused."""
    every = tables.kind

    def kind(name):
        if name != "mixed":
            return every(name)
        whole = Kind()
        for family in families.names():
            whole |= Kind() if family in REFUSED else tables.one(family, family)
        return whole

    monkeypatch.setattr(tables, "kind", kind)


def classifier(model):
    """What an export asks of a classifier."""
    return SimpleNamespace(model_=model, classes_=np.array(model.classes), loss=None, reject_cost=None)


@pytest.mark.parametrize("language", EVERYWHERE)
@pytest.mark.parametrize(("structure", "name"), CASES)
def test_an_exported_model_answers_as_python_does(language, structure, name):
    @settings(max_examples=FEWER)
    @given(several(name, 2), st.data())
    def check(parts, data):
        learned, others = parts
        if data.draw(st.booleans()):
            learned = learned.weighing(data.draw(weights(len(learned))))
        model = model_of(name, structure, learned)
        if name in REFUSED and language != "js":
            with pytest.raises(TypeError, match=rf"column '{name} 1' is read as .*, which cannot be exported yet"):
                EVERYWHERE[language](classifier(model), learned.columns())
            return
        rows = learned.weighing(1.0) + others.weighing(1.0)  # the others show levels that were never seen
        proba, labels = EVERYWHERE[language](classifier(model), rows.columns())
        expected = model.log_proba(model.schema.encode(rows.frame()), logs=False)
        np.testing.assert_allclose(proba, expected, rtol=0, atol=1e-9)
        best = expected[np.arange(len(rows)), [model.classes.index(label) for label in labels]]
        np.testing.assert_allclose(best, expected.max(axis=1), rtol=0, atol=1e-9)

    check()
