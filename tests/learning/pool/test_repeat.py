"""What folds repeat of a model: the choices that are one for the whole model, and none that is made for a column."""

import numpy as np
import pytest

from bayesfold import BayesClassifier
from bayesfold.data.frame import Frame
from bayesfold.learning import choices as choose
from bayesfold.learning.labels_and_weights import coded_labels
from bayesfold.learning.pool import recommend, stacking
from bayesfold.learning.pool.recommend import recipe_of
from bayesfold.learning.pool.repeat import repeated, settled
from bayesfold.learning.pool.ways import Ways
from bayesfold.learning.recipe import Recipe


def rows(holes=0.1, many=120):
    """Four numbers, of which some are missing, and a word that tells; three classes."""
    draw = np.random.default_rng(3)
    y = draw.integers(0, 3, many)
    x = draw.normal(size=(many, 4)) + y[:, None] * [1.0, 0.6, 0.3, 0.0]
    x[draw.random(x.shape) < holes] = np.nan
    word = np.array(["a", "b", "c"])[np.where(draw.random(many) < 0.6, y, draw.integers(0, 3, many))]
    return Frame.of({**{f"x{j}": x[:, j] for j in range(4)}, "word": word.tolist()}), y


def learned():
    """Each part of a pool: the recipe, the model, the way it reads the columns."""
    frame, y = rows()
    ways = Ways(frame, coded_labels(y, frame.rows), None)
    for part in ("naive", "aode", "kdb", "gaussian", "parzen"):
        recipe = recipe_of(part, Recipe())
        yield part, recipe, *ways.learn(recipe)


@pytest.mark.parametrize("made", learned(), ids=lambda made: made[0])
def test_what_is_one_choice_for_a_model_is_made_once(made):
    part, recipe, model, way = made
    once = settled(recipe, model, way)
    if part in ("aode", "kdb"):
        assert once.deeper == (choose.deeper_of(model),)
        assert once.options.numeric in ("mdl", "quintiles")
        assert not isinstance(once.structure, tuple)
    if part in ("naive", "aode", "kdb"):
        assert once.ridges == (way.ridge,)
    if part == "gaussian":
        assert [len(of) for of in (once.normal.tied, once.normal.diagonal, once.normal.ranks)] == [1, 1, 1]
    if part == "parzen":
        assert [len(of) for of in (once.parzen.diagonal, once.parzen.widths)] == [1, 1]


@pytest.mark.parametrize("made", learned(), ids=lambda made: made[0])
def test_how_a_column_is_read_stays_open(made):
    part, recipe, model, way = made
    once = settled(recipe, model, way)
    assert not once.options.kept
    assert (once.options.codes, once.options.silent) == (recipe.options.codes, recipe.options.silent)
    if part == "naive":
        assert once.options == recipe.options
        assert repeated(recipe, model, way).options.kept
    if part in ("aode", "kdb"):
        assert once.options.missing_as in ("skip", "auto")


def test_folds_do_not_choose_again_what_is_settled(monkeypatch):
    """Smoothing is sought on the whole table alone; the same rows under open recipes seek it in each fold too."""
    frame, y = rows(holes=0.0)
    x = np.column_stack([frame.numbers(f"x{j}") for j in range(4)])
    sought = []
    downhill = choose.downhill
    monkeypatch.setattr(choose, "downhill", lambda *given: sought.append(given[1]) or downhill(*given))
    BayesClassifier().fit(x, y)
    once = len(sought)
    monkeypatch.setattr(recommend, "settled", lambda recipe, model, way: recipe)
    BayesClassifier().fit(x, y)
    assert len(sought) - once >= once + stacking.FOLDS
