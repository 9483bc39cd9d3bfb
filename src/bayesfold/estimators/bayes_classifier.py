"""The recommended classifier: a pool of Bayesian models that chooses and weighs itself."""

from dataclasses import replace
from typing import Any, Self, cast

from bayesfold.estimators.settled import SettledClassifier
from bayesfold.learning.kinds import find
from bayesfold.learning.pool.recommend import reweigh
from bayesfold.learning.pool.report import Report
from bayesfold.models.pool import Pool
from bayesfold.runtime.one_writer import one_writer


class BayesClassifier(SettledClassifier):
    """An ensemble of naive Bayes, AODE, KDB, Gaussian Bayes and a kernel density model, weighted by held-out log-loss.

    >>> from sklearn.datasets import load_wine
    >>> X, y = load_wine(return_X_y=True)
    >>> clf = BayesClassifier().fit(X[::2], y[::2])
    >>> float(clf.score(X[1::2], y[1::2])) > 0.9
    True

    The kernel density (Parzen) model is only kept if it improves the held-out log-loss. `report_` lists the models that
    were tried, with their held-out scores and weights. `partial_fit`, `forget` and `merge` update the counts and sums
    exactly; what was chosen by held-out score (densities, bin edges, structures, weights) stays as it is. Then
    `reweigh_needed_` is true, and `reweigh(X, y)` fits the weights again.

    In wide tables, columns that are no more informative about the class than chance are left out (`columns_` says so;
    `families=` keeps a column), AODE and KDB use the hundred most informative of the others, and a model that would
    take disproportionately long (Gaussian Bayes from about 1,600 numbers and indicators on) is not fitted (`report_`
    says so); `structure=` fits it alone, however long that takes.
    """

    _settings = find("bayes")

    @property
    def report_(self) -> Report | None:
        """The models tried, with scores and weights; None if the ensemble was made from counts alone."""
        return self._trained.report

    @property
    def reweigh_needed_(self) -> bool:
        """Whether the rows have changed since the weights were fitted."""
        return self._trained.reweigh_needed

    @one_writer
    def reweigh(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Refit the weights of the models by leave-one-out on learned rows; densities, bins and structures stay."""
        self._require_fit()
        if self.report_ is None:
            raise ValueError("this pool was made of counts, and there is no report of its parts; fit it to weigh them")
        model, report = reweigh(cast(Pool, self.model_), self._learned(X, y, sample_weight), self.report_)
        self._trained = replace(self._trained, model_=model, report=report, reweigh_needed=False)
        return self
