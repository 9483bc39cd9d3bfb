"""What a model cannot do, and why: learn what its priors do not know, or change what is no sum."""

from typing import TYPE_CHECKING

from bayesfold.data.schema import Schema

if TYPE_CHECKING:
    from bayesfold.models.model import Model


def check_classes(model: "Model", schema: Schema) -> None:
    """Refuse a class that joins a model whose class probabilities were given."""
    late = [c for c in schema.target.levels if model.prior is not None and c not in model.prior]
    if late:
        raise ValueError(
            f"priors gives no probability for the class {late[0]!r}; fit again with priors for every class"
        )


def require_classes(model: "Model") -> None:
    """Refuse to answer for a model that no class is left of."""
    if not model.classes:
        raise ValueError(
            "this model has forgotten all its rows, and with them its classes, so it has no answer; let it learn rows "
            "first (forget with keep_levels=True keeps the classes)"
        )


def require_sums(model: "Model", what: str) -> None:
    """Refuse what would change parameters that are no sums, or shares of unlabelled rows, which are not kept."""
    if model.iterative:
        raise ValueError(
            f"this model cannot {what}: what the words of {model.iterative!r} say was found by iteration over all "
            "rows together (nb_lr), and is no sum; fit all rows again, or use another model of the text"
        )
    if model.soft:
        raise ValueError(
            f"this model cannot {what}: it has learned rows without labels, and what these count in each class "
            "depends on all other rows; fit the rows that are to be in it together"
        )
