"""A classifier that is one network as a BIF file, for programs that know Bayesian networks.

>>> from bayesfold import NaiveBayes
>>> clf = NaiveBayes().fit({"coat": ["short", "long", "short", "short"]}, ["cat", "cat", "dog", "dog"])
>>> print(write(clf).splitlines()[0])
network unknown {
"""

from typing import Any

from bayesfold.networks.formats import bif
from bayesfold.store.export._lower import fitted_model
from bayesfold.store.to_network import to_network

SUFFIXES = (".bif",)


def write(classifier: Any) -> str:
    """The network, without the decision's costs; what is no single network of tables is refused with the reason."""
    model = fitted_model(classifier)
    return str(bif.write(to_network(model, getattr(classifier, "_trained", classifier).target)))
