"""Whether two models can be merged: the same columns, structure and densities."""

from typing import TYPE_CHECKING, Any

from bayesfold.data.graph import Mixture

if TYPE_CHECKING:
    from bayesfold.models.model import Model

INTO_THE_FIRST = "let the second learn its rows into the first's: first.blank().partial_fit(X, y)"


def check_alike(first: "Model", second: "Model") -> None:
    """Refuse models of different things, and say what differs."""
    first.schema | second.schema  # refuses columns that are not encoded alike
    if bare(first.mixture) != bare(second.mixture):
        raise ValueError(f"the two models have different structures; {INTO_THE_FIRST}")
    for clique in set(first.tally.layout.cliques) ^ set(second.tally.layout.cliques):
        column = (clique.terms or clique.keys)[0]
        raise ValueError(
            f"column {column!r} has a {name_of(first, column)} density here and a {name_of(second, column)} one there; "
            f"{INTO_THE_FIRST}"
        )


def bare(mixture: Mixture) -> Any:
    """A mixture's graphs without their exponents, which are settings of one model."""
    return [[(node.children, node.parents) for node in network] for network in mixture.networks]


def name_of(model: "Model", column: str) -> str:
    """What a column's family is called."""
    return type(model.families[column]).__name__.lower()
