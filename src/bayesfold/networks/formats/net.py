"""NET, the format of Hugin.

    node rain { states = ("yes" "no"); }
    potential (wet | rain) { data = ((0.9 0.1) (0.2 0.8)); }

The child's states are innermost; the brackets inside `data` only help the eye. Decisions, utilities, continuous nodes
and tables given by a model are refused by name.
"""

import re

from bayesfold.networks.declared import Declared
from bayesfold.networks.network import BayesianNetwork
from bayesfold.networks.scanner import Scanner, decoded, quoted, shown

SUFFIXES = (".net", ".hugin")

PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def read(data: bytes) -> BayesianNetwork:
    """The network of a NET file."""
    scan = Scanner(decoded(data), comment="%")
    declared = Declared()
    while scan.peek():
        block = scan.take("net", "node", "discrete", "potential", "decision", "utility", "continuous", "class")
        if block in {"decision", "utility", "continuous", "class"}:
            scan.fail(f"a {block} is not read; only discrete nodes and their potentials are", scan.at - len(block))
        if block == "net":
            read_header(scan, declared)
        elif block == "potential":
            read_potential(scan, declared)
        else:
            if block == "discrete":
                scan.take("node")
            read_node(scan, declared)
    with scan.standing():
        return declared.network()


def read_header(scan: Scanner, declared: Declared) -> None:
    """net { name = ...; }"""
    scan.take("{")
    while scan.peek() != "}":
        key = scan.name()
        scan.take("=")
        if key == "name":
            declared.name = scan.name() if scan.peek() != ";" else ""
            scan.take(";")
        else:
            scan.skip_value()
    scan.take("}")


def read_node(scan: Scanner, declared: Declared) -> None:
    """node NAME { states = (...); }"""
    with scan.standing():
        name, states = scan.name(), []
        scan.take("{")
        while scan.peek() != "}":
            key = scan.name()
            scan.take("=")
            if key != "states":
                scan.skip_value()
                continue
            scan.take("(")
            while scan.peek() != ")":
                states.append(scan.name())
            scan.take(")")
            scan.take(";")
        scan.take("}")
        declared.variable(name, states)


def read_potential(scan: Scanner, declared: Declared) -> None:
    """potential (child | parents) { data = (...); }"""
    with scan.standing():
        scan.take("(")
        child, parents = scan.name(), []
        if scan.peek() == "|":
            scan.next()
            while scan.peek() != ")":
                parents.append(scan.name())
        scan.take(")")
        scan.take("{")
        values: list[float] | None = None
        while scan.peek() != "}":
            key = scan.name()
            scan.take("=")
            if key == "data":
                values = read_data(scan)
            elif key in {"model_nodes", "model_data"}:
                scan.fail("a table given by a model is not read; write its numbers in data = (...)")
            else:
                scan.skip_value()
        scan.take("}")
        if values is None:
            raise ValueError(f"the potential of {child!r} has no data")
        declared.table(child, parents, values)


def read_data(scan: Scanner) -> list[float]:
    """Numbers in brackets of any depth, and comments, up to the semicolon."""
    values = []
    while (token := scan.peek()) != ";":
        if token not in {"(", ")"}:
            try:
                values.append(float(token))
            except ValueError:
                scan.fail(f"expected a number, found {shown(token)}")
        scan.next()
    scan.take(";")
    return values


def write(network: BayesianNetwork) -> str:
    """The network as a NET file; every digit is written."""

    def name(text: object) -> str:
        return quoted(str(text), PLAIN.fullmatch)

    def text(state: object) -> str:
        return quoted(str(state), lambda _: False)

    lines = ["net", "{", f"  name = {text(network.name)};", "}"]
    for v in network.nodes:
        lines += [f"node {name(v)}", "{", f"  states = ({' '.join(map(text, network.states(v)))});", "}"]
    for v in network.nodes:
        parents = network.parents(v)
        given = f" | {' '.join(map(name, parents))}" if parents else ""
        lines += [f"potential ({name(v)}{given})", "{", f"  data = {nested(network.table(v).values.tolist())};", "}"]
    return "\n".join([*lines, ""])


def nested(values: list[object] | object) -> str:
    """Numbers in the brackets of their axes."""
    return f"({' '.join(map(nested, values))})" if isinstance(values, list) else repr(values)
