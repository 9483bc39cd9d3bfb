"""Ways to look for arcs, by name: each gives the best network that it finds under the rules.

climb    hill climbing from several starts, tabu, restarts
tree     the forest that depends most, each node with at most one parent beside those required (Chow and Liu 1968)
exact    the best of all networks, for few columns; what it says of climbing is how far that was from the best
"""

from collections.abc import Callable

import numpy as np

from bayesfold.networks.learning.exact import best_network, refuse_many
from bayesfold.networks.learning.rules import Links, Rules
from bayesfold.networks.learning.scores import LocalScores
from bayesfold.networks.learning.search import LEAST, Climber, Search, search
from bayesfold.networks.learning.tree import tree

Strategy = Callable[[LocalScores, Rules, Links | None, np.random.Generator], Search]


def judge(scores: LocalScores, rules: Rules, links: Links, stage: str) -> Search:
    """A network that was found in whatever way, with its score and gains."""
    climber = Climber(scores, rules)
    climber.stand_at(links)
    score = float(climber.kernel.score)
    return Search(links, climber.gains(), score, [(stage, score)])


def by_tree(scores: LocalScores, rules: Rules, given: Links | None, draw: np.random.Generator) -> Search:
    """The required arcs and the forest that gains most beside them."""
    empty = judge(scores, rules, rules.required, "nothing")
    return judge(scores, rules, tree(empty.gains, rules, LEAST), "tree")


def by_exact(scores: LocalScores, rules: Rules, given: Links | None, draw: np.random.Generator) -> Search:
    """The best of all networks; an interruption gives the best that climbing found before."""
    refuse_many(len(rules.names))
    found = search(scores, rules, given, draw)
    if found.interrupted:
        return found
    try:
        links, _ = best_network(scores, rules)
    except KeyboardInterrupt:
        found.interrupted = True
        return found
    best = judge(scores, rules, links, "exact")
    best.path[:0] = found.path
    best.optimal = True
    return best


STRATEGIES: dict[str, Strategy] = {"climb": search, "tree": by_tree, "exact": by_exact}


def strategy(name: str) -> Strategy:
    """The way of that name."""
    if name not in STRATEGIES:
        raise ValueError(f"there is no search {name!r}; there are {', '.join(STRATEGIES)}")
    return STRATEGIES[name]
