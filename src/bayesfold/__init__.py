"""Every Bayesian classifier as one fold over data.

>>> import bayesfold as bf
>>> bf.__version__
'0.1.0'
"""

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

_HOME = {
    "AODE": "bayesfold.estimators.aode",
    "BayesClassifier": "bayesfold.estimators.bayes_classifier",
    "BernoulliNB": "bayesfold.estimators.bernoulli_nb",
    "CategoricalNB": "bayesfold.estimators.categorical_nb",
    "ColumnWarning": "bayesfold.estimators.base",
    "ComplementNB": "bayesfold.estimators.complement_nb",
    "GaussianBayes": "bayesfold.estimators.gaussian_bayes",
    "GaussianNB": "bayesfold.estimators.gaussian_nb",
    "MinimumRisk": "bayesfold.estimators.minimum_risk",
    "KDB": "bayesfold.estimators.kdb",
    "MultinomialNB": "bayesfold.estimators.multinomial_nb",
    "NaiveBayes": "bayesfold.estimators.naive",
    "Schema": "bayesfold.schema",
    "conditional_risk": "bayesfold.risk",
    "decide": "bayesfold.risk",
    "evaluate": "bayesfold.evaluation",
    "TAN": "bayesfold.estimators.tan",
    "families": "bayesfold.families",
    "plots": "bayesfold.plots",
}

__all__ = [*sorted(_HOME)]


def __getattr__(name: str) -> Any:
    """Load a public name when it is first used, so that importing the package costs nothing."""
    if name not in _HOME:
        raise AttributeError(f"module 'bayesfold' has no attribute {name!r}")
    home = import_module(_HOME[name])
    value = home if home.__name__ == f"bayesfold.{name}" else getattr(home, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOME])
