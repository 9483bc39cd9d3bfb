"""Networks that classify, to files and back."""

import os
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesfold import store
from bayesfold.networks.network import BayesianNetwork
from bayesfold.store.network_content import NetworkContent, network_fields, network_in

if TYPE_CHECKING:
    from bayesfold.estimators.network_classifier import NetworkClassifier


def save(clf: "NetworkClassifier", path: str | os.PathLike[str]) -> None:
    """Write a fitted classifier to a file; how its arcs were found (`learned_`) is not kept."""
    parameters: dict[str, Any] = clf.get_params(deep=False)
    if isinstance(clf.structure, BayesianNetwork):
        parameters["structure"] = clf.structure.edges  # what it says of states and tables is in the network
    elif clf.structure is not None:
        parameters["structure"] = tuple((str(u), str(v)) for u, v in clf.structure)
    content = NetworkContent(
        parameters=parameters,
        names=tuple(clf._names),
        named=hasattr(clf, "feature_names_in_"),
        label_type=clf._kind,
        cuts={name: tuple(map(float, cuts)) for name, cuts in clf.cuts_.items()},
        **network_fields(clf.network_),
    )
    store.save_network(content, path)


def restore_network(content: NetworkContent) -> "NetworkClassifier":
    """The classifier of a file."""
    from bayesfold.data.labels import classes_of
    from bayesfold.estimators.network_classifier import NetworkClassifier

    try:
        clf = NetworkClassifier(**content.parameters)
    except TypeError as error:
        raise store.Unreadable(f"its settings are not those of a NetworkClassifier: {error}") from None
    clf.network_, clf.cuts_, clf._kind = network_in(content), dict(content.cuts), content.label_type
    clf._names, clf.n_features_in_ = content.names, len(content.names)
    if content.named:
        clf.feature_names_in_ = np.asarray(content.names, object)
    if clf._target not in clf.network_.dag.index:
        raise store.Unreadable(f"its network has no node {clf._target!r} for the class")
    clf.classes_ = classes_of(clf.network_.states(clf._target), clf._kind)
    return clf
