"""What is chosen by rows left out, and what where there are none to choose by."""

import numpy as np
import pytest

import bayesfold as bf
from bayesfold.data.frame import Frame
from bayesfold.families.text import Text
from bayesfold.learning import choices
from bayesfold.learning.trained import find, train
from bayesfold.models.model import Model


@pytest.mark.parametrize(("labels", "alpha"), [("pppppp", 1.0), ("pppppq", 1.0), ("ppppqq", 0.25), ("pppqqr", 0.25)])
def test_alpha_is_chosen_where_two_classes_have_two_rows(
    labels: str, alpha: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(choices, "downhill", lambda *_: 0.25)
    texts = ["ham eggs", "ham", "eggs ham", "ham spam", "spam", "tea"]
    clf = bf.TextClassifier(model="multinomial", alpha="auto").fit(texts, [*labels])
    assert [family.alpha for family in clf.model_.families.values() if isinstance(family, Text)] == [alpha]


def test_rows_to_be_left_out_are_chosen_once_and_by_their_content() -> None:
    draw = np.random.default_rng(0)
    frame = Frame.of({"x": draw.normal(size=900).round(1)})
    model = train(find("naive")(numeric="gaussian"), frame, draw.choice([*"pq"], 900)).model_
    assert isinstance(model, Model)
    batch = model.schema.encode(frame, model.schema.target.levels * 450)
    rows = choices.rows_left_out(model, batch, 300)
    assert 200 < rows.rows < 400
    assert choices.rows_left_out(model, batch, 300) is rows
    other = choices.rows_left_out(model, batch, 100)
    assert other.rows < rows.rows
    turned = np.arange(900)[::-1]
    again = choices.rows_left_out(model, batch.take(turned), 300)
    np.testing.assert_array_equal(np.sort(again.column("x")), np.sort(rows.column("x")))


@pytest.mark.parametrize(
    ("losses", "start", "best"),
    [
        ([3.0, 2.0, 1.0, 2.0, 3.0], None, 2.0),
        ([3.0, 2.0, 1.0, 2.0, 3.0], 0.0, 2.0),
        ([1.0, 2.0, 3.0, 4.0, 5.0], 4.0, 0.0),
        ([5.0, 4.0, 3.0, 2.0, 1.0], None, 4.0),
        ([1.0, 2.0, 3.0, 2.0, 1.0], None, 0.0),  # the lower of two ways down that are as steep
        ([1.0, 9.0, 2.0, 9.0, 0.0], None, 2.0),  # no farther than the next hill
    ],
)
def test_downhill_ends_where_no_neighbour_is_better(losses: list[float], start: float | None, best: float) -> None:
    values = [0.0, 1.0, 2.0, 3.0, 4.0]
    assert choices.downhill(lambda value: losses[int(value)], values, start) == best


def test_losses_that_differ_by_rounding_are_equal() -> None:
    """Else the order in which columns stand would choose."""
    for tiny in (1e-13, -1e-13):
        assert choices.downhill(lambda value, tiny=tiny: 0.7 + tiny * value, [1.0, 2.0, 3.0]) == 2.0


def test_one_smoothing_with_nothing_to_compare_leaves_no_row_out(monkeypatch: pytest.MonkeyPatch) -> None:
    draw = np.random.default_rng(0)
    y = draw.integers(0, 2, 90)
    frame = Frame.of({name: [*map(str, (draw.integers(0, 3, 90) + y) % 3)] for name in "abc"})
    model = train(find("aode")(alpha="auto"), frame, y).model_
    assert isinstance(model, Model)
    batch = model.schema.encode(frame, y)
    compared, loss = choices.smoothed(model, batch, "abc", False, (2.0,))
    assert loss > 0
    monkeypatch.setattr(choices, "rows_left_out", lambda *_: pytest.fail("rows were left out"))
    alone, none = choices.smoothed(model, batch, "abc", False, (2.0,), compared=False)
    assert none == 0.0
    assert alone.families == compared.families
    np.testing.assert_array_equal(alone.log_joint(batch), compared.log_joint(batch))
