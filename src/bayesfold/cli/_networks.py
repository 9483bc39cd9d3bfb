"""Networks from files, built-in examples and models; their answers for machines."""

from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any

from bayesfold.cli._names import existing
from bayesfold.networks.factor import Factor, known
from bayesfold.networks.files import examples, read_network
from bayesfold.networks.network import BayesianNetwork
from bayesfold.networks.query import read_query


def read(path: str) -> BayesianNetwork:
    """A network: a file by its ending, a model as a network, or a built-in example by its name."""
    if not Path(path).suffix:
        if path not in examples() and Path(path).exists():
            raise ValueError(
                f"{path} has no ending that says its format; the endings are .bif, .xmlbif, .net, .xdsl, ..."
            )
        return read_network(path)
    if path.endswith(".bayes"):
        from bayesfold.cli._models import load_model
        from bayesfold.store.to_network import to_network

        model = load_model(path)
        return to_network(model.model_, model.target)
    return read_network(existing(path))


def has_targets(net: BayesianNetwork, question: str) -> bool:
    """Whether a question names variables without a state before the bar."""
    return "|" in question and bool(read_query(question, net.axes).targets)


def split(text: str, nodes: Sequence[str]) -> list[str]:
    """Names with commas between them; a name may have a comma of its own."""
    if text in nodes or not text:
        return [text] if text else []
    return [known("node", name.strip(), nodes) for name in text.split(",")]


def as_json(answer: Factor) -> dict[str, Any]:
    """A distribution: one entry for each combination of states."""
    cells = zip(product(*answer.axes.values()), answer.values.ravel().tolist(), strict=True)
    return {
        "variables": {name: list(states) for name, states in answer.axes.items()},
        "given": dict(answer.given),
        "distribution": [{"states": dict(zip(answer.axes, s, strict=True)), "probability": p} for s, p in cells],
    }
