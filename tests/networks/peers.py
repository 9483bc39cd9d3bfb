"""Networks in another library, made in memory from the same numbers: its readers keep only single precision."""

from typing import Any


def as_pyagrum(net: Any) -> Any:
    """The same network in pyAgrum."""
    import pyagrum as gum  # the tests pass without it too

    peer = gum.BayesNet()
    for v in net.nodes:
        peer.add(gum.LabelizedVariable(v, v, [str(state) for state in net.states(v)]))
    for parent, child in net.edges:
        peer.addArc(parent, child)
    for v in net.nodes:
        peer.cpt(v)[:] = net.table(v).ordered(*reversed(peer.cpt(v).names)).values
    return peer
