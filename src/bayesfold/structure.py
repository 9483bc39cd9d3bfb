"""Which columns depend on which, in words.

>>> from bayesfold.fit import Recipe, learn
>>> from bayesfold.frame import Frame
>>> f = Frame.of({"coat": ["short", "long", "short", "long"], "indoor": ["yes", "yes", "no", "no"]})
>>> in_words(learn(f, ["cat", "cat", "dog", "dog"], None, Recipe())[0])
'2 columns, each depends on the class alone'
"""

from bayesfold.gather import NAME
from bayesfold.model import Model


def edges(model: Model) -> list[tuple[str, str]]:
    """(parent, child) of a single network, the class aside; none where several networks are averaged."""
    if len(model.mixture.networks) != 1:
        return []
    target = model.schema.target.name
    return [
        (parent, child)
        for node in model.mixture.networks[0]
        for child in node.children
        for parent in node.parents
        if parent != target
    ]


def in_words(model: Model) -> str:
    """The graph in a line."""
    networks, sources = model.mixture.networks, len(model.schema.sources)
    many = "1 column" if sources == 1 else f"{sources:,} columns"
    if NAME in model.families:
        return f"{many} as one vector, normal in each class, with covariance"
    if len(networks) > 1:
        return f"the mean of {len(networks)} networks, in each of which one column or pair stands above the others"
    found = edges(model)
    if not found:
        return f"{many}, each depends on the class alone"
    most = max(sum(1 for _, child in found if child == c) for c in {child for _, child in found})
    return f"{many}, most depend on up to {most} other{'s' * (most > 1)} besides the class"
