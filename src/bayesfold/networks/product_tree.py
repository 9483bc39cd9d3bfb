"""Products of all messages but one, of a variable that hears from thousands: the sums of logs stand in a binary tree.

Leaving one out is adding up the branches beside its way to the root, so nothing is divided away, which would be wrong
where a message is 0.

>>> tree = ProductTree(np.log([[0.5, 0.5], [0.1, 0.9], [0.0001, 1.0]]))
>>> np.exp(tree.without(2)).round(6), np.exp(tree.whole).round(6)
(array([0.05, 0.45]), array([5.0e-06, 4.5e-01]))
"""

import numpy as np

from bayesfold.data.frame import Floats


class ProductTree:
    """The logs of messages, [message, state]: node i is the sum of nodes 2i and 2i + 1, messages are the last."""

    def __init__(self, logs: Floats) -> None:
        self.nodes = np.concatenate([np.zeros_like(logs), logs])
        for i in range(len(logs) - 1, 0, -1):
            self.nodes[i] = self.nodes[2 * i] + self.nodes[2 * i + 1]

    def put(self, place: int, log: Floats) -> None:
        """Another message in that place."""
        i = len(self.nodes) // 2 + place
        self.nodes[i] = log
        while i > 1:
            i //= 2
            self.nodes[i] = self.nodes[2 * i] + self.nodes[2 * i + 1]

    def without(self, place: int) -> Floats:
        """The product of the others, as logs."""
        i = len(self.nodes) // 2 + place
        rest: Floats = np.zeros(self.nodes.shape[1])
        while i > 1:
            rest = rest + self.nodes[i ^ 1]
            i //= 2
        return rest

    @property
    def whole(self) -> Floats:
        """The product of all, as logs."""
        return np.asarray(self.nodes[1])

    def copy(self) -> "ProductTree":
        """The same messages, to be read while others are put."""
        return ProductTree(self.nodes[len(self.nodes) // 2 :])
