"""What tasks of Spark reply, without Spark: results in the order of partitions, and what was wrong as it was said."""

import pyarrow as pa
import pytest

from bayesfold import __version__
from bayesfold.io.engines._spark_replies import Failure, merge_results, raise_failure, replies, reply, try_work


def refuse(reason):
    raise ValueError(reason)


def test_replies_come_in_the_order_of_partitions():
    sent = [reply(2, "third"), reply(0, {"first": 1}), reply(1, Failure(ValueError("second")))]
    first, second, third = replies(pa.Table.from_batches(sent))
    assert (first, third) == ({"first": 1}, "third")
    with pytest.raises(ValueError, match="second"):
        raise_failure(second)


def test_what_is_wrong_with_rows_is_raised_where_they_are_used():
    assert raise_failure(try_work(__version__, sum, [1, 2])) == 3
    with pytest.raises(ValueError, match="row 3 is empty"):
        raise_failure(try_work(__version__, refuse, "row 3 is empty"))
    with pytest.raises(ZeroDivisionError):  # a mistake of the program's own, which Spark reports
        try_work(__version__, lambda: 1 // 0)


def test_executors_of_another_version_do_no_work():
    answer = try_work("0.0", pytest.fail, "it worked")
    with pytest.raises(ValueError, match=f"the executors have bayesfold {__version__}, and this is 0.0"):
        raise_failure(answer)


def test_of_several_failures_the_first_is_told():
    assert merge_results(sum, [1, 2, 3]) == 6
    failed = [1, Failure(ValueError("earlier")), Failure(ValueError("later"))]
    with pytest.raises(ValueError, match="earlier"):
        raise_failure(merge_results(sum, failed))
    with pytest.raises(TypeError, match="unsupported operand"):
        raise_failure(merge_results(sum, [1, "2"]))
