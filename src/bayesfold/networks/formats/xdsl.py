"""XDSL, the format of GeNIe and SMILE.

    <cpt id="wet"><state id="yes"/><state id="no"/>
      <parents>rain</parents><probabilities>.9 .1 .2 .8</probabilities></cpt>

The child's states are innermost, then the last parent's: SMILE's manual ("Multidimensional arrays") has the first
parent leftmost and the node itself rightmost, and pgmpy reads so; aGrUM 3.3 lets the first parent change fastest.
`deterministic` nodes are read too: they name the state that each combination of parents leads to. Identifiers hold no
white space, because a list of parents is separated by it.
"""

from math import prod

import numpy as np

from bayesfold.networks.declared import Declared
from bayesfold.networks.markup import Element, parse, write_attribute, write_text
from bayesfold.networks.network import BayesianNetwork

SUFFIXES = (".xdsl",)


def read(data: bytes, file: str = "") -> BayesianNetwork:
    """The network of an XDSL file."""
    root = parse(data)
    if root.tag != "smile":
        root.fail(f"an XDSL file begins with <smile>, not <{root.tag}>")
    declared = Declared(file, root.attributes.get("id", ""))
    for slices in root.all("dynamic"):
        declared.note(slices.line, "this is a dynamic network", "only the nodes of its first slice were read")
    nodes = root.child("nodes").children
    for node in nodes:
        with node.standing():
            if node.tag not in {"cpt", "deterministic"}:
                raise ValueError(f"<{node.tag}> is not read; only <cpt> and <deterministic> are random variables")
            declared.variable(node.attribute("id"), [state.attribute("id") for state in node.all("state")])
    for node in nodes:
        with node.standing():
            parents = node.child("parents").text.split() if node.all("parents") else []
            if node.tag == "cpt":
                declared.table(node.attributes["id"], parents, node.child("probabilities").numbers(), node.line)
            else:
                read_deterministic(node, parents, declared)
    with root.standing():
        return declared.network()


def read_deterministic(node: Element, parents: list[str], declared: Declared) -> None:
    """A table of ones and zeros from the states that follow."""
    child = node.attributes["id"]
    shape = declared.shape(child, parents)
    results = node.child("resultingstates").text.split()
    if len(results) != prod(shape[:-1]):
        raise ValueError(f"{child!r} needs {prod(shape[:-1])} resulting states, and has {len(results)}")
    slots = {str(state): i for i, state in enumerate(declared.axes[child])}
    if lost := next((state for state in results if state not in slots), None):
        raise ValueError(f"{child!r} has no state {lost!r}; its states are {', '.join(slots)}")
    table = np.zeros((len(results), shape[-1]))
    table[np.arange(len(results)), [slots[state] for state in results]] = 1.0
    declared.put(child, table.reshape(shape), node.line)


def write_identifier(text: object) -> str:
    """A name without white space, as an attribute."""
    if not str(text) or len(str(text).split()) != 1:
        raise ValueError(f"{str(text)!r} cannot be written to XDSL: its identifiers hold no white space; rename it")
    return write_attribute(text)


def write(network: BayesianNetwork) -> str:
    """The network as an XDSL file; every digit is written. Parents stand before children, as GeNIe wants them."""
    head = f'<smile version="1.0" id={write_attribute(network.name)}>'
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', head, "  <nodes>"]
    nodes = [network.nodes[i] for i in network.dag.order]
    for v in nodes:
        lines.append(f"    <cpt id={write_identifier(v)}>")
        lines += [f"      <state id={write_identifier(s)} />" for s in network.states(v)]
        if network.parents(v):
            lines.append(f"      <parents>{write_text(' '.join(network.parents(v)))}</parents>")
        numbers = " ".join(map(repr, network.table(v).values.ravel().tolist()))
        lines += [f"      <probabilities>{numbers}</probabilities>", "    </cpt>"]
    lines += [
        "  </nodes>",
        "  <extensions>",
        f'    <genie version="1.0" app="bayesfold" name={write_attribute(network.name)}>',
    ]
    lines += [f"      <node id={write_identifier(v)}><name>{write_text(v)}</name></node>" for v in nodes]
    return "\n".join([*lines, "    </genie>", "  </extensions>", "</smile>", ""])
