"""Networks from files, built-in examples and models; their answers for machines."""

from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bayesfold.cli._names import find_file
from bayesfold.networks.factor import Factor
from bayesfold.networks.factor_states import check_name
from bayesfold.networks.files import examples, read_network
from bayesfold.networks.network import BayesianNetwork
from bayesfold.networks.query import read_query
from bayesfold.runtime.messages import listed

if TYPE_CHECKING:  # what numbers need is loaded with the first network that has some
    from bayesfold.networks.mixed.mixture import JointMixture, NormalMixture
    from bayesfold.networks.mixed.network import MixedNetwork


def read_any_network(path: str) -> "BayesianNetwork | MixedNetwork":
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
    return read_network(find_file(path))


def require_states(net: "BayesianNetwork | MixedNetwork", what: str) -> BayesianNetwork:
    """The network, if all its nodes have states: `what` needs that."""
    if not isinstance(net, BayesianNetwork):
        raise ValueError(
            f"{what} is for networks of states, and this one has numbers ({listed(net.numbers)}); leave it out"
        )
    return net


def has_targets(net: "BayesianNetwork | MixedNetwork", question: str) -> bool:
    """Whether a question names variables without a state before the bar."""
    return "|" in question and bool(read_query(question, net.axes).targets)


def split_names(text: str, nodes: Sequence[str]) -> list[str]:
    """Names with commas between them; a name may have a comma of its own."""
    if text in nodes or not text:
        return [text] if text else []
    return [check_name("node", name.strip(), nodes) for name in text.split(",")]


def answer_as_json(answer: "Factor | NormalMixture | JointMixture") -> dict[str, Any]:
    """A distribution: one entry for each combination of states; of numbers the whole, and the parts of a mixture."""
    if not isinstance(answer, Factor):
        return number_as_json(answer)
    cells = zip(product(*answer.axes.values()), answer.values.ravel().tolist(), strict=True)
    return {
        "variables": {name: list(states) for name, states in answer.axes.items()},
        "given": dict(answer.given),
        "distribution": [{"states": dict(zip(answer.axes, s, strict=True)), "probability": p} for s, p in cells],
    }


def number_as_json(answer: "NormalMixture | JointMixture") -> dict[str, Any]:
    """What is known of a number, or of several together."""
    from bayesfold.networks.mixed.mixture import NormalMixture

    parts = zip(answer.weights.tolist(), answer.labels, answer.means.tolist(), strict=True)
    mixture = [{"weight": weight, "states": label, "mean": mean} for weight, label, mean in parts]
    if isinstance(answer, NormalMixture):
        for part, variance in zip(mixture, answer.variances.tolist(), strict=True):
            part["variance"] = variance
        whole = {"number": answer.name, "mean": answer.mean, "variance": answer.variance}
    else:
        for part, covariance in zip(mixture, answer.covariances.tolist(), strict=True):
            part["covariance"] = covariance
        whole = {"numbers": list(answer.names), "mean": answer.mean.tolist(), "covariance": answer.covariance.tolist()}
    return {**whole, "given": dict(answer.given), "mixture": mixture}
