"""Labels as they are given: one a row, of their own types."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from bayesfold.data.labels import one_per_row

LABELS = ["b", "a", "b"]


@pytest.mark.parametrize(
    "given",
    [
        LABELS,
        tuple(LABELS),
        np.array(LABELS),
        np.array(LABELS)[:, None],
        np.ma.masked_array(LABELS),
        pd.Series(LABELS, index=[2, 1, 0]),
        pd.DataFrame({"y": LABELS}),
        pd.Categorical(LABELS),
        pl.Series(LABELS),
        pl.DataFrame({"y": LABELS}),
        pa.array(LABELS),
        pa.chunked_array([LABELS]),
        pa.table({"y": LABELS}),
    ],
)
def test_labels_of_every_library_stand_one_in_a_row(given):
    found = one_per_row(given)
    assert (found.to_pylist() if hasattr(found, "to_pylist") else list(found)) == LABELS


def test_labels_of_several_types_keep_them():
    assert one_per_row([1, "1", None]).tolist() == [1, "1", None]
    assert one_per_row([1, 2]).dtype.kind == "i"


def test_a_masked_label_is_missing_and_the_others_stay_what_they_are():
    found = one_per_row(np.ma.masked_array([3, 4, 5], [False, True, False]))
    assert found.tolist() == [3, None, 5]
    assert type(found[0]) is int


@pytest.mark.parametrize(
    "given", [np.zeros((3, 2)), pd.DataFrame({"a": LABELS, "b": LABELS}), pa.table({"a": LABELS, "b": LABELS})]
)
def test_two_labels_in_a_row_are_refused(given):
    with pytest.raises(ValueError, match="a row has one label, and these have 2 in each"):
        one_per_row(given)
