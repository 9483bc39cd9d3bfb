"""Columns of many numbers as a network of categories knows them: cut into intervals, and found in these again."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from bayesfold.data.frame import Floats, Frame
from bayesfold.learning.discretize import histogram, mdl, quintiles
from bayesfold.learning.intervals import in_bins
from bayesfold.networks.interval import name_intervals
from bayesfold.networks.network import BayesianNetwork
from bayesfold.runtime.arrow_buffers import arrow_array
from bayesfold.runtime.unique import distinct

FEW = 12
"""Most different numbers of a column that is read as categories."""


def cuts_of(frame: Frame, classes: NDArray[np.int32], weight: Floats) -> dict[str, tuple[float, ...]]:
    """The cuts of each column with many different numbers."""
    cuts = {}
    for name in frame.names:
        column = frame.column(name)
        is_number = column.dtype.kind in "iuf" if isinstance(column, np.ndarray) else is_numeric(column.type)
        if is_number:
            x = frame.numbers(name)
            there = ~np.isnan(x) & (weight > 0)
            if len(distinct(x[there])) > FEW:
                h = histogram(x[there], classes[there].astype(np.intp) + 1, weight[there], int(classes.max()) + 2)
                cuts[name] = mdl(h) or quintiles(h)
    return cuts


def cut_column(
    frame: Frame, name: str, cuts: Mapping[str, tuple[float, ...]], net: BayesianNetwork | None = None
) -> Any:
    """A column as the network knows it, numbers as the words of their intervals; `net`: the one that has named them."""
    if name not in cuts:
        return frame.column(name)
    words = net.axes[name] if net is not None and name in net.axes else None
    return arrow_array(in_bins(frame.numbers(name), cuts[name], words))


def refuse_other_cuts(
    names: Sequence[str], cuts: Mapping[str, tuple[float, ...]], others: Mapping[str, tuple[float, ...]]
) -> None:
    """Raise an error that names the first column that two classifiers cut differently."""
    if apart := [name for name in names if cuts.get(name) != others.get(name)]:
        raise ValueError(
            f"the classifiers cut {apart[0]!r} differently: let a copy of one of them learn the other's rows "
            "(partial_fit), and merge that"
        )


def with_intervals(net: BayesianNetwork, cuts: Mapping[str, tuple[float, ...]]) -> BayesianNetwork:
    """The network whose states of numbers that were cut are intervals, in which a number is found.

    >>> net = BayesianNetwork.from_edges([], ["age"], tables={"age": {"< 40": 0.7, "≥ 40": 0.3}})
    >>> with_intervals(net, {"age": (40.0,)}).probability("age=71")
    0.3
    """
    named = {
        name: name_intervals([str(state) for state in net.axes[name]], points)
        for name, points in cuts.items()
        if name in net.axes
    }
    return replace(net, axes={**net.axes, **named}) if named else net


def is_numeric(kind: pa.DataType) -> bool:
    """Whether an Arrow column holds numbers."""
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind))
