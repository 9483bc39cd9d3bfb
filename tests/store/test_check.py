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
