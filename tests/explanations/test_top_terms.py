"""What documents look like to a model, and which terms speak loudest."""

import numpy as np
import pytest

import bayesfold as bf

TEXTS = ["ham eggs", "ham tea", "spam", "spam tea"]
LABELS = [*"ppqq"]


def fitted() -> bf.TextClassifier:
    return bf.TextClassifier(model="multinomial", weights=None, alpha=1.0).fit(TEXTS, LABELS)


def test_shares_of_one_document_of_one_term() -> None:
    seen = fitted().describe(["coffee"])["text"]
    assert (seen.documents, seen.terms, seen.unknown, seen.silent, seen.duplicates) == (1, 1, 1.0, 1.0, 0.0)


def test_documents_of_unknown_terms_are_no_duplicates() -> None:
    seen = fitted().describe(["coffee", "coffee", "ham", "HAM!"])["text"]
    assert (seen.unknown, seen.silent, seen.duplicates) == (0.5, 0.5, 0.5)


def test_the_loudest_term_has_its_log_odds() -> None:
    """Of class p ham is 2 of 4 words, of q none of 3; four words are known, and one of each is added."""
    term, odds = fitted().top_terms(1)["p"][0]
    assert term == "ham"
    assert odds == pytest.approx(np.log(3 / 8) - np.log(1 / 7))
    assert fitted().top_terms(1)["q"][0] == ("spam", pytest.approx(np.log(3 / 7) - np.log(1 / 8)))


def test_log_odds_are_against_the_mean_of_the_other_classes() -> None:
    clf = bf.TextClassifier(model="multinomial", weights=None, alpha=1.0).fit([*TEXTS, "jam"], [*LABELS, "r"])
    term, odds = clf.top_terms(1)["p"][0]
    assert term == "ham"
    assert odds == pytest.approx(np.log(3 / 9) - (np.log(1 / 8) + np.log(1 / 6)) / 2)
