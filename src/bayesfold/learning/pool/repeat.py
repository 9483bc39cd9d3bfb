"""The recipe that repeats what a model has chosen: how numbers are cut, how many parents, the smoothing.

Cuts, tables, parents and weights are learned anew under it, the weights under the one ridge that was best. It is for
rows on which nothing was chosen: so many choices flatter the rows they were made on (200 columns, 300 rows: naive
Bayes' log-loss .18 instead of .48).
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from bayesfold.learning.choices import deeper_of
from bayesfold.learning.column_table import BEST
from bayesfold.learning.discover import BY_CHANCE, MISSING_IS_A_VALUE
from bayesfold.learning.fit import Way
from bayesfold.learning.gaussian_vector import NAME
from bayesfold.learning.recipe import ParzenChoices, Recipe
from bayesfold.models.model import Model


def repeated(recipe: Recipe, model: Model, way: Way) -> Recipe:
    """The recipe without its alternatives; `way` is that of the model that was learned by it."""
    columns = way.found.columns
    if recipe.parzen is not None:
        (landmarks,) = model.schema.landmarks
        return replace(recipe, parzen=ParzenChoices((landmarks.diagonal,), (model.families[NAME].bandwidth,)))
    if recipe.normal is not None:
        screened = any(c.why == BY_CHANCE for c in columns)
        return replace(recipe, normal=replace(recipe.normal, screened=(screened,), **covariance(model)))
    ridges = recipe.ridges if way.ridge is None else (way.ridge,)
    if not isinstance(recipe.structure, tuple):
        kept = {c.name: c.family for c in columns if c.why.startswith(BEST)}
        return replace(recipe, options=replace(recipe.options, kept=kept), ridges=ridges, hurried=True)
    holes = "value" if any(c.why.endswith(MISSING_IS_A_VALUE) for c in columns) else "skip"
    cut = next((c.family for c in columns if c.why.startswith("numeric=")), recipe.options.numeric)
    options = replace(recipe.options, numeric=cut, missing_as=holes)
    most = max(len(node.parents) - 1 for node in model.mixture.networks[0])
    structure = next((s for s in recipe.structure if getattr(s, "k", None) == most), recipe.structure[-1])
    found = deeper_of(model)
    deeper = recipe.deeper if found is None else (found,)
    return replace(recipe, options=options, structure=structure, deeper=deeper, ridges=ridges, hurried=True)


def covariance(model: Model) -> Mapping[str, Any]:
    """The one covariance that was chosen, and whether numbers went by rank."""
    shrinkage = model.families[NAME].shrinkage
    ranks = any(axis.knots for vector in model.schema.vectors for axis in vector.numbers)
    return {"tied": (shrinkage.tied,), "diagonal": (shrinkage.diagonal,), "ranks": (ranks,)}
