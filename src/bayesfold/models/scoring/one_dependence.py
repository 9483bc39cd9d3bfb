"""Networks with one super-parent each, in which every other column depends on it: many rows of AODE in one loop.

The mean of the networks is a sum of products, so it needs no logs but one at the end. A product of networks, each to
the power of its weight, is a sum of logs over pairs of columns: the table of x_i given x_j and that of x_j given x_i
become one.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.column_major import Grid
from bayesfold.data.frame import Floats
from bayesfold.kernels.scoring import look_up, spodes
from bayesfold.models.scoring.parent_nodes import Leaves
from bayesfold.models.scoring.parent_tables import ParentTables
from bayesfold.runtime.identity_cache import kept_by_identity

HALVING = 512 * np.log(2.0)
ROOM = 350.0
"""-log of what a product may lose before it is looked at again; then it is still above 2^-1022."""

MOST_BYTES = 1 << 28
"""Tables larger than this are not arranged anew."""


@dataclass(frozen=True)
class Spodes:
    """`voice` is the weight of each slot of each super-parent, 0 where it has no say."""

    stack: ParentTables
    starts: NDArray[np.intp]
    roots: NDArray[np.intp]
    firsts: NDArray[np.intp]
    voice: Floats
    table: Floats  # of a mean: probabilities [slot of a super-parent, slot of a column, class]; of a product: logs
    begins: NDArray[np.intp]  # of a product: the records of the tables that are left
    often: int = 0

    @classmethod
    def of(
        cls,
        stack: ParentTables,
        slots: Sequence[int] | NDArray[np.intp],
        has_say: Sequence[NDArray[np.bool_]],
        weights: Floats,
        combine: str,
    ) -> "Spodes | None":
        """From a stack in which each network's leaves follow one another; None where another way is needed."""
        d = len(slots)
        root = roots_of_spodes(stack.leaves, d)
        if root is None or len(root) != len(weights):
            return None
        starts = np.cumsum([0, *slots], dtype=np.intp)
        firsts = np.cumsum([0, *(slots[r] for r in root)], dtype=np.intp)
        voice = np.concatenate([w * has_say[r] for w, r in zip(weights, root, strict=True)])
        shared = (stack, starts, np.array(root, np.intp), firsts[:-1])
        if combine == "product":
            return cls(*shared, voice, *merge_tables(stack, weights, d))
        least = -float(stack.powered.min(initial=-1.0))
        width = stack.classes + stack.classes % 2
        if least > ROOM or 8 * firsts[-1] * starts[-1] * width > MOST_BYTES:
            return None
        table = arrange_tables(stack, starts, firsts, width)
        return cls(*shared, voice, table, np.empty(0, np.intp), int(ROOM / least))

    def joint(self, codes: Grid, begin: int, end: int) -> tuple[Floats, NDArray[np.intp]]:
        """[row, class]: what the networks together say, and the rows of which this does not tell."""
        if len(self.begins):
            voice = self.voice[self.firsts[:, None] + codes[self.roots, begin:end]]
            out = np.empty((1, end - begin, self.stack.classes))
            network = np.array([0, len(self.begins)], np.intp)
            look_up.look_up(self.stack.program[0], self.begins, network, self.table, codes, begin, end, out)
            return out[0], np.flatnonzero((voice == 0).any(axis=0))
        classes, rows = self.stack.classes, end - begin
        width = classes + classes % 2
        sums, halvings, whole = np.empty((rows, width)), np.empty((rows, width), np.int32), np.empty(rows)
        places = np.empty((rows, len(codes)), np.int32)
        tables = (self.starts, self.roots, self.firsts, self.table, self.voice, width, self.often)
        spodes.average(codes, *tables, begin, end, places, sums, halvings, whole)
        none = np.flatnonzero(whole <= 0)
        whole[none] = sums[none] = 1.0
        joint = np.log(sums[:, :classes] / whole[:, None]) - HALVING * halvings[:, :classes]
        return joint, none


def arrange_tables(stack: ParentTables, starts: NDArray[np.intp], firsts: NDArray[np.intp], width: int) -> Floats:
    """The probabilities by [slot of a super-parent, slot of a column, class], a super-parent's own factor included."""
    d = len(starts) - 1
    table = np.ones((int(firsts[-1]), int(starts[-1]), width))
    p = np.exp(stack.powered)
    row = 0
    for k, (column, root) in enumerate(zip(stack.leaves.child.tolist(), stack.leaves.roots.tolist(), strict=True)):
        own = slice(starts[column], starts[column + 1])
        above = slice(firsts[k // d], firsts[k // d + 1])
        slots, size = own.stop - own.start, above.stop - above.start
        if root:
            table[above, own, : stack.classes] = p[row : row + slots][:, None]
            row += slots
        else:
            table[above, own, : stack.classes] = p[row : row + size * slots].reshape(size, slots, -1)
            row += size * slots
    return np.ascontiguousarray(table.reshape(-1))


def merge_tables(stack: ParentTables, weights: Floats, d: int) -> tuple[Floats, NDArray[np.intp]]:
    """The logs of a product with one table for each pair of columns, and the records of the tables that are left."""
    program, begins, _ = stack.program
    table = stack.powered * np.repeat(np.repeat(weights, d), stack.sizes)[:, None]
    first, second, left = pair_leaves(stack.leaves)
    spodes.merge(program, begins[first], begins[second], table)
    return table, begins[left]


@kept_by_identity
def roots_of_spodes(leaves: Leaves, d: int) -> list[int] | None:
    """The super-parent of each network of d leaves, as a column; None where some leaf has another parent."""
    if len(leaves) % d or leaves.parents_of_each.max(initial=0) > 1:
        return None
    above, is_root = leaves.columns[leaves.ends[:-1]].reshape(-1, d), leaves.roots.reshape(-1, d) > 0
    root = np.where(is_root.any(axis=1), above[np.arange(len(above)), is_root.argmax(axis=1)], -1)
    return root.tolist() if (above == root[:, None]).all() else None


@kept_by_identity
def pair_leaves(leaves: Leaves) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.bool_]]:
    """The leaves of x_i given x_j, i after j, those of x_j given x_i, and which leaves are left when both are one."""
    first, last, root = leaves.columns[leaves.ends[:-1]], leaves.child, leaves.roots > 0
    at = np.full((1 + int(last.max(initial=-1)),) * 2, -1, np.intp)
    at[first[~root], last[~root]] = np.flatnonzero(~root)
    mirror = np.where(root, -1, at[last, first])
    below = first < last
    both = np.flatnonzero(below & (mirror >= 0))
    return both, mirror[both], below | (mirror < 0)
