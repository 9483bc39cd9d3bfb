"""Arrow arrays by their buffers equal those that pyarrow makes by itself."""

from datetime import UTC
from types import SimpleNamespace

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesfold.runtime import arrow_buffers as buffers
from bayesfold.runtime.arrow_buffers import Spare, arrow_array, arrow_numbers, arrow_texts, empty_table, to_numpy


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]))))
def test_texts(values):
    assert arrow_texts(values).equals(pa.array(values, pa.string()))


@pytest.mark.parametrize("kind", [np.int8, np.uint16, np.int64, np.uint64, np.float32, np.float64])
def test_numbers_there_and_back(kind):
    values = np.arange(20).astype(kind)[::2]
    assert arrow_numbers(values).equals(pa.array(values))
    np.testing.assert_array_equal(to_numpy(arrow_numbers(values)), values)
    np.testing.assert_array_equal(to_numpy(arrow_numbers(values).slice(3, 4)), values[3:7])


@given(st.lists(st.one_of(st.none(), st.integers(-1000, 1000))), st.integers(0, 5))
def test_nulls_are_nan(values, begin):
    array = pa.array(values, pa.int32()).slice(begin)
    expected = [np.nan if v is None else v for v in values[begin:]]
    np.testing.assert_array_equal(to_numpy(array), np.array(expected, float))
    if array.null_count:  # rows are told apart by their bits, so all holes have the same
        np.testing.assert_array_equal(to_numpy(array).view(np.int64), np.array(expected, float).view(np.int64))


def test_memory_is_used_again_only_when_nobody_holds_it():
    spare = Spare()
    places = {spare.array((4,), np.float64).ctypes.data for _ in range(5)}
    assert len(places) == 1
    whole = spare.array((4,), np.float64)
    whole[:] = 7.0
    column = arrow_numbers(whole[:2])  # it holds a view of it
    del whole
    spare.array((4,), np.float64)[:] = 0.0
    assert column.to_pylist() == [7.0, 7.0]
    kept = [spare.array((4,), np.float64) for _ in range(3)]
    assert len({array.ctypes.data for array in kept}) == 3
    assert spare.array((4,), np.int64).dtype == np.int64
    assert spare.array((2, 2), np.float64).shape == (2, 2)


def test_arrays_that_do_not_fit_any_longer_are_let_go():
    spare = Spare()
    for rows in range(1, 50):
        spare.array((rows,), np.float64)
    assert len(spare._held) == 1


def test_no_rows():
    table = empty_table({"a": pa.int64(), "b": pa.dictionary(pa.int32(), pa.string())})
    assert table.num_rows == 0
    assert table.column_names == ["a", "b"]


CELLS = st.one_of(
    *(st.lists(st.one_of(st.none(), st.just(float("nan")), kind), max_size=20) for kind in (st.text(), st.floats())),
    st.lists(st.one_of(st.none(), st.integers(-(2**64), 2**64), st.floats(width=16))),
    st.lists(st.one_of(st.none(), st.booleans(), st.integers(0, 3), st.text(max_size=2))),
    st.lists(st.one_of(st.none(), st.booleans())),
    st.lists(st.one_of(st.none(), st.datetimes())),
    st.lists(st.datetimes(timezones=st.sampled_from([None, UTC]))),
)


@given(CELLS, st.booleans())
def test_values_of_one_kind(cells, as_array):
    values = np.array([*cells, None], object)[:-1] if as_array else cells
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(buffers, "sys", SimpleNamespace(modules={}))  # with pandas at hand, pyarrow is asked
        try:
            expected = pa.array(values, from_pandas=True)
        except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError, UnicodeEncodeError) as error:
            with pytest.raises(type(error)):
                arrow_array(values)
        else:
            found = arrow_array(values)
            found.validate(full=True)
            assert found.equals(expected)
