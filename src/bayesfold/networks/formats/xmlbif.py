"""XMLBIF 0.3, the interchange format in XML: what Weka and JavaBayes write.

    <VARIABLE TYPE="nature"><NAME>rain</NAME><OUTCOME>yes</OUTCOME><OUTCOME>no</OUTCOME></VARIABLE>
    <DEFINITION><FOR>wet</FOR><GIVEN>rain</GIVEN><TABLE>0.9 0.1 0.2 0.8</TABLE></DEFINITION>

The child's states are innermost in a table.
"""

from bayesfold.networks.declared import Declared
from bayesfold.networks.markup import parse, write_text
from bayesfold.networks.network import BayesianNetwork

SUFFIXES = (".xmlbif", ".bifxml", ".xml")


def read(data: bytes, file: str = "") -> BayesianNetwork:
    """The network of an XMLBIF file."""
    root = parse(data)
    if root.tag.upper() != "BIF":
        root.fail(f"an XMLBIF file begins with <BIF>, not <{root.tag}>")
    body = root.child("NETWORK")
    declared = Declared(file, body.all("NAME")[0].text if body.all("NAME") else "")
    for variable in body.all("VARIABLE"):
        with variable.standing():
            if (kind := variable.attributes.get("TYPE", "nature").lower()) != "nature":
                raise ValueError(f"a {kind} node is no random variable; only TYPE='nature' is read")
            outcomes = [*variable.all("OUTCOME"), *variable.all("VALUE")]
            declared.variable(variable.child("NAME").text, [outcome.text for outcome in outcomes])
    for table in [*body.all("DEFINITION"), *body.all("PROBABILITY")]:
        with table.standing():
            parents = [given.text for given in table.all("GIVEN")]
            declared.table(table.child("FOR").text, parents, table.child("TABLE").numbers(), table.line)
    with body.standing():
        return declared.network()


def write(network: BayesianNetwork) -> str:
    """The network as an XMLBIF file; every digit is written."""
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<BIF VERSION="0.3">', "<NETWORK>"]
    lines.append(f"<NAME>{write_text(network.name)}</NAME>")
    for v in network.nodes:
        outcomes = "".join(f"<OUTCOME>{write_text(s)}</OUTCOME>" for s in network.states(v))
        lines.append(f'<VARIABLE TYPE="nature"><NAME>{write_text(v)}</NAME>{outcomes}</VARIABLE>')
    for v in network.nodes:
        given = "".join(f"<GIVEN>{write_text(p)}</GIVEN>" for p in network.parents(v))
        numbers = " ".join(map(repr, network.table(v).values.ravel().tolist()))
        lines.append(f"<DEFINITION><FOR>{write_text(v)}</FOR>{given}<TABLE>{numbers}</TABLE></DEFINITION>")
    return "\n".join([*lines, "</NETWORK>", "</BIF>", ""])
