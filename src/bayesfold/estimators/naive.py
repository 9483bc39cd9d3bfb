"""Naive Bayes for any table: P(y) prod_j P(x_j | y), a family for each column."""

from bayesfold.estimators.settled import SettledClassifier
from bayesfold.learning.kinds import find
from bayesfold.learning.unlabelled import Unlabelled


class NaiveBayes(SettledClassifier):
    """Naive Bayes for mixed columns: text, categories, booleans and numbers, with missing and unseen values.

    >>> import pandas as pd
    >>> pets = pd.DataFrame({"coat": ["short", "long", None, "short"], "mass": [4.2, 5.1, 30.0, 22.5]})
    >>> clf = NaiveBayes().fit(pets, ["cat", "cat", "dog", "dog"])
    >>> clf.predict(pd.DataFrame({"coat": ["curly", None], "mass": [27.0, None]})).tolist()
    ['dog', 'cat']
    >>> clf.partial_fit({"coat": "curly", "mass": 4.0}, "cat").predict_proba({"coat": "curly"}).round(3)
    array([[0.64, 0.36]])
    """

    _settings = find("naive")

    @property
    def unlabelled_(self) -> Unlabelled | None:
        """How rows without a label were used (their weight, the EM iterations), if there were any."""
        return self._trained.unlabelled
