"""Rows of categories and numbers as arrays: codes [row, node], -1 for a hole, and values [row, node], NaN for a hole.

>>> from bayesfold.networks.dag import Dag
>>> kinds = Kinds(Dag.of([("sex", "height")]), {"sex": ("f", "m"), "height": ()})
>>> codes, values = encode(kinds, {"sex": ["m", None], "height": [181.0, None]})
>>> codes.tolist(), values.tolist()
([[1, -1], [-1, -1]], [[nan, 181.0], [nan, nan]])
"""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesfold.data import tables as memory
from bayesfold.data.encodings.numbers import finite
from bayesfold.data.frame import Floats, Frame
from bayesfold.networks.evidence import Codes, blank, encode_column, is_row, observed_in, read_cell
from bayesfold.networks.factor_states import key_by_name
from bayesfold.networks.likelihoods import read_likelihoods
from bayesfold.networks.mixed.kinds import Kinds
from bayesfold.networks.query import read_state
from bayesfold.runtime.messages import refuse_strangers


def read_frame(table: Any) -> Frame:
    """Any table, or one row as a dict."""
    return memory.frame({name: [value] for name, value in table.items()} if is_row(table) and table else table)


def read_numbers(frame: Frame, name: str) -> Floats:
    """A column of numbers, NaN for a hole; what is no number is refused with its row."""
    try:
        x = frame.numbers(name)
    except ValueError as error:
        what = str(error).partition(";")[0]
        raise ValueError(f"{what}: make it a category, or leave such rows out") from None
    return finite(name, x)


def encode(kinds: Kinds, table: Any, unread: str | None = None) -> tuple[Codes, Floats]:
    """What each row shows; a column that is no node is passed over, a node without one, or `unread`, is unseen."""
    if is_row(table):
        return encode_row(kinds, blank(table, unread))
    frame = memory.frame(table)
    refuse_strangers(dict.fromkeys(frame.names), kinds.dag.names)
    rows = frame.rows
    codes, values = np.full((rows, len(kinds.cards)), -1, np.int32), np.full((rows, len(kinds.cards)), np.nan)
    for v, name in enumerate(kinds.dag.names):
        if name not in frame.position or name == unread:
            continue
        if kinds.cards[v]:
            codes[:, v] = encode_column(frame, name, kinds.axes[name])
        else:
            values[:, v] = read_numbers(frame, name)
    return codes, values


def encode_row(kinds: Kinds, row: Mapping[str, Any]) -> tuple[Codes, Floats]:
    """One row as a dict; without an entry it shows nothing."""
    codes, values = np.full((1, len(kinds.cards)), -1, np.int32), np.full((1, len(kinds.cards)), np.nan)
    row = {name: read_cell(value) for name, value in key_by_name(row).items()}
    if row:
        refuse_strangers(row, kinds.dag.names)
    states = {name: given for name, given in row.items() if kinds.axes.get(name)}
    for v, code in observed_in(states, kinds.axes, kinds.dag.index).items():
        codes[0, v] = code
    for v in kinds.numbers:
        name = kinds.dag.names[v]
        given = row.get(name)
        if given is not None and given == given and given != "":
            values[0, v] = read_state(name, (), given)
    return codes, values


def soft_evidence(kinds: Kinds, likelihood: Mapping[str, Any] | None) -> dict[int, Floats]:
    """P(what was seen | state) of some categories, by node."""
    given = key_by_name(likelihood or {})
    for v in given:
        if not kinds.cards[kinds.dag.number(v)]:
            raise ValueError(f"soft evidence needs states, and {v!r} is a number: observe the number itself")
    return {kinds.dag.index[v]: values for v, values in read_likelihoods(given, kinds.axes).items()}


def find_patterns(codes: Codes, values: Floats) -> Iterator[tuple[tuple[int, ...], NDArray[np.intp]]]:
    """The nodes that rows show, and the rows that show just these."""
    shown = (codes >= 0) | ~np.isnan(values)
    packed = np.packbits(shown, axis=1)
    kinds_of, which = np.unique(packed, axis=0, return_inverse=True)
    order = np.argsort(which.reshape(-1), kind="stable")
    for rows in np.split(order, np.cumsum(np.bincount(which.reshape(-1), minlength=len(kinds_of)))[:-1]):
        if len(rows):
            yield tuple(np.flatnonzero(shown[rows[0]]).tolist()), rows
