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
            return f"{len(near.places)} landmarks, bandwidth {family.bandwidth:.2g}, {near.diagonal:g} diagonal"
        shrinkage = family.shrinkage
        return f"covariance {shrinkage.tied:g} tied, {shrinkage.diagonal:g} diagonal; {schema.width(NAME)} numbers"
    deeper = choose.deeper_of(model)
    most = max((len(n.parents) - 1 for network in networks for n in network), default=0)
    rows = "weight" if model.tally.weighted else "row" if deeper == 1 else "rows"
    smoothing = "" if deeper is None else f", smoothed by {deeper:g} pseudo {rows}"
    if not model.mixture.roots and len(schema.features) >= exponents.MOST_EXPONENTS:
        smoothing += ", one exponent for all columns"
    parents = "no parents" if most < 1 else f"up to {most} parent{'s' * (most > 1)}"
    return f"{len(networks)} network{'s' * (len(networks) > 1)}, {parents}{smoothing}"
