"""A super-parent one-dependence estimator."""

from bayesfold.estimators.settled import SettledClassifier
from bayesfold.learning.kinds import find


class SPODE(SettledClassifier):
    """One super-parent (Keogh & Pazzani 1999): every column depends on the class and on one column x_a,
    P(y, x) = P(y, x_a) prod_j P(x_j | y, x_a).

    >>> X = [["sun", "hot"], ["sun", "mild"], ["rain", "mild"], ["rain", "cold"], ["sun", "hot"], ["rain", "cold"]]
    >>> clf = SPODE().fit(X, ["beach", "beach", "home", "home", "beach", "home"])
    >>> clf.parent_
    'x1'
    >>> clf.predict([["sun", "mild"], ["rain", None]]).tolist()
    ['beach', 'home']

    A row in which the super-parent is missing, or has an unseen value, is scored by naive Bayes.
    """

    _settings = find("spode")

    @property
    def parent_(self) -> str | None:
        """The super-parent; None if no column is discrete, so that the model is naive Bayes."""
        self._require_fit()
        roots = self.model_.mixture.roots
        return roots[0][0] if roots else None
