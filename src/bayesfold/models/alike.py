"""What can be added to a model: another of the same columns, structure and densities, or rows counted as it counts."""

from typing import TYPE_CHECKING, Any

from bayesfold.data.graph import Mixture

if TYPE_CHECKING:
    from bayesfold.data.batch import Batch
    from bayesfold.data.schema import Schema
    from bayesfold.models.model import Model
    from bayesfold.tally.statistic import Tally

INTO_THE_FIRST = "let the second learn its rows into the first's: first.blank().partial_fit(X, y)"


def check_alike(first: "Model", second: "Model") -> None:
    """Refuse models of different things, and say what differs."""
    first.schema | second.schema  # refuses columns that are not encoded alike
    if without_exponents(first.mixture) != without_exponents(second.mixture):
        raise ValueError(f"the two models have different structures; {INTO_THE_FIRST}")
    for clique in set(first.tally.layout.cliques) ^ set(second.tally.layout.cliques):
        column = (clique.terms or clique.keys)[0]
        raise ValueError(
            f"column {column!r} has a {family_name(first, column)} density in one model and a "
            f"{family_name(second, column)} density in the other; {INTO_THE_FIRST}"
        )


def without_exponents(mixture: Mixture) -> Any:
    """A mixture's graphs without the exponents, which are settings of one model."""
    return [[(node.children, node.parents) for node in network] for network in mixture.networks]


def family_name(model: "Model", column: str) -> str:
    """The name of a column's family."""
    return type(model.families[column]).__name__.lower()


def count_alike(schema: "Schema", tally: "Tally", batch: "Batch") -> "Tally":
    """A tally of these rows with the cliques of that one, to be added to it or subtracted."""
    from bayesfold.tally import counter  # a model that answers does without

    if schema is tally.schema:
        return counter.count_alike(tally.layout, batch)
    return counter.count(schema, tally.layout.cliques, batch)
