"""Codes column by column."""

import numpy as np

from bayesfold.data.column_major import codes_by_column
from bayesfold.data.encodings import Categories
from bayesfold.data.frame import Frame
from bayesfold.data.schema import Schema


def test_columns_stand_in_the_order_asked_and_what_is_unseen_is_missing():
    schema = Schema(Categories("y"), (Categories("a", ("u", "v")), Categories("b", ("u", "w"))))
    batch = schema.encode(Frame.of({"a": ["v", None, "u"], "b": ["w", "never", "u"]}))
    np.testing.assert_array_equal(codes_by_column(batch, schema, ("b", "a")), [[2, 0, 1], [2, 0, 1]])
    np.testing.assert_array_equal(codes_by_column(batch, schema, ("a",)), [[2, 0, 1]])
