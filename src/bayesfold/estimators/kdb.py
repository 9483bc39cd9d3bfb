"""k-dependence Bayes."""

from bayesfold.estimators.settled import SettledClassifier
from bayesfold.learning.kinds import find


class KDB(SettledClassifier):
    """k-dependence Bayes (Sahami 1996): each column depends on the class and on up to k others.

    >>> X = [["sun", "hot"], ["sun", "mild"], ["rain", "mild"], ["rain", "cold"], ["sun", "hot"], ["rain", "cold"]]
    >>> clf = KDB(1).fit(X, ["beach", "beach", "home", "home", "beach", "home"])
    >>> clf.predict([["sun", "mild"], ["rain", None]]).tolist()
    ['beach', 'home']
    """

    _settings = find("kdb")
