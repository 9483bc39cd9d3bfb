"""What pandas labels is read by its labels."""

import pandas as pd
import pytest

from bayesfold.data.by_label import by_label


def test_labels_are_names():
    shares = pd.Series(["q", "p", "q", "q"]).value_counts(normalize=True)
    assert by_label(shares) == {"q": 0.75, "p": 0.25}
    assert by_label(pd.Series({1: 0.2, 0: 0.8})) == {1: 0.2, 0: 0.8}
    assert by_label(pd.Series([0.2, 0.8], index=[False, True])) == {False: 0.2, True: 0.8}


def test_rows_that_are_only_counted_have_no_labels():
    plain, square = pd.Series([0.2, 0.8]), pd.DataFrame([[0.2, 0.8], [0.5, 0.5]])
    assert by_label(plain, ["a", "b"]) is plain
    assert by_label(square) is square
    assert by_label(plain, [1, 0]) == {0: 0.2, 1: 0.8}
    assert by_label(plain, None) == {0: 0.2, 1: 0.8}


@pytest.mark.parametrize("other", [None, "balanced", [0.5, 0.5], {"a": 1.0}, (1, 2)])
def test_anything_else_stays_as_it_is(other):
    assert by_label(other) is other


@pytest.mark.parametrize(
    "twice",
    [pd.Series([0.5, 0.5], index=["a", "a"]), pd.DataFrame([[1, 2]], columns=["a", "a"])],
)
def test_a_label_that_stands_twice_is_refused(twice):
    with pytest.raises(ValueError, match="the label 'a' stands twice"):
        by_label(twice)
