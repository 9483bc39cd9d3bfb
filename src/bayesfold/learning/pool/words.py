"""What a part of a pool has chosen, in words."""

from bayesfold.learning import choices as choose
from bayesfold.learning import exponents
from bayesfold.learning.gaussian_vector import NAME
from bayesfold.models.model import Model


def in_words(model: Model) -> str:
    """What a part has chosen."""
    schema, networks = model.schema, model.mixture.networks
    if schema.vectors:
        family = model.families[NAME]
        for near in schema.landmarks:
            kernels = f"kernels at {len(near.places)} landmarks, bandwidth {family.bandwidth:.2g}"
            return kernels + correlations_in_words(near.diagonal)
        tied, diagonal = family.shrinkage.tied, family.shrinkage.diagonal
        return f"{schema.width(NAME)} numbers, {covariance_in_words(tied)}{correlations_in_words(diagonal)}"
    deeper = choose.deeper_of(model)
    most = max((len(n.parents) - 1 for network in networks for n in network), default=0)
    rows = "weight" if model.tally.weighted else "row" if deeper == 1 else "rows"
    smoothing = "" if deeper is None else f", prior worth {deeper:g} {rows}"
    if not model.mixture.roots and len(schema.features) >= exponents.MOST_EXPONENTS:
        smoothing += ", one exponent for all columns"
    parents = "columns independent given the class" if most < 1 else f"up to {most} parent{'s' * (most > 1)} per column"
    return f"{len(networks)} network{'s' * (len(networks) > 1)}, {parents}{smoothing}"


def covariance_in_words(tied: float) -> str:
    """Whose covariance it is.

    >>> covariance_in_words(0.0), covariance_in_words(0.3), covariance_in_words(1.0)
    ('a covariance for each class', 'covariances shrunk by 30 % to a common one', 'one covariance for all classes')
    """
    if tied in (0.0, 1.0):
        return "one covariance for all classes" if tied else "a covariance for each class"
    return f"covariances shrunk by {100 * tied:g} % to a common one"


def correlations_in_words(diagonal: float) -> str:
    """What becomes of the correlations.

    >>> correlations_in_words(0.0), correlations_in_words(0.3), correlations_in_words(1.0)
    ('', ', correlations shrunk by 30 %', ', no correlations')
    """
    if diagonal in (0.0, 1.0):
        return ", no correlations" if diagonal else ""
    return f", correlations shrunk by {100 * diagonal:g} %"
