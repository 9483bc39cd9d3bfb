"""Averaged one-dependence estimators."""

from bayesfold.estimators.settled import SettledClassifier
from bayesfold.learning.kinds import find


class AODE(SettledClassifier):
    """Averaged one-dependence estimators (Webb 2005): every column in turn is the parent of all the others.

    >>> X = [["sun", "hot"], ["sun", "mild"], ["rain", "mild"], ["rain", "cold"], ["sun", "hot"], ["rain", "cold"]]
    >>> clf = AODE().fit(X, ["beach", "beach", "home", "home", "beach", "home"])
    >>> clf.predict([["sun", "mild"], ["rain", None]]).tolist()
    ['beach', 'home']
    """

    _settings = find("aode")
