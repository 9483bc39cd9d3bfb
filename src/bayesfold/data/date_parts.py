"""The parts of moments: year, month, weekday, hour, days.

>>> when = np.array(["2024-02-29T18:30", "NaT"], "M8[s]")
>>> [PART[part](when).tolist() for part in ("year", "weekday", "hour")]
[[2024.0, nan], ['Thursday', None], [18.5, nan]]
"""

from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from bayesfold.runtime.arrow_buffers import arrow_numbers, arrow_texts

PARTS = ("year", "month", "weekday", "hour", "days")
"""Year, month (1 to 12), the name of the weekday, hour and its fractions, days since the beginning of 1970."""
CLOCK_PART = "hour"
"""The part that a time of day has too."""
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def year(when: NDArray[np.datetime64]) -> NDArray[Any]:
    """The year of each date."""
    return count_days(when, when.astype("M8[Y]").astype(np.int64) + 1970)


def month(when: NDArray[np.datetime64]) -> NDArray[Any]:
    """The month of each date, 1 to 12."""
    return count_days(when, when.astype("M8[M]").astype(np.int64) % 12 + 1)


def weekday(when: NDArray[np.datetime64]) -> pa.Array:
    """The name of each date's weekday."""
    place = (when.astype("M8[D]").astype(np.int64) + 3) % 7  # 1970 began on a Thursday
    held = arrow_numbers(np.where(np.isnat(when), len(WEEKDAYS), place).astype(np.int32))
    return pa.concat_arrays([arrow_texts(WEEKDAYS), pa.nulls(1, pa.string())]).take(held)


def hour(when: NDArray[np.datetime64]) -> NDArray[Any]:
    """The hour of each moment, with its fraction."""
    return count_days(when, (when - when.astype("M8[D]")).astype(np.int64) / 3600)


def days(when: NDArray[np.datetime64]) -> NDArray[Any]:
    """Days since the beginning of 1970."""
    return count_days(when, when.astype("M8[D]").astype(np.int64))


def count_days(when: NDArray[np.datetime64], values: NDArray[Any]) -> NDArray[np.float64]:
    """Numbers of dates, NaN where there is no date; floats, because days that rise are no numbering of the rows."""
    return np.where(np.isnat(when), np.nan, values.astype(np.float64))


PART = {"year": year, "month": month, "weekday": weekday, "hour": hour, "days": days}
