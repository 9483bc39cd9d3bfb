"""SQL of networks with feature parents: tables by cell, means of networks, missing parents summed out."""

from collections.abc import Sequence

from bayesfold.store.export._networks import Networks, NodeTable, parents_of
from bayesfold.store.export._query import (
    Steps,
    all_of,
    any_of,
    write_array,
    write_exp,
    write_integers,
    write_number,
    write_sum,
)


class NetworkSteps:
    """The steps of one member's networks; `logs` are then the columns with what they say of each class."""

    def __init__(self, steps: Steps, networks: Networks, member: int, classes: int) -> None:
        self.steps, self.n, self.classes = steps, networks, classes
        self.tag = f"n{member}"
        self.codes = self._grid()
        if networks.roots:
            self.logs = self._averaged()
        elif networks.most_sums and parents_of(networks):
            self.logs = self._summed_out()
        else:
            self.logs = self._said("s", networks.networks[0])

    def _step(self, what: str) -> str:
        return f"bf_{self.tag}_{what}"

    def _grid(self) -> list[str]:
        """The slot of each column of the grid, 0 where it is unseen or says nothing more."""
        n = self.n
        actual = [f"{self.tag}_a{i}" for i in range(len(n.columns))]
        seen = {
            a: f"CASE WHEN c{c} < {slots} THEN c{c} ELSE 0 END"
            for a, c, slots in zip(actual, n.columns, n.slots, strict=True)
        }
        self.steps.add(self._step("slots"), seen)
        if not n.implications:
            return actual
        redundant: dict[int, list[str]] = {i: [] for i in range(len(actual))}
        for pair in n.implications:
            cell = f"{actual[pair.first]} * {n.slots[pair.second]} + {actual[pair.second]} + 1"
            for column, table in ((pair.second, pair.forth), (pair.first, pair.back)):
                redundant[column].append(f"{write_integers(table.ravel())}[{cell}] = 1")
        codes = [f"{self.tag}_g{i}" for i in range(len(actual))]
        codes_by_name = {
            codes[i]: f"CASE WHEN {any_of(why)} THEN 0 ELSE {actual[i]} END" for i, why in redundant.items()
        }
        self.steps.add(self._step("told"), codes_by_name)
        return codes

    def _sums(self, nodes: Sequence[NodeTable], codes: Sequence[str]) -> list[str]:
        """What a network says of each class."""
        terms: list[list[str]] = [[] for _ in range(self.classes)]
        for node in nodes:
            cell = codes[node.columns[0]]
            for c in node.columns[1:]:
                cell = f"({cell}) * {self.n.slots[c]} + {codes[c]}"
            for k in range(self.classes):
                terms[k].append(f"{write_array(node.log[:, k])}[{cell} + 1]")
        return [write_sum(part) for part in terms]

    def _said(self, what: str, nodes: Sequence[NodeTable]) -> list[str]:
        """A step with what a network says."""
        names = [f"{self.tag}_{what}_{k}" for k in range(self.classes)]
        self.steps.add(self._step(what), dict(zip(names, self._sums(nodes, self.codes), strict=True)))
        return names

    # several networks

    def _averaged(self) -> list[str]:
        n, tag = self.n, self.tag
        every = range(len(n.networks))
        said = {f"{tag}_s{i}_{k}": s for i in every for k, s in enumerate(self._sums(n.networks[i], self.codes))}
        said |= {f"{tag}_s_{k}": s for k, s in enumerate(self._sums(n.naive, self.codes))}
        for i, roots in enumerate(n.roots):
            shown = [f"{write_integers(n.heard[c])}[{self.codes[c]} + 1] = 1" for c in roots]
            said[f"{tag}_h{i}"] = f"CASE WHEN {all_of(shown)} THEN 1 ELSE 0 END"
        self.steps.add(self._step("said"), said)
        return self._product() if n.combine == "product" else self._mean()

    def _mean(self) -> list[str]:
        """log sum_i w_i p_i - log sum_i w_i over those that have a say."""
        n, tag = self.n, self.tag
        weighted = [i for i, w in enumerate(n.weights) if w > 0]
        weighed = {
            f"{tag}_w{i}_{k}": f"CASE WHEN {tag}_h{i} = 1 THEN {tag}_s{i}_{k} + ln({write_number(n.weights[i])}) END"
            for i in weighted
            for k in range(self.classes)
        }
        self.steps.add(self._step("weighed"), weighed)
        tops = {
            f"{tag}_t_{k}": f"GREATEST({', '.join(f'{tag}_w{i}_{k}' for i in weighted)})" for k in range(self.classes)
        }
        whole = write_sum([f"{tag}_h{i} * {write_number(n.weights[i])}" for i in weighted])
        self.steps.add(self._step("top"), tops | {f"{tag}_whole": whole})
        logs = {}
        for k in range(self.classes):
            shares = write_sum([f"COALESCE({write_exp(f'{tag}_w{i}_{k} - {tag}_t_{k}')}, 0e0)" for i in weighted])
            mean = f"{tag}_t_{k} + ln({shares}) - ln({tag}_whole)"
            logs[f"{tag}_{k}"] = f"CASE WHEN {tag}_whole > 0 THEN {mean} ELSE {tag}_s_{k} END"
        self.steps.add(self._step("mean"), logs)
        return list(logs)

    def _product(self) -> list[str]:
        """sum_i w_i log p_i, a network without a say speaking as the mean of the others."""
        n, tag = self.n, self.tag
        every = range(len(n.networks))
        means = {f"{tag}_voices": write_sum([f"{tag}_h{i}" for i in every])}
        for k in range(self.classes):
            spoken = write_sum([f"{tag}_h{i} * {tag}_s{i}_{k}" for i in every])
            means[f"{tag}_m_{k}"] = spoken
        self.steps.add(self._step("spoken"), means)
        filled = {
            f"{tag}_f_{k}": f"CASE WHEN {tag}_voices > 0 THEN {tag}_m_{k} / {tag}_voices ELSE {tag}_s_{k} END"
            for k in range(self.classes)
        }
        self.steps.add(self._step("filled"), filled)
        logs = {}
        for k in range(self.classes):
            terms = [
                f"{write_number(n.weights[i])} * CASE WHEN {tag}_h{i} = 1 THEN {tag}_s{i}_{k} ELSE {tag}_f_{k} END"
                for i in every
            ]
            logs[f"{tag}_{k}"] = write_sum(terms)
        self.steps.add(self._step("product"), logs)
        return list(logs)

    # one network with missing parents

    def _summed_out(self) -> list[str]:
        """Every row as often as its missing parents have values, then log sum exp over those."""
        n, tag, codes = self.n, self.tag, self.codes
        inner = parents_of(n)
        for c in inner:  # children before their parents: a parent matters if a child is there or matters
            asks = [node.columns[-1] for node in n.networks[0] if c in node.columns[:-1]]
            child_asks = any_of(
                [f"{codes[i]} > 0 OR {tag}_m{i} = 1" if i in inner else f"{codes[i]} > 0" for i in asks]
            )
            self.steps.add(
                self._step(f"matters{c}"),
                {f"{tag}_m{c}": f"CASE WHEN {codes[c]} = 0 AND {child_asks} THEN 1 ELSE 0 END"},
            )
        sizes = {c: n.slots[c] - 1 for c in inner}
        terms = " * ".join(f"CASE WHEN {tag}_m{c} = 1 THEN {float(size)!r}e0 ELSE 1e0 END" for c, size in sizes.items())
        self.steps.add(self._step("terms"), {f"{tag}_terms": terms})
        fits = f"{tag}_terms > 0 AND {tag}_terms <= {n.most_sums}"
        self.steps.add(
            self._step("count"), {f"{tag}_count": f"CASE WHEN {fits} THEN CAST({tag}_terms AS INTEGER) ELSE 1 END"}
        )
        main = self.steps.last
        most = 1
        for size in sizes.values():
            most = min(most * max(size, 1), n.most_sums)
        carried = {column: column for column in ("bf_row", *codes, *(f"{tag}_m{c}" for c in inner), f"{tag}_terms")}
        every = write_integers(range(most))
        self.steps.begin(self._step("rows"), main, carried | {f"{tag}_t": f"unnest({every}[1:{tag}_count])"})
        filled = list(codes)
        stride = "1"  # a row's missing parents are the digits of its step, and each has as many values as its levels
        for c in inner:
            filled[c] = f"{tag}_v{c}"
            here = f"CASE WHEN {tag}_m{c} = 1 AND {fits} THEN"
            digit = f"1 + CAST(floor({tag}_t / {stride}) AS INTEGER) % {max(sizes[c], 1)}"  # PostgreSQL's / is whole
            step = {
                filled[c]: f"{here} {digit} ELSE {codes[c]} END",
                f"{tag}_d{c}": f"{stride} * {here} {sizes[c]} ELSE 1 END",
            }
            self.steps.add(self._step(f"value{c}"), step)
            stride = f"{tag}_d{c}"
        said = [f"{tag}_s_{k}" for k in range(self.classes)]
        self.steps.add(self._step("said"), dict(zip(said, self._sums(n.networks[0], filled), strict=True)))
        tops = {f"{tag}_t_{k}": f"MAX({s}) OVER (PARTITION BY bf_row)" for k, s in enumerate(said)}
        self.steps.add(self._step("top"), tops)
        logs = {
            f"{tag}_{k}": f"MAX({tag}_t_{k}) + ln(SUM({write_exp(f'{s} - {tag}_t_{k}')}))" for k, s in enumerate(said)
        }
        summed = self.steps.begin(
            self._step("sum"), self.steps.last, {"bf_row": "bf_row"} | logs, "\n  GROUP BY bf_row"
        )
        self.steps.join(self._step("joined"), main, summed)
        return list(logs)
