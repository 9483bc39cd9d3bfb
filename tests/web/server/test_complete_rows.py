"""Columns of a few values, as a network is learned from them in the page."""

import pyarrow as pa

from bayesfold.web.server.complete_rows import read_few_values


def test_numbers_that_differ_behind_their_sixth_digit_are_different_values():
    """They became one state, or a column of "one value in every row"."""
    codes = [10_000_001, 10_000_002, None, 10_000_001]
    assert read_few_values(pa.table({"code": codes}), "code") == ["10000001", "10000002", None, "10000001"]
    shares = [0.1234567, 0.1234568, 2.0, -0.0]
    assert read_few_values(pa.table({"share": shares}), "share") == ["0.1234567", "0.1234568", "2", "0"]
