"""An explanation in words."""

from bayesfold.explanations.explanation import Explanation, Reason


def explained(*contributions: float, label: str = "p") -> Explanation:
    return Explanation("p", "q", label, tuple(Reason("a", "u", c) for c in contributions))


def test_the_caption_names_the_likelier_class_first() -> None:
    assert explained(1.0).caption == "p against q: log-odds +1.000, 2.72 to 1 for p over q"
    assert explained(-1.0).caption == "p against q: log-odds -1.000, 2.72 to 1 for q over p"


def test_of_two_classes_that_are_as_likely_the_one_that_is_decided_for_stands_first() -> None:
    assert explained(1.0, -1.0).caption == "p against q: log-odds +0.000, 1 to 1 for p over q"


def test_a_decision_other_than_the_prediction_is_told() -> None:
    assert explained(0.0, label="q").caption.startswith("p against q (predicted: q): ")
