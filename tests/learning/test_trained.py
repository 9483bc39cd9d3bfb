"""A model and what it was told: what it passes on, and what becomes of that when rows come and go."""

from dataclasses import replace

import numpy as np
import pytest

import bayesfold as bf
from bayesfold.data.frame import Frame
from bayesfold.estimators.saved import trained_of
from bayesfold.learning.kinds import find
from bayesfold.learning.trained import DropIn, Step, Trained, of_features, train

COAT = ["short", "long", "short", "short", "long", "curly"] * 5
SIZE = [1.0, 2.0, 8.0, 9.0, 1.5, 2.5] * 5
PET = ["cat", "cat", "dog", "dog", "cat", "owl"] * 5


def pets(kind="naive", **told):
    return train(find(kind)(**told), Frame.of({"coat": COAT, "size": SIZE}), PET, "pet")


def test_what_was_told_is_what_is_decided_by():
    loss = {"cat": {"dog": 5, "owl": 1}, "dog": {"cat": 1, "owl": 1}, "owl": {"cat": 1, "dog": 1}}
    plain, told = pets(), pets(loss=loss, reject_cost=0.25, reject_label="?")
    assert (plain.loss, plain.reject_cost) == (None, None)
    assert (told.loss, told.reject_cost, told.reject_label) == (loss, 0.25, "?")
    log_p = np.log([[0.9, 0.06, 0.04], [0.5, 0.45, 0.05]])
    assert plain.decide(log_p).tolist() == ["cat", "cat"]
    assert told.decide(log_p).tolist() == ["?", "?"]
    assert pets(reject_cost=0.25, reject_label="?").decide(log_p).tolist() == ["cat", "?"]
    assert told.rows == 30
    assert told.unseen_share_ == 0.0
    assert told.target == "pet"
    assert told.names == ("coat", "size")
    drop = DropIn("BernoulliNB", {"loss": 1, "reject_cost": 2, "reject_label": 3})
    assert (drop.loss, drop.reject_cost, drop.reject_label) == (1, 2, 3)


def test_rows_come_and_go_and_what_was_found_out_is_of_the_old_model():
    model = pets()
    model.scores = object()
    assert model.judged is model.scores
    model.learn({"coat": ["bald"], "size": [3.0]}, ["fox"])
    assert (model.rows, model.judged) == (31, None)
    assert model.classes_.tolist() == ["cat", "dog", "fox", "owl"]
    model.forget({"coat": ["bald"], "size": [3.0]}, ["fox"], keep_levels=True)
    assert (model.rows, len(model.classes_)) == (30, 4)
    model.trim()
    assert model.classes_.tolist() == ["cat", "dog", "owl"]
    with pytest.raises(ValueError, match="row 0"):
        model.forget({"coat": ["purple"], "size": [3.0]}, ["cat"])
    assert model.rows == 30


def test_classes_that_were_named_stay_when_their_rows_are_gone():
    loss = {a: {b: 1 for b in ("cat", "dog", "owl") if b != a} for a in ("cat", "dog", "owl")}
    owls = {"coat": ["curly"] * 5, "size": [2.5] * 5}
    for told, left in (({}, ["cat", "dog"]), ({"loss": loss}, ["cat", "dog", "owl"])):
        model = pets(**told)
        model.forget(owls, ["owl"] * 5)
        assert model.classes_.tolist() == left
        assert "curly" not in model.model_.schema.columns["coat"].levels


def test_models_are_emptied_and_merged():
    model = pets()
    model.history = (Step("fit", 30, "a.csv"),)
    empty = model.blank()
    assert (empty.rows, empty.history, empty.scores) == (0, (), None)
    other = pets()
    other.history = (Step("fit", 30, "b.csv"),)
    other.scores = object()
    both = model.merge(other)
    assert both.rows == 60
    assert [step.source for step in both.history] == ["a.csv", "b.csv"]
    assert both.scores is None
    for stranger in (pets("aode"), train(find("naive")(), Frame.of({"coat": COAT, "size": SIZE}), PET, "animal")):
        with pytest.raises(ValueError, match="cannot be merged: they are models of different things"):
            model.merge(stranger)


@pytest.mark.parametrize("act", ["learn", "forget", "merge", "blank"])
def test_what_follows_other_rules_learns_only_in_python(act):
    model = trained_of(bf.BernoulliNB().fit([[0, 1], [1, 0]], [0, 1]))
    assert isinstance(model, Trained)
    given = {"learn": ([[0, 1]], [0]), "forget": ([[0, 1]], [0]), "merge": (model,), "blank": ()}[act]
    with pytest.raises(ValueError, match=r"this is a BernoulliNB, which follows scikit-learn's rules: to "):
        getattr(model, act)(*given)
    assert model.unseen_share_ == 0.0


def test_markers_of_the_target_are_none_of_the_features():
    settings = find("naive")(missing={"pet": "?", "coat": "-"})
    assert of_features(settings, "pet").missing == {"coat": "-"}
    assert of_features(settings, "size") is settings
    both = replace(pets(), settings=settings)
    assert both.feature_settings.missing == {"coat": "-"}
    plain = find("naive")(missing="?")
    assert of_features(plain, "pet") is plain
