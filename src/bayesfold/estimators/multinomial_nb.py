"""scikit-learn's MultinomialNB as a fold: P(row | y) multinomial, for word counts and the like."""

from typing import Any

from bayesfold.estimators.discrete import Discrete
from bayesfold.estimators.fitted import keep_arguments
from bayesfold.families.multinomial import Multinomial


class MultinomialNB(Discrete):
    """Multinomial naive Bayes with scikit-learn's parameters, attributes and numbers; X dense or sparse.

    >>> X, y = [[3, 0], [4, 1], [1, 2], [0, 5]], ["ham", "ham", "spam", "spam"]
    >>> clf = MultinomialNB().fit(X, y)
    >>> clf.predict_proba([[2, 1]]).round(3)
    array([[0.8, 0.2]])
    >>> clf.leave_one_out(X, y).argmax(axis=1)                          # beyond scikit-learn
    array([0, 0, 1, 1])

    With alpha = 0 a word that never occurs in a class has probability 2^-1000, so that no result is NaN.

    Parameters
    ----------
    alpha : float or array-like of shape (n_features,), default=1.0
        Added to the count of every column.
    force_alpha : bool, default=True
        Whether an alpha below 1e-10 is used as it is.
    fit_prior : bool, default=True
        Whether class probabilities are learned; otherwise classes are equally likely.
    class_prior : array-like of shape (n_classes,), default=None
        Class probabilities to use instead.
    loss, reject_cost, reject_label
        The costs of decisions, as for every classifier here.
    """

    _kind = Multinomial

    def __init__(
        self,
        *,
        alpha: Any = 1.0,
        force_alpha: bool = True,
        fit_prior: bool = True,
        class_prior: Any = None,
        loss: Any = None,
        reject_cost: Any = None,
        reject_label: Any = None,
    ) -> None:
        keep_arguments(self, locals())

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        return tags
