"""The recommended classifier: a pool of Bayesian models that chooses and weighs itself."""

from dataclasses import replace
from typing import Any, Self, cast

from bayesfold.estimators.settled import SettledClassifier
from bayesfold.learning.kinds import find
from bayesfold.learning.pool.recommend import reweigh
from bayesfold.learning.pool.report import Report
from bayesfold.models.pool import Pool


class BayesClassifier(SettledClassifier):
    """Naive Bayes, AODE, KDB and Gaussian Bayes, each choosing by rows left out of it, pooled by held-out score.

    >>> from sklearn.datasets import load_wine
    >>> X, y = load_wine(return_X_y=True)
    >>> clf = BayesClassifier().fit(X[::2], y[::2])
    >>> float(clf.score(X[1::2], y[1::2])) > 0.9
    True

    `report_` says what was tried, what each part got and what it weighs. More rows (`partial_fit`), fewer (`forget`)
    and other models' rows (`merge`) change the statistic exactly; what was chosen on held-out rows (densities, cuts,
    structures, weights) stays, `reweigh_needed_` says so, and `reweigh(X, y)` fits the weights again.

    In wide tables columns that tell no more of the class than chance are left out (`columns_` says so, and `families=`
    keeps one), AODE and KDB read the hundred most telling of the others, and a part that would take out of proportion
    (Gaussian Bayes from about 1,600 numbers and indicators) is left out before it begins, and `report_` says so;
    `structure=` learns it alone, however long that takes.
    """

    _settings = find("bayes")

    @property
    def report_(self) -> Report | None:
        """What was tried and what each part weighs; None of a pool that was made of counts: no row was held out."""
        return self._trained.report

    @property
    def reweigh_needed_(self) -> bool:
        """Whether the rows have changed since the weights were fitted."""
        return self._trained.reweigh_needed

    def reweigh(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit the weights again on rows that were learned, each left out; densities, cuts and structures stay."""
        self._require_fit()
        if self.report_ is None:
            raise ValueError("this pool was made of counts, and there is no report of its parts; fit it to weigh them")
        model, report = reweigh(cast(Pool, self.model_), self._learned(X, y, sample_weight), self.report_)
        self._trained = replace(self._trained, model_=model, report=report, reweigh_needed=False)
        return self
