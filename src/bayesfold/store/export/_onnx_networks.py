"""ONNX operators of networks with feature parents: tables by cell, means of networks, missing parents summed out."""

from collections.abc import Sequence

import numpy as np

from bayesfold.store.export._graph import OnnxGraph
from bayesfold.store.export._networks import Networks, NodeTable, parents_of

LEAST = -1e300
"""The log of nothing: two of them can be subtracted."""


class NetworkGraph:
    """`logs` is what the networks together say, [row, class]."""

    def __init__(self, graph: OnnxGraph, networks: Networks, slots: Sequence[str], rows: str) -> None:
        self.g, self.n, self.rows = graph, networks, rows
        self.codes = self._grid(slots)
        if networks.roots:
            self.logs = self._averaged()
        elif networks.most_sums and parents_of(networks):
            self.logs = self._summed_out()
        else:
            self.logs = self._said(graph, networks.networks[0], self.codes)

    def _grid(self, slots: Sequence[str]) -> list[str]:
        """The slot of each column of the grid, 0 where it is unseen or says nothing more."""
        g, n = self.g, self.n
        nothing = np.int64(0)
        actual = []
        for c, size in zip(n.columns, n.slots, strict=True):
            actual.append(g.where(g.op("Less", slots[c], np.int64(size)), slots[c], nothing))
        codes = list(actual)
        for pair in n.implications:
            cell = self._cell(g, (pair.first, pair.second), actual)
            for column, table in ((pair.second, pair.forth), (pair.first, pair.back)):
                codes[column] = g.where(g.op("Gather", table.ravel(), cell), nothing, codes[column])
        return codes

    def _cell(self, g: OnnxGraph, columns: Sequence[int], codes: Sequence[str]) -> str:
        cell = codes[columns[0]]
        for c in columns[1:]:
            cell = g.op("Add", g.op("Mul", cell, np.int64(self.n.slots[c])), codes[c])
        return cell

    def _said(self, g: OnnxGraph, nodes: Sequence[NodeTable], codes: Sequence[str]) -> str:
        """The sum of one network's logs."""
        return g.total([g.op("Gather", node.log, self._cell(g, node.columns, codes)) for node in nodes])

    # several networks

    def _averaged(self) -> str:
        g, n = self.g, self.n
        said = [self._said(g, nodes, self.codes) for nodes in n.networks]
        has_say = []
        for roots in n.roots:
            shown = [g.op("Gather", np.array(n.heard[c]), self.codes[c]) for c in roots]
            has_say.append(g.column(g.all_of(shown)))
        naive = self._said(g, n.naive, self.codes)
        return (self._product if n.combine == "product" else self._mean)(said, has_say, naive)

    def _mean(self, said: Sequence[str], has_say: Sequence[str], naive: str) -> str:
        """log sum_i w_i p_i - log sum_i w_i over those that have a say."""
        g = self.g
        weighted = [i for i, w in enumerate(self.n.weights) if w > 0]
        logs = np.log(self.n.weights)
        weighed = [g.where(has_say[i], g.op("Add", said[i], logs[i]), np.float64(LEAST)) for i in weighted]
        top = weighed[0]
        for part in weighed[1:]:
            top = g.op("Max", top, part)
        shares = g.total([g.op("Exp", g.op("Sub", part, top)) for part in weighed])
        whole = g.total([g.where(has_say[i], np.float64(self.n.weights[i]), np.float64(0)) for i in weighted])
        any_has_say = g.op("Greater", whole, np.float64(0))
        whole = g.where(any_has_say, whole, np.float64(1))
        mean = g.op("Sub", g.op("Add", top, g.op("Log", shares)), g.op("Log", whole))
        return g.where(any_has_say, mean, naive)

    def _product(self, said: Sequence[str], has_say: Sequence[str], naive: str) -> str:
        """sum_i w_i log p_i, a network without a say speaking as the mean of the others."""
        g = self.g
        voices = g.total([g.cast(h, "DOUBLE") for h in has_say])
        spoken = g.total([g.where(h, s, np.float64(0)) for h, s in zip(has_say, said, strict=True)])
        any_has_say = g.op("Greater", voices, np.float64(0))
        mean = g.where(any_has_say, g.op("Div", spoken, g.op("Max", voices, np.float64(1))), naive)
        parts = zip(self.n.weights, has_say, said, strict=True)
        return g.total([g.op("Mul", np.float64(w), g.where(h, s, mean)) for w, h, s in parts])

    # one network with missing parents

    def _summed_out(self) -> str:
        """A loop over the values of missing parents, as digits of its step, with a running log sum exp."""
        g, n = self.g, self.n
        inner = parents_of(n)
        matters: dict[int, str] = {}
        one, zero = np.int64(1), np.int64(0)
        for c in inner:
            asks = []
            for node in n.networks[0]:
                child = node.columns[-1]
                if c in node.columns[:-1]:
                    asks.append(g.op("Greater", self.codes[child], zero))
                    asks += [matters[child]] if child in matters else []
            matters[c] = g.op("And", g.op("Equal", self.codes[c], zero), g.any_of(asks, self.rows))
        terms = g.op("Expand", np.float64(1), self.rows)
        for c in inner:
            terms = g.op("Mul", terms, g.where(matters[c], np.float64(n.slots[c] - 1), np.float64(1)))
        fits = g.all_of([g.op("Greater", terms, np.float64(0)), g.op("LessOrEqual", terms, np.float64(n.most_sums))])
        count = g.cast(g.where(fits, terms, np.float64(1)), "INT64")
        strides, stride = {}, g.op("Expand", one, self.rows)
        for c in inner:
            matters[c] = g.op("And", matters[c], fits)
            strides[c] = stride
            stride = g.op("Mul", stride, g.where(matters[c], np.int64(n.slots[c] - 1), one))
        classes = n.naive[0].log.shape[1]
        shape = g.op("Concat", self.rows, np.array([classes]), axis=0)
        top, shares = (g.op("Expand", np.float64(v), shape) for v in (LEAST, 0.0))
        steps = g.op("Max", g.op("ReduceMax", count, keepdims=0), one)  # a table without rows has no maximum
        body = self._body(matters, strides, count)
        top, shares = g.ops("Loop", 2, steps, np.array(True), top, shares, body=body)
        return g.op("Add", top, g.op("Log", shares))

    def _body(self, matters: dict[int, str], strides: dict[int, str], count: str) -> object:
        """One step of the loop, for the rows that have so many terms."""
        b, n = self.g.inner(), self.n
        step, goes_on, top, shares = (b.fresh() for _ in range(4))
        rows = b.op("Squeeze", b.op("NonZero", b.op("Less", step, count)), np.array([0]))
        codes = [b.op("Gather", code, rows) for code in self.codes]
        for c, matter in matters.items():
            digit = b.op("Mod", b.op("Div", step, b.op("Gather", strides[c], rows)), np.int64(max(n.slots[c] - 1, 1)))
            codes[c] = b.where(b.op("Gather", matter, rows), b.op("Add", digit, np.int64(1)), codes[c])
        said, before = self._said(b, n.networks[0], codes), b.op("Gather", top, rows)
        highest = b.op("Max", before, said)
        kept = b.op("Mul", b.op("Gather", shares, rows), b.op("Exp", b.op("Sub", before, highest)))
        added = b.op("Add", kept, b.op("Exp", b.op("Sub", said, highest)))
        higher, more = (b.op("ScatterND", old, b.column(rows), new) for old, new in ((top, highest), (shares, added)))
        still = b.op("Identity", goes_on)
        table = ["rows", "classes"]
        return b.body(
            [(step, "INT64", []), (goes_on, "BOOL", []), (top, "DOUBLE", table), (shares, "DOUBLE", table)],
            [(still, "BOOL", []), (higher, "DOUBLE", table), (more, "DOUBLE", table)],
        )
