"""What is chosen by rows left out, and what where there are none to choose by."""

import pytest

import bayesfold as bf
from bayesfold.families.text import Text
from bayesfold.learning import choices


@pytest.mark.parametrize(("labels", "alpha"), [("pppppp", 1.0), ("pppppq", 1.0), ("ppppqq", 0.25), ("pppqqr", 0.25)])
def test_alpha_is_chosen_where_two_classes_have_two_rows(
    labels: str, alpha: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(choices, "downhill", lambda *_: 0.25)
    texts = ["ham eggs", "ham", "eggs ham", "ham spam", "spam", "tea"]
    clf = bf.TextClassifier(model="multinomial", alpha="auto").fit(texts, [*labels])
    assert [family.alpha for family in clf.model_.families.values() if isinstance(family, Text)] == [alpha]
