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
    "BayesianNetwork": "bayesfold.networks.network",
    "BernoulliNB": "bayesfold.estimators.bernoulli_nb",
    "CategoricalNB": "bayesfold.estimators.categorical_nb",
    "ColumnWarning": "bayesfold.estimators.rows",
    "ComplementNB": "bayesfold.estimators.complement_nb",
    "Factor": "bayesfold.networks.factor",
    "FactorGraph": "bayesfold.networks.factor_graph",
    "GaussianBayes": "bayesfold.estimators.gaussian_bayes",
    "GaussianNB": "bayesfold.estimators.gaussian_nb",
    "ImpossibleEvidence": "bayesfold.networks.factor",
    "KDB": "bayesfold.estimators.kdb",
    "MarkovChain": "bayesfold.networks.markov",
    "MinimumRisk": "bayesfold.estimators.minimum_risk",
    "MultinomialNB": "bayesfold.estimators.multinomial_nb",
    "NaiveBayes": "bayesfold.estimators.naive",
    "RowWarning": "bayesfold.io.rows",
    "SPODE": "bayesfold.estimators.spode",
    "Schema": "bayesfold.data.schema",
    "TAN": "bayesfold.estimators.tan",
    "TextClassifier": "bayesfold.estimators.text_classifier",
    "bayes_rule": "bayesfold.networks.bayes_rule",
    "conditional_risk": "bayesfold.decisions.risk",
    "decide": "bayesfold.decisions.risk",
    "evaluate": "bayesfold.decisions.evaluate",
    "export_model": "bayesfold.store.export",
    "families": "bayesfold.families",
    "fit_network": "bayesfold.networks.network",
    "joint": "bayesfold.networks.bayes_rule",
    "learn_network": "bayesfold.networks.learning.structure",
    "load": "bayesfold.estimators.saved",
    "odds": "bayesfold.networks.bayes_rule",
    "plots": "bayesfold.plots",
    "posterior_odds": "bayesfold.networks.bayes_rule",
    "read_network": "bayesfold.networks.files",
    "total_probability": "bayesfold.networks.bayes_rule",
    "updating": "bayesfold.estimators.saved",
    "write_network": "bayesfold.networks.files",
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
