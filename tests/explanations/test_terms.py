"""The terms of a text, however many ways it is read in."""

import numpy as np
import pytest

import bayesfold as bf

TEXTS = ["ham eggs", "ham tea", "spam", "spam tea"]
LABELS = [*"ppqq"]


@pytest.mark.parametrize("model", ["multinomial", "complement", "nb_lr"])
def test_every_term_of_a_document_has_a_line(model: str) -> None:
    clf = bf.TextClassifier(model=model, weights=None, alpha=1.0).fit(TEXTS, LABELS)
    told = clf.explain(["ham ham tea"])[0]
    parts = {reason.part: reason for reason in told.reasons}
    assert {"ham", "tea"} <= set(parts)
    assert parts["ham"].value == 2
    log_p = clf.predict_log_proba(["ham ham tea"])[0]
    assert told.log_odds == pytest.approx(log_p[0] - log_p[1])
    assert parts["ham"].contribution > np.abs(parts["tea"].contribution)


def test_places_of_a_hashed_vocabulary_are_spelled_by_the_rows_own_terms() -> None:
    clf = bf.TextClassifier(hashed=2, model="multinomial", weights=None, alpha=1.0).fit(TEXTS, LABELS)
    every = clf.explain(["ham tea eggs", "spam"])
    shown = [{word for r in one.reasons for word in r.part.partition(" (")[0].split(", ")} for one in every]
    assert {"ham", "tea", "eggs"} <= shown[0]
    assert "spam" in shown[1]
    assert not {"ham", "tea", "eggs"} & shown[1]
