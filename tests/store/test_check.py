"""What is said of a file whose digest fits and whose parts do not."""

import numpy as np
import pytest

import bayesfold as bf
from bayesfold.store import Unreadable, file
from bayesfold.store.check_part import check_slopes

from .damaged import closed, opened
from .models import trained

DATA = {name: file.to_bytes(trained(name)) for name in ("naive", "tan", "bayes", "gaussian")}


def content(told):
    return told["content"]["Content"]


def nodes(told):
    return content(told)["parts"]["dict"][0][1]["Part"]["mixture"]["Mixture"]["networks"][0]["many Node"]


def below_zero(told, arrays):
    arrays["counts"][-1] = -1


def one_row_more(told, arrays):
    arrays["counts"][-1] += 1


def one_row_less(told, arrays):
    arrays["counts"][np.flatnonzero(arrays["counts"])[-1]] -= 1


def cut(told, arrays):
    arrays["counts"] = arrays["counts"][:-1].copy()


def floats(told, arrays):
    arrays["counts"] = np.full(arrays["counts"].shape, np.nan)


def no_number(told, arrays):
    arrays["sums"][0, 0] = np.nan


def other_shape(told, arrays):
    arrays["weights"] = np.zeros((2, 3))


def no_class(told, arrays):
    content(told)["schema"]["Schema"]["target"]["Categories"]["levels"] = []


def class_twice(told, arrays):
    content(told)["schema"]["Schema"]["target"]["Categories"]["levels"][1] = "cat"


def one_class_more(told, arrays):
    content(told)["schema"]["Schema"]["target"]["Categories"]["levels"].append("yak")


def circle(told, arrays):
    found = nodes(told)
    root = next(i for i, up in enumerate(found["parents"]) if len(up) == 1)
    child = next(i for i, up in enumerate(found["parents"]) if up[:1] == found["children"][root])
    found["parents"][root] = [found["children"][child][0], "class"]


def own_parent(told, arrays):
    found = nodes(told)
    found["parents"][1] = [found["children"][1][0], "class"]


def stranger(told, arrays):
    nodes(told)["children"][1] = ["nobody"]


def other_family(told, arrays):
    part = content(told)["parts"]["dict"][0][1]["Part"]
    part["families"][0] = {"family multinomial": {"alpha": 1.0}}


def negative_smoothing(told, arrays):
    part = content(told)["parts"]["dict"][0][1]["Part"]
    part["families"] = [{"family categorical": {"alpha": -1.0}} for _ in range(20)]


def lost_weight(told, arrays):
    content(told)["pool"]["Joined"]["weights"].pop()


def unknown_column(told, arrays):
    content(told)["names"] = ["elsewhere"]


@pytest.mark.parametrize(
    ("name", "change", "words"),
    [
        ("naive", below_zero, "one of its counts is below 0"),
        ("naive", one_row_more, "the table Clique.* does not have the rows of the classes"),
        ("tan", one_row_less, "the table Clique.* does not have the rows of the classes"),
        ("naive", cut, r"its schema has \d+ cells, and it holds \(\d+,\) counts"),
        ("naive", floats, r"counts is an array of float64, \d+, which no Content has there"),
        ("naive", no_number, "one of its sums or weights is not finite"),
        ("naive", other_shape, r"its schema has \(2, \d+\) weights, and it holds \(2, 3\)"),
        ("naive", no_class, "it has no classes"),
        ("naive", class_twice, "its column 'class' has a level twice"),
        ("naive", one_class_more, r"its schema has \d+ cells"),
        ("tan", circle, "it has columns that depend on each other in a circle"),
        ("tan", own_parent, "it has columns that depend on each other in a circle"),
        ("tan", stranger, "it has 'nobody', without a column or a family"),
        ("naive", other_family, "it has no smoothing for the class|, a column that it cannot read"),
        ("gaussian", negative_smoothing, "it has alpha=-1.0, which is not at least 0 and finite"),
        ("bayes", lost_weight, "its pool does not have a finite weight for each part"),
        ("naive", unknown_column, "it reads '.*, not among the columns that it says it has learned"),
    ],
)
def test_what_does_not_fit_is_said(name, change, words):
    told, arrays = opened(DATA[name])
    change(told, arrays)
    with pytest.raises(Unreadable, match=rf"{words}.*: the file is damaged or was edited; take another copy"):
        file.from_bytes(closed(told, arrays))


PART = ("parts", "dict", 0, 1, "Part")
MIXTURE = (*PART, "mixture", "Mixture")
NODES = (*MIXTURE, "networks", 0, "many Node")
SAID = {
    "no part": (("parts",), {"dict": []}, "there is no model in it"),
    "a pool of one part": (("pool",), {"Joined": {"weights": [1.0]}}, "pool is not a Joined"),
    "a family beyond the last": ((*PART, "family_of", "dict", 1, 1), 2, "it lacks the family of a column"),
    "a family before the first": ((*PART, "family_of", "dict", 1, 1), -1, "it lacks the family of a column"),
    "a vast exponent": ((*PART, "calibration", "Calibration", "exponent"), 1e101, "it has a calibration by"),
    "a vast bias": ((*PART, "calibration", "Calibration", "bias"), [["cat", -1e101]], "it has a calibration by"),
    "too few probabilities": ((*PART, "prior"), {"dict": [["cat", 0.5]]}, "it has class probabilities, but none for"),
    "probabilities below 0": (
        (*PART, "prior"),
        {"dict": [["cat", 1.5], ["dog", -0.5], ["owl", 0.0]]},
        "it has a class that weighs less than 0",
    ),
    "weights below 0": ((*PART, "class_weight"), {"dict": [["cat", -0.5]]}, "it has a class that weighs less than 0"),
    "an odd word for weights": ((*PART, "class_weight"), "odd", "it has the class weight 'odd'"),
    "no networks": ((*MIXTURE, "networks"), [], "it has no networks, or no way to combine them"),
    "an odd way to combine": ((*MIXTURE, "combine"), "median", "it has no networks, or no way to combine them"),
    "less than no rows": ((*MIXTURE, "minimum"), -1.0, "it asks for a number of rows below 0"),
    "rows of less than none": ((*MIXTURE, "subsumption"), -0.5, "it asks for a number of rows below 0"),
    "more roots than networks": ((*MIXTURE, "roots"), [["coat"], ["mass"]], "it lacks the roots of its networks"),
    "a root of nothing": ((*MIXTURE, "roots"), [[]], "it lacks the roots of its networks"),
    "a root elsewhere": ((*MIXTURE, "roots"), [["nobody"]], "it has the root 'nobody', which is not in its network"),
    "weights of no networks": ((*MIXTURE, "weights"), [0.5, 0.5], "it lacks a finite weight for each network"),
    "weights that sum to 0": ((*MIXTURE, "weights"), [0.0], "it lacks a finite weight for each network"),
    "a vast power": ((*NODES, "power", 1), 1e101, "it has the exponent 1e.101 on 'coat'"),
    "a column twice": ((*NODES, "children", 2), ["coat"], "it has 'coat' twice in a network"),
    "a column apart": ((*NODES, "parents", 4), [], "it has 'tame' apart from the class"),
    "a class below another": ((*NODES, "parents", 0), ["tame"], "it has a class that depends on"),
    "a parent twice": ((*NODES, "parents", 1), ["tame", "tame", "class"], "it has a parent of 'coat' twice"),
    "a parent elsewhere": ((*NODES, "parents", 1), ["nobody", "class"], "it has a parent of 'coat' twice, or one"),
    "a smoothing by an odd word": (
        (*PART, "families", 0, "family categorical", "alpha"),
        "odd",
        "it has alpha='odd', which is neither 'auto' nor a number",
    ),
    "keys in another order": (
        ("cliques", "many Clique", "keys", 5),
        ["tame", "coat", "class"],
        "it has the table Clique",
    ),
    "a table without the class": (("cliques", "many Clique", "keys", 5), ["coat", "tame"], "it has the table Clique"),
    "a table of strangers": (("cliques", "many Clique", "keys", 5), ["coat", "x", "class"], "it has the table Clique"),
    "sums of order 0": (("cliques", "many Clique", "order", 5), 1, "it has the table Clique"),
    "a table twice": (("cliques", "many Clique", "keys", 2), ["coat", "class"], "one of its tables is there twice"),
    "no table of the class": (
        ("cliques", "many Clique", "keys", 0),
        ["coat", "mass", "class"],
        "the table of the class",
    ),
    "no table of a pair": (
        ("cliques", "many Clique", "keys", 5),
        ["coat", "mass", "class"],
        "a table of '.*' is not there",
    ),
}


@pytest.mark.parametrize("what", SAID)
def test_what_a_model_cannot_be_is_said(what):
    way, value, words = SAID[what]
    told, arrays = opened(DATA["tan"])
    *above, last = way
    place = content(told)
    for step in above:
        place = place[step]
    place[last] = value
    with pytest.raises(Unreadable, match=words):
        file.from_bytes(closed(told, arrays))


def test_several_parts_want_a_pool_and_classes_have_no_more_rows_than_can_be_counted():
    told, arrays = opened(DATA["tan"])
    parts = content(told)["parts"]["dict"]
    parts.append(["more", parts[0][1]])
    with pytest.raises(Unreadable, match="it has several parts, and nothing says how they are joined"):
        file.from_bytes(closed(told, arrays))
    told, arrays = opened(DATA["tan"])
    arrays["counts"] = arrays["counts"] * (1 << 56)
    with pytest.raises(Unreadable, match="a class is said to have"):
        file.from_bytes(closed(told, arrays))


@pytest.mark.parametrize("name", DATA)
def test_a_file_that_nobody_changed_is_read(name):
    assert file.from_bytes(closed(*opened(DATA[name])))[0].rows == 60


def test_slopes_of_words_are_those_of_the_terms():
    clf = bf.TextClassifier(model="nb_lr", alpha=1.0).fit(["win a prize", "lunch at ten", "win money"], ["s", "h", "s"])
    slopes = clf.model_.families["text"].slopes
    check_slopes(clf.schema_, "text", slopes, "it")
    for wrong in (slopes[1:], slopes[:, :1], slopes * np.nan):
        with pytest.raises(Unreadable, match="slopes of 'text' that are not those of its terms"):
            check_slopes(clf.schema_, "text", wrong, "it")
