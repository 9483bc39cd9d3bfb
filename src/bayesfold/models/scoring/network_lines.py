"""What each column says in a mixture of networks, line by line: each network's log by its share in the answer."""

from typing import TYPE_CHECKING

import numpy as np

from bayesfold.data.column_major import Grid
from bayesfold.data.frame import Floats
from bayesfold.models.scoring import averaging as average

if TYPE_CHECKING:
    from bayesfold.models.scoring.mixture import MixtureScorer


def column_lines(scorer: "MixtureScorer", exact: Floats, codes: Grid, begin: int, end: int) -> Floats:
    """What each column of the grid says of some rows, and the line that is left of the `exact` sum."""
    lines = np.zeros((end - begin, len(scorer.names) - len(scorer.flat.names), len(scorer.flat.prior)))
    voices = network_shares(scorer, codes, begin, end)
    for stack, which in (
        (scorer.stack, np.repeat(np.arange(len(voices) - 1), np.diff(scorer.ends))),
        (scorer.naive, None),
    ):
        for k, column in enumerate(stack.leaves.child.tolist()):
            said = stack.said(np.array([k, k + 1], np.intp), codes, begin, end)[0]
            lines[:, column] += voices[-1 if which is None else which[k]] * said
    if lines.shape[1] > len(scorer.columns):
        lines[:, -1] = exact - lines.sum(1)
    return lines


def network_shares(scorer: "MixtureScorer", codes: Grid, begin: int, end: int) -> Floats:
    """[network and naive Bayes, row, class]: how much of each network's log is in the answer."""
    shape = (len(scorer.ends), end - begin, len(scorer.flat.prior))
    if not scorer.mixture.roots:
        return np.concatenate([np.ones((1, *shape[1:])), np.zeros((1, *shape[1:]))])
    has_say = scorer.has_say(codes, begin, end)
    none = has_say.sum(axis=0) == 0
    voices = np.zeros(shape)
    voices[-1] = none[:, None]
    if scorer.mixture.combine == "product":
        voices[:-1] = average.credit_of_product(has_say, scorer.weights)[:, :, None]
        voices[-1] *= scorer.power
        return voices
    said = scorer.stack.said(scorer.ends, codes, begin, end)
    voices[:-1] = average.credit_of_mean(said, has_say, scorer.weights)
    return voices
