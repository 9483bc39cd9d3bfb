"""UAI, the format of the inference competitions: numbers only.

    BAYES                       the kind
    2   2 2                     variables, and the states of each
    2   1 0   2 0 1             tables, and the variables of each, the child last
    2 0.2 0.8   4 0.9 0.1 0.2 0.8

It has no names: variables are read as x0, x1, ... and their states as 0, 1, ... Who writes names is told that they are
lost; those of variables stand in comments, for people.
"""

import re
import warnings
from math import prod

from bayesfold.networks.declared import Declared, FormatWarning
from bayesfold.networks.network import BayesianNetwork
from bayesfold.networks.scanner import Scanner, decode_text, show_token
from bayesfold.runtime.messages import listed

SUFFIXES = (".uai",)
HOLDS_NAMES = False
NAMED = re.compile(r"(?m)^[0-9]+(?: [0-9]+)+  # (.+)$")
"""The line of a table's variables with the name of the child in a comment, as it is written here."""


def read(data: bytes, file: str = "") -> BayesianNetwork:
    """The network of a UAI file."""
    scan = Scanner(decode_text(data), marks=",", comment="#")
    kind = scan.next()
    if kind != "BAYES":
        advice = "a Markov network has no parents; " if kind == "MARKOV" else ""
        scan.fail(f"{advice}expected BAYES, found {show_token(kind)}", scan.at - len(kind))
    declared = Declared(file)
    if names := [name for name in NAMED.findall(scan.text) if not re.fullmatch(r"x[0-9]+", name)]:
        declared.note(0, f"names stand in comments ({listed(names, 3)})", "variables are read as x0, x1, ...")
    most = len(scan.text)  # every state has a number in some table
    variables = read_integer(scan, "variables", most)
    for i in range(variables):
        states = read_integer(scan, "states", most)
        most -= states
        declared.variable(f"x{i}", tuple(map(str, range(states))))
    tables = read_integer(scan, "tables", len(scan.text))
    scopes = []
    for _ in range(tables):
        size = read_integer(scan, "variables in a table", 32)
        scopes.append([f"x{read_integer(scan, 'a variable', variables - 1, 0)}" for _ in range(size)])
    for *parents, child in scopes:
        with scan.standing():
            cells = prod(len(declared.axes[v]) for v in (*parents, child))
            if read_integer(scan, "numbers in a table", 1 << 40) != cells:
                raise ValueError(f"a table over {', '.join((*parents, child))} must announce {cells} numbers")
            line = scan.line()
            declared.table(child, parents, read_numbers(scan, cells), line)
    if scan.peek():
        scan.fail(f"expected the end of the file, found {show_token(scan.peek())}")
    with scan.standing():
        return declared.network()


def read_integer(scan: Scanner, what: str, most: int, least: int = 1) -> int:
    """A whole number in a range."""
    token = scan.peek()
    if not re.fullmatch(r"[0-9]{1,12}", token) or not least <= int(token) <= most:
        scan.fail(f"expected {what} (a whole number from {least} to {most}), found {show_token(token)}")
    scan.next()
    return int(token)


def read_numbers(scan: Scanner, count: int) -> list[float]:
    """So many numbers, with spaces or commas between them."""
    values: list[float] = []
    while len(values) < count:
        values.append(scan.number())
        if scan.peek() == ",":
            scan.next()
    return values


def write(network: BayesianNetwork) -> str:
    """The network as a UAI file; the names are lost, and kept as comments."""
    index = network.dag.index
    named = [v for i, v in enumerate(network.nodes) if v != f"x{i}"]
    stated = [v for v in network.nodes if network.states(v) != tuple(map(str, range(len(network.states(v)))))]
    if named or stated:
        lost = f"the names of {listed(named, 3)}" if named else f"the states of {listed(stated, 3)}"
        warnings.warn(
            f"a UAI file has no names, so {lost} are lost: variables are read again as x0, x1, ... and states as 0, 1, "
            "...; a .bif file keeps them",
            FormatWarning,
            stacklevel=3,
        )
    cards = [len(network.states(v)) for v in network.nodes]
    lines = ["BAYES", str(len(cards)), " ".join(map(str, cards)), str(len(cards))]
    for v in network.nodes:
        scope = [index[u] for u in (*network.parents(v), v)]
        comment = re.sub(r"\s+", " ", v)
        lines.append(f"{len(scope)} {' '.join(map(str, scope))}  # {comment}")
    for v in network.nodes:
        values = network.table(v).values
        lines += ["", str(values.size)]
        lines += [" " + " ".join(map(repr, row)) for row in values.reshape(-1, values.shape[-1]).tolist()]
    return "\n".join([*lines, ""])
