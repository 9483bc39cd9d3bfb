"""What several networks say together: the log of their weighted mean, or the sum of their logs times their weights.

`said[network, row, class]` are the networks' logs, `heard[network, row]` says which have a say. `naively` is asked for
what naive Bayes says of the rows, where no network has one.

>>> said, heard = np.log([[[0.5, 0.1]], [[0.1, 0.1]]]), np.array([[True], [True]])
>>> np.exp(average_networks(said, heard, np.array([0.5, 0.5]), lambda: np.zeros((1, 2)))).round(3)
array([[0.3, 0.1]])
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.frame import Floats

HasSay = NDArray[np.bool_]
Naively = Callable[[], Floats]


def average_networks(said: Floats, has_say: HasSay, weights: Floats, naively: Naively) -> Floats:
    """The log of the weighted mean of the networks that have a say."""
    top, shared = weighted_shares(said, has_say, weights)
    with np.errstate(divide="ignore", invalid="ignore"):
        whole = np.where(has_say, weights[:, None], 0.0).sum(0)
        joint = top + np.log(shared.sum(axis=0)) - np.log(whole)[:, None]
    none = ~has_say.any(axis=0) | (whole <= 0)
    if none.any():
        joint[none] = naively()[none]
    return np.asarray(joint)


def multiply_networks(said: Floats, has_say: HasSay, weights: Floats, naively: Naively) -> Floats:
    """The weighted sum of the networks' logs; one without a say is filled in."""
    return np.asarray(np.tensordot(weights, fill_silent(said, has_say, naively), axes=1))


def weighted_shares(said: Floats, has_say: HasSay, weights: Floats) -> tuple[Floats, Floats]:
    """The largest weighed log of each row and class, and every network's probability in units of it."""
    with np.errstate(divide="ignore"):
        weighed = said + np.where(has_say, np.log(weights)[:, None], -np.inf)[:, :, None]
    top = weighed.max(axis=0)
    top = np.where(np.isfinite(top), top, 0.0)
    return top, np.exp(weighed - top)


def fill_silent(said: Floats, has_say: HasSay, naively: Naively) -> Floats:
    """The logs, in which a network without a say has the mean of those that have one, or else what naive Bayes says."""
    if has_say.all():
        return said
    voices = has_say.sum(0)
    whole = np.where(has_say[:, :, None], said, 0.0).sum(0) / np.maximum(voices, 1)[:, None]
    if (voices == 0).any():
        whole[voices == 0] = naively()[voices == 0]
    return np.where(has_say[:, :, None], said, whole)


def credit_of_mean(said: Floats, has_say: HasSay, weights: Floats) -> Floats:
    """[network, row, class]: r_i = p_i / sum p, how much of each network's log is in the log of their mean."""
    share = weighted_shares(said, has_say, weights)[1]
    return np.asarray(share / np.maximum(share.sum(axis=0), 1e-300))


def credit_of_product(has_say: HasSay, weights: Floats) -> Floats:
    """[network, row]: each network's weight, and its part of those that have no say and speak as the mean."""
    silent = np.where(has_say, 0.0, weights[:, None]).sum(0)
    return np.where(has_say, weights[:, None] + silent / np.maximum(has_say.sum(0), 1), 0.0)
