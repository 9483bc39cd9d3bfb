"""Tree-augmented naive Bayes."""

from bayesfold.estimators.settled import SettledClassifier
from bayesfold.learning.kinds import find


class TAN(SettledClassifier):
    """Tree-augmented naive Bayes (Friedman 1997): each column depends on the class and on one other column.

    >>> X = [["sun", "hot"], ["sun", "mild"], ["rain", "mild"], ["rain", "cold"], ["sun", "hot"], ["rain", "cold"]]
    >>> clf = TAN().fit(X, ["beach", "beach", "home", "home", "beach", "home"])
    >>> clf.predict([["sun", "mild"], ["rain", None]]).tolist()
    ['beach', 'home']
    """

    _settings = find("tan")
