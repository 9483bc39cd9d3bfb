"""NET, the format of Hugin.

    node rain { states = ("yes" "no"); }
    potential (wet | rain) { data = ((0.9 0.1) (0.2 0.8)); }

The child's states are innermost; the brackets inside `data` may be left out. Its rows may sum to anything, and a
potential without `data` has a row of ones, as in Hugin. A file may hold one `class`, whose nodes are the network's.
Decisions, utilities, continuous nodes, instances of classes, and tables given by a model alone are refused by name.
"""

import re
from math import prod

from bayesfold.networks.declared import MOST_CELLS, Declared
from bayesfold.networks.factor_states import check_name
from bayesfold.networks.network import BayesianNetwork
from bayesfold.networks.scanner import Scanner, decode_text, quote

SUFFIXES = (".net", ".hugin")

MODEL = ("model_nodes", "model_data", "samples_per_interval")
REFUSED = ("decision", "utility", "continuous", "function", "instance")

PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def read(data: bytes, file: str = "") -> BayesianNetwork:
    """The network of a NET file."""
    scan = Scanner(decode_text(data), comment="%")
    declared = Declared(file)
    while scan.peek():
        if scan.peek() == "class":
            read_class(scan, declared)
        else:
            read_block(scan, declared)
    with scan.standing():
        return declared.network()


def read_block(scan: Scanner, declared: Declared) -> None:
    """A header, a node or a potential."""
    block = scan.take("net", "node", "discrete", "potential", "class", *REFUSED)
    if block in REFUSED:
        scan.fail(
            f"{'an' if block == 'instance' else 'a'} {block} is not read; only discrete nodes and their potentials are",
            scan.at - len(block),
        )
    if block == "class":
        scan.fail("a class inside a class is not read", scan.at - len(block))
    if block == "net":
        read_header(scan, declared)
    elif block == "potential":
        read_potential(scan, declared)
    else:
        if block == "discrete":
            scan.take("node")
        read_node(scan, declared)


def read_class(scan: Scanner, declared: Declared) -> None:
    """class NAME { nodes and potentials, and attributes such as inputs = (...); }"""
    scan.take("class")
    if declared.axes:
        scan.fail("a file of several classes is not read: save the one that you want as a network of its own")
    declared.name = scan.name()
    scan.take("{")
    while scan.peek() != "}":
        if scan.peek() in {"node", "discrete", "potential", *REFUSED}:
            read_block(scan, declared)
        else:
            scan.name()
            scan.take("=")
            scan.skip_value()
    scan.take("}")


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
        name = scan.name()
        states: list[str] = []
        scan.take("{")
        while scan.peek() != "}":
            key = scan.name()
            scan.take("=")
            if key != "states":
                scan.skip_value()
                continue
            if states:
                scan.fail(f"the states of {name!r} are given twice; keep one list")
            scan.take("(")
            while scan.peek() != ")":
                states.append(scan.name())
                if scan.peek() == ",":
                    scan.next()
            scan.take(")")
            scan.take(";")
        scan.take("}")
        declared.variable(name, states)


def read_potential(scan: Scanner, declared: Declared) -> None:
    """potential (child | parents) { data = (...); }"""
    with scan.standing():
        line = scan.line()
        scan.take("(")
        child, parents = scan.name(), []
        if scan.peek() == "|":
            scan.next()
            while scan.peek() != ")":
                parents.append(scan.name())
        scan.take(")")
        scan.take("{")
        values: list[float] | None = None
        together: set[int] = set()
        modelled = -1
        while scan.peek() != "}":
            key = scan.name()
            scan.take("=")
            if key == "data" and values is not None:
                scan.fail(f"the table of {child!r} is given twice; keep one")
            elif key == "data":
                values, together = read_data(scan)
            else:
                modelled = scan.at if key in MODEL else modelled
                scan.skip_value()
        scan.take("}")
        if values is None and modelled >= 0:
            scan.fail("a table given by a model is not read; write its numbers in data = (...)", modelled)
        if values is None:
            kind = "such tables are taken to have equal rows, as in Hugin"
            declared.note(line, f"the potential of {child!r} has no data", kind)
            sizes = [len(declared.axes[check_name("variable", v, declared.axes)]) for v in (*parents, child)]
            values = [1 / sizes[-1]] * prod(sizes) if prod(sizes) <= MOST_CELLS else []
        declared.table(child, parents, values, line, scaled=True)
        sizes = [len(declared.axes[v]) for v in (*parents, child)]
        if odd := together - {prod(sizes[k:]) for k in range(len(sizes))}:
            raise ValueError(
                f"there are brackets of {min(odd)} numbers, and the table of {child!r} has rows of {sizes[-1]}: give "
                "one row for each combination of the parents' states"
            )


def read_data(scan: Scanner) -> tuple[list[float], set[int]]:
    """Numbers in brackets of any depth, with commas and comments, up to the semicolon; and how many stand together."""
    values: list[float] = []
    together, begin = set(), 0
    while (token := scan.peek()) != ";":
        if token in {"(", ")"}:
            together.add(len(values) - begin)
            begin = len(values)
        if token in {"(", ")", ","}:
            scan.next()
        else:
            values.append(scan.number())
    scan.take(";")
    return values, (together | {len(values) - begin}) - {0}


def write(network: BayesianNetwork) -> str:
    """The network as a NET file; every digit is written."""

    def name(text: object) -> str:
        return quote(str(text), PLAIN.fullmatch)

    def text(state: object) -> str:
        return quote(str(state), lambda _: False)

    lines = ["net", "{", f"  name = {text(network.name)};", "}"]
    for v in network.nodes:
        lines += [f"node {name(v)}", "{", f"  states = ({' '.join(map(text, network.states(v)))});", "}"]
    for v in network.nodes:
        parents = network.parents(v)
        given = f" | {' '.join(map(name, parents))}" if parents else ""
        lines += [
            f"potential ({name(v)}{given})",
            "{",
            f"  data = {write_nested(network.table(v).values.tolist())};",
            "}",
        ]
    return "\n".join([*lines, ""])


def write_nested(values: list[object] | object) -> str:
    """Numbers in the brackets of their axes."""
    return f"({' '.join(map(write_nested, values))})" if isinstance(values, list) else repr(values)
