"""Explanations add up, for every family and structure: 1,000 random models and rows of each kind when soaked."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesfold.explain import explain

from .tables import KINDS, STRUCTURES, model_of, several

every = pytest.mark.parametrize("structure", STRUCTURES)
each = pytest.mark.parametrize("name", KINDS)


def explained(model, rows, against=None):
    frame = rows.frame()
    batch = model.schema.encode(frame)
    joint = model.log_joint(batch)
    best = joint.argmax(1)
    return explain(model, batch, frame, best, against, np.array(model.classes)[best]), joint


@every
@each
@given(data=st.data())
def test_contributions_sum_to_the_models_log_odds(data, structure, name):
    learned, *asked = data.draw(several(name, 6))
    weight = data.draw(st.sampled_from([None, {"p": 4.0}, "balanced"]))
    model = model_of(name, structure, learned, class_weight=weight)
    if len(model.classes) < 2:
        return
    for rows in asked:
        found, joint = explained(model, rows)
        assert found.parts[0] == "prior"
        np.testing.assert_array_equal(found.margins.shape, (len(rows), len(model.parts)))
        order = np.sort(joint, axis=1)
        margin = order[:, -1] - order[:, -2]
        size = np.abs(found.margins).sum(1) + np.abs(joint).max(1) + 1
        assert (np.abs(found.log_odds - margin) <= 1e-9 * np.maximum(1, 1e-4 * size)).all()
        for i, one in enumerate(found):
            assert abs(one.log_odds - found.log_odds[i]) <= 1e-9 * max(1, 1e-4 * size[i])
            assert {reason.part for reason in one.reasons} >= set(model.parts)


@every
@each
@given(data=st.data())
def test_an_explanation_turned_round_changes_sign(data, structure, name):
    learned, asked = data.draw(several(name, 2))
    model = model_of(name, structure, learned)
    if len(model.classes) < 2:
        return
    frame = asked.frame()
    batch = model.schema.encode(frame)
    one, two = np.zeros(len(asked), np.intp), np.ones(len(asked), np.intp)
    there, back = (explain(model, batch, frame, a, b, np.array(model.classes)[a]) for a, b in ((one, two), (two, one)))
    np.testing.assert_array_equal(there.margins, -back.margins)
    np.testing.assert_array_equal(there.words.margins, -back.words.margins)


@each
@given(data=st.data())
def test_the_raw_cells_stand_beside_what_they_say(data, name):
    learned, asked = data.draw(several(name, 2))
    model = model_of(name, "naive", learned)
    if len(model.classes) < 2:
        return
    found, _ = explained(model, asked)
    for i, one in enumerate(found):
        cells = dict(zip(asked.names, asked.cells[i], strict=True))
        for reason in one.reasons:
            if reason.part not in cells:
                assert reason.value is None
            elif cells[reason.part] is None:
                assert reason.value is None or reason.value != reason.value
                assert reason.contribution == 0.0
            else:
                assert reason.value == cells[reason.part]
