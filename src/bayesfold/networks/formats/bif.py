"""BIF, the Bayesian Interchange Format: what the Bayesian Network Repository publishes.

    variable rain { type discrete [ 2 ] { yes, no }; }
    probability ( wet | rain ) { (yes) 0.9, 0.1; (no) 0.2, 0.8; }

A `table` with parents lists, as the format's dog problem does, the first state of the child for every combination of
parents, then its second state. `default` fills the rows that are not given. JavaBayes writes `probability ( child
parents )`, without a bar; comments may begin directly behind a word.
"""

import re
from itertools import product
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.frame import Floats
from bayesfold.networks.declared import Declared
from bayesfold.networks.network import BayesianNetwork
from bayesfold.networks.scanner import Scanner, decode_text, quote

SUFFIXES = (".bif",)
NAMELESS = "unknown"  # what a network without a name is called, here and in the repository

Marks: TypeAlias = NDArray[np.bool_]
"""Which rows of a table have been given."""

ROW = re.compile(r'\s*\(([^()"]*)\)([^;"/]*);')
PLAIN = re.compile(r'(?!.*/[*/])[^\s"{}()\[\]|,;/][^\s"{}()\[\]|,;]*')


def read(data: bytes, file: str = "") -> BayesianNetwork:
    """The network of a BIF file."""
    scan = Scanner(decode_text(data), marks="{}()[]|,;")
    declared = Declared(file)
    while scan.peek():
        block = scan.take("network", "variable", "probability")
        if block == "network":
            declared.name = scan.name() if scan.peek() != "{" else ""
            declared.name = "" if declared.name == NAMELESS else declared.name
            read_properties(scan)
        elif block == "variable":
            read_variable(scan, declared)
        else:
            read_table(scan, declared)
    with scan.standing():
        return declared.network()


def read_properties(scan: Scanner) -> None:
    """A block in which nothing matters."""
    scan.take("{")
    skip_properties(scan)
    scan.take("}")


def skip_properties(scan: Scanner) -> None:
    """property ANYTHING;"""
    while scan.peek() == "property":
        scan.skip_text()


def read_variable(scan: Scanner, declared: Declared) -> None:
    """variable NAME { type discrete [ n ] { states }; }"""
    with scan.standing():
        name = scan.name()
        scan.take("{")
        states: list[str] = []
        skip_properties(scan)
        scan.take("type")
        scan.take("discrete")
        scan.take("[")
        size = scan.next()
        scan.take("]")
        scan.take("{")
        while scan.peek() != "}":
            states.append(scan.name())
            if scan.peek() == ",":
                scan.next()
        scan.take("}")
        scan.take(";")
        skip_properties(scan)
        scan.take("}")
        if size != str(len(states)):
            raise ValueError(f"{name!r} is said to have {size} states, but {len(states)} are listed")
        declared.variable(name, states)


def read_table(scan: Scanner, declared: Declared) -> None:
    """probability ( child | parents ) { rows }"""
    with scan.standing():
        line = scan.line()
        scan.take("(")
        child, parents = scan.name(), []
        while scan.peek() != ")":
            if scan.peek() in {"|", ","}:
                scan.next()
            parents.append(scan.name())
        scan.take(")")
        scan.take("{")
        shape = declared.shape(child, parents)
        table = np.full(shape, np.nan)
        slots = [{str(s): i for i, s in enumerate(declared.axes[v])} for v in parents]
        given = np.zeros(shape[:-1], bool)
        default: list[float] | None = None
        while (token := scan.peek()) != "}":
            if token == "(":
                read_row(scan, table, slots, parents, given)
            elif scan.take("table", "default", "property") == "property":
                scan.skip_text()
            elif token == "table":
                read_whole(scan, table, given)
            else:
                values = read_values(scan, shape[-1])
                if default not in (None, values):
                    scan.fail("a default is given twice, with different numbers; keep one of them")
                default = values
        scan.take("}")
        if default is not None:
            table[~given] = default
        declared.put(child, table, line)


def read_row(scan: Scanner, table: Floats, slots: list[dict[str, int]], parents: list[str], given: Marks) -> None:
    """(states of the parents) probabilities of the child; `given` are the rows so far, each with one meaning."""
    match = ROW.match(scan.text, scan.at)  # most rows are plain; the others are read word by word
    if match:
        try:
            path = tuple(slot[state.strip()] for slot, state in zip(slots, match.group(1).split(","), strict=True))
            values = [float(x) for x in match.group(2).replace(",", " ").split()]
        except (ValueError, KeyError):
            match = None
    if not match:
        begin = scan.at
        scan.take("(")
        states = []
        while scan.peek() != ")":
            states.append(scan.name())
            if scan.peek() == ",":
                scan.next()
        scan.take(")")
        if len(states) != len(parents):
            scan.fail(f"this row names {len(states)} states for {len(parents)} parents; name one of each", begin)
        for state, slot, parent in zip(states, slots, parents, strict=True):
            if state not in slot:
                scan.fail(f"{parent!r} has no state {state!r}; its states are {', '.join(slot)}", begin)
        path = tuple(slot[state] for slot, state in zip(slots, states, strict=True))
        values = scan.numbers(";")
    if len(values) != table.shape[-1]:
        scan.fail(f"this row has {len(values)} numbers for {table.shape[-1]} states; give one for each")
    if given[path] and table[path].tolist() != values:
        names = (list(slot)[place] for slot, place in zip(slots, path, strict=True))
        scan.fail(f"the row for {', '.join(names)} is given twice, with different numbers; keep one of them")
    given[path] = True
    table[path] = values
    if match:
        scan.at = match.end()


def read_whole(scan: Scanner, table: Floats, given: Marks) -> None:
    """table p, p, ...; with parents, the child's states outermost. It may not contradict what was given before."""
    begin = scan.at
    values = read_values(scan, table.size)
    whole = np.moveaxis(np.array(values).reshape(table.shape[-1:] + table.shape[:-1]), 0, -1)
    if (given & (table != whole).any(-1)).any():
        scan.fail("this table has other numbers than what is given before it; keep one of them", begin)
    table[:] = whole
    given[...] = True


def read_values(scan: Scanner, count: int) -> list[float]:
    """So many numbers."""
    begin = scan.at
    values = scan.numbers(";")
    if len(values) != count:
        scan.fail(f"this table has {len(values)} numbers and needs {count}", begin)
    return values


def write(network: BayesianNetwork) -> str:
    """The network as a BIF file; every digit is written."""

    def name(text: object) -> str:
        return quote(str(text), PLAIN.fullmatch)

    lines = [f"network {name(network.name or NAMELESS)} {{", "}"]
    for v in network.nodes:
        states = network.states(v)
        lines += [f"variable {name(v)} {{"]
        lines += [f"  type discrete [ {len(states)} ] {{ {', '.join(map(name, states))} }};", "}"]
    for v in network.nodes:
        parents = network.parents(v)
        rows = network.table(v).values.reshape(-1, len(network.states(v)))
        given = f" | {', '.join(map(name, parents))}" if parents else ""
        lines.append(f"probability ( {name(v)}{given} ) {{")
        for path, row in zip(product(*(network.states(p) for p in parents)), rows.tolist(), strict=True):
            head = f"({', '.join(map(name, path))})" if parents else "table"
            lines.append(f"  {head} {', '.join(map(repr, row))};")
        lines.append("}")
    return "\n".join(lines) + "\n"
