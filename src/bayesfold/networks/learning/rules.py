"""What a search may do: arcs that must be there, arcs that must not, tiers of time, and how many parents there may be.

>>> Rules.of(("a", "b", "c"), tiers=[["a"], ["b", "c"]]).allowed.astype(int)
array([[0, 1, 1],
       [0, 0, 1],
       [0, 1, 0]])
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bayesfold.networks.dag import Dag
from bayesfold.networks.factor_states import check_name
from bayesfold.runtime.counts import check_count

Links = NDArray[np.bool_]
"""[u, v]: something of the arc u -> v."""

Arcs = Iterable[tuple[str, str]]


@dataclass(frozen=True)
class Rules:
    """allowed[u, v]: u -> v may be there; required[u, v]: it must; most: parents that a node may have."""

    names: tuple[str, ...]
    allowed: Links
    required: Links
    most: int

    @classmethod
    def of(
        cls,
        names: Sequence[str],
        require: Arcs = (),
        forbid: Arcs = (),
        tiers: Sequence[Iterable[str]] = (),
        max_parents: int | None = None,
    ) -> "Rules":
        """The rules by name, checked: nothing is both required and ruled out, and what is required is no circle."""
        names = tuple(names)
        index = {name: i for i, name in enumerate(names)}
        n = len(names)
        allowed = ~np.eye(n, dtype=bool)
        for u, v in check_arcs(forbid, "forbid"):
            allowed[index[check_name("column", u, index)], index[check_name("column", v, index)]] = False
        tier = {}
        for k, columns in enumerate(check_tiers(tiers)):
            for v in columns:
                if check_name("column", v, index) in tier:
                    raise ValueError(f"{v!r} stands in two tiers; name it in one")
                tier[check_name("column", v, index)] = k
        for u in tier:
            for v in tier:
                if tier[u] > tier[v]:
                    allowed[index[u], index[v]] = False
        required = np.zeros((n, n), bool)
        for u, v in check_arcs(require, "require"):
            i, j = index[check_name("column", u, index)], index[check_name("column", v, index)]
            if i == j:
                raise ValueError(f"{u} -> {v} is required, but an arc runs between two columns")
            if not allowed[i, j]:
                raise ValueError(
                    f"{u} -> {v} is required, and ruled out by forbid or by the tiers; drop one of the two"
                )
            required[i, j] = True
        if required.any():  # a circle is refused by name
            Dag.of([(names[i], names[j]) for i, j in np.argwhere(required)], names)
        most = n if max_parents is None else check_count("max_parents", max_parents)
        if most < 1 or required.sum(0).max(initial=0) > most:
            raise ValueError(f"max_parents must be at least 1, and no fewer than are required, not {max_parents}")
        return cls(names, allowed, required, most)


def check_arcs(arcs: Arcs, option: str) -> Iterable[tuple[str, str]]:
    """Arcs as they were given, each checked to be one."""
    for arc in arcs:
        if isinstance(arc, str) or not isinstance(arc, Collection) or len(arc) != 2:
            raise ValueError(f"{option} must be a list of arcs (parent, child); {arc!r} is not one")
        yield arc


def check_tiers(tiers: Sequence[Iterable[str]]) -> Sequence[Iterable[str]]:
    """Tiers as they were given, each checked to be a list of columns."""
    if isinstance(tiers, str) or any(isinstance(tier, str) or not isinstance(tier, Iterable) for tier in tiers):
        raise ValueError(f"tiers must be a list of lists of columns, the earliest first, not {tiers!r}")
    return tiers
