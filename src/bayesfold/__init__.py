"""Every Bayesian classifier as one fold over data.

>>> import bayesfold as bf
>>> bf.__version__
'0.1.0'
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # what `__getattr__` gives, for those who read types
    from bayesfold import families as families
    from bayesfold import plots as plots
    from bayesfold.data.schema import Schema as Schema
    from bayesfold.decisions.evaluate import evaluate as evaluate
    from bayesfold.decisions.risk import conditional_risk as conditional_risk
    from bayesfold.decisions.risk import decide as decide
    from bayesfold.estimators.aode import AODE as AODE
    from bayesfold.estimators.bayes_classifier import BayesClassifier as BayesClassifier
    from bayesfold.estimators.bernoulli_nb import BernoulliNB as BernoulliNB
    from bayesfold.estimators.categorical_nb import CategoricalNB as CategoricalNB
    from bayesfold.estimators.complement_nb import ComplementNB as ComplementNB
    from bayesfold.estimators.gaussian_bayes import GaussianBayes as GaussianBayes
    from bayesfold.estimators.gaussian_nb import GaussianNB as GaussianNB
    from bayesfold.estimators.kdb import KDB as KDB
    from bayesfold.estimators.minimum_risk import MinimumRisk as MinimumRisk
    from bayesfold.estimators.multinomial_nb import MultinomialNB as MultinomialNB
    from bayesfold.estimators.naive import NaiveBayes as NaiveBayes
    from bayesfold.estimators.network_classifier import NetworkClassifier as NetworkClassifier
    from bayesfold.estimators.rows import ColumnWarning as ColumnWarning
    from bayesfold.estimators.saved import load as load
    from bayesfold.estimators.saved import updating as updating
    from bayesfold.estimators.spode import SPODE as SPODE
    from bayesfold.estimators.tan import TAN as TAN
    from bayesfold.estimators.text_classifier import TextClassifier as TextClassifier
    from bayesfold.io.network import fit_network_from as fit_network_from
    from bayesfold.io.network_search import learn_network_from as learn_network_from
    from bayesfold.io.predict import spark_udf as spark_udf
    from bayesfold.io.rows import RowWarning as RowWarning
    from bayesfold.networks.bayes_rule import bayes_rule as bayes_rule
    from bayesfold.networks.bayes_rule import joint as joint
    from bayesfold.networks.bayes_rule import odds as odds
    from bayesfold.networks.bayes_rule import posterior_odds as posterior_odds
    from bayesfold.networks.bayes_rule import total_probability as total_probability
    from bayesfold.networks.factor import Factor as Factor
    from bayesfold.networks.factor import ImpossibleEvidence as ImpossibleEvidence
    from bayesfold.networks.factor_graph import FactorGraph as FactorGraph
    from bayesfold.networks.files import read_network as read_network
    from bayesfold.networks.files import write_network as write_network
    from bayesfold.networks.fitting import fit_network as fit_network
    from bayesfold.networks.learning.em import EM as EM
    from bayesfold.networks.learning.structure import learn_network as learn_network
    from bayesfold.networks.markov import MarkovChain as MarkovChain
    from bayesfold.networks.mixed.lines import LinearGaussian as LinearGaussian
    from bayesfold.networks.mixed.network import MixedNetwork as MixedNetwork
    from bayesfold.networks.network import BayesianNetwork as BayesianNetwork
    from bayesfold.store.export import export_model as export_model

__version__ = "0.1.0"

_HOME = {
    "AODE": "bayesfold.estimators.aode",
    "BayesClassifier": "bayesfold.estimators.bayes_classifier",
    "BayesianNetwork": "bayesfold.networks.network",
    "BernoulliNB": "bayesfold.estimators.bernoulli_nb",
    "CategoricalNB": "bayesfold.estimators.categorical_nb",
    "ColumnWarning": "bayesfold.estimators.rows",
    "ComplementNB": "bayesfold.estimators.complement_nb",
    "EM": "bayesfold.networks.learning.em",
    "Factor": "bayesfold.networks.factor",
    "FactorGraph": "bayesfold.networks.factor_graph",
    "GaussianBayes": "bayesfold.estimators.gaussian_bayes",
    "GaussianNB": "bayesfold.estimators.gaussian_nb",
    "ImpossibleEvidence": "bayesfold.networks.factor",
    "KDB": "bayesfold.estimators.kdb",
    "LinearGaussian": "bayesfold.networks.mixed.lines",
    "MarkovChain": "bayesfold.networks.markov",
    "MinimumRisk": "bayesfold.estimators.minimum_risk",
    "MixedNetwork": "bayesfold.networks.mixed.network",
    "MultinomialNB": "bayesfold.estimators.multinomial_nb",
    "NaiveBayes": "bayesfold.estimators.naive",
    "NetworkClassifier": "bayesfold.estimators.network_classifier",
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
    "fit_network": "bayesfold.networks.fitting",
    "fit_network_from": "bayesfold.io.network",
    "joint": "bayesfold.networks.bayes_rule",
    "learn_network": "bayesfold.networks.learning.structure",
    "learn_network_from": "bayesfold.io.network_search",
    "load": "bayesfold.estimators.saved",
    "odds": "bayesfold.networks.bayes_rule",
    "plots": "bayesfold.plots",
    "posterior_odds": "bayesfold.networks.bayes_rule",
    "read_network": "bayesfold.networks.files",
    "spark_udf": "bayesfold.io.predict",
    "total_probability": "bayesfold.networks.bayes_rule",
    "updating": "bayesfold.estimators.saved",
    "write_network": "bayesfold.networks.files",
}

__all__ = [*sorted(_HOME)]


if not TYPE_CHECKING:  # a type checker knows every name, and says which there is not

    def __getattr__(name: str) -> Any:
        """Load a public name when it is first used, so that importing the package costs nothing."""
        if name not in _HOME:
            raise AttributeError(f"module 'bayesfold' has no attribute {name!r}")
        home = import_module(_HOME[name])
        value = home if home.__name__ == f"bayesfold.{name}" else getattr(home, name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
