"""Ways to look for arcs, by name: each gives the best network that it finds under the rules.

climb    hill climbing from several starts, tabu, restarts
tree     the forest that depends most, each node with the parents that are required or at most one (Chow and Liu 1968)
exact    the best of all networks, for few columns; what it says of climbing is how far that was from the best
pc       what tests of independence say (PC-stable), whatever it scores
hybrid   climbing among the pairs that the tests leave joined
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from bayesfold.networks.learning.branching import find_best_forest
from bayesfold.networks.learning.constraint import Tested, direct_edges, extend_to_dag, find_skeleton
from bayesfold.networks.learning.exact import find_best_network, refuse_many
from bayesfold.networks.learning.independence import IndependenceTests
from bayesfold.networks.learning.rules import Links, Rules
from bayesfold.networks.learning.scores import LocalScores
from bayesfold.networks.learning.search import Climber, Search, Watch, search
from bayesfold.networks.learning.ties import LEAST


@dataclass(frozen=True)
class Task:
    """What is looked for: the best score under the rules; where to begin, beside other places; when a test parts.

    watch: told of each stage of the search that found a better network.
    """

    scores: LocalScores
    rules: Rules
    given: Links | None
    draw: np.random.Generator
    significance: float = 0.01
    watch: Watch | None = None


Strategy = Callable[[Task], Search]


def score_network(task: Task, links: Links, stage: str) -> Search:
    """A network that was found in whatever way, with its score and gains."""
    climber = Climber(task.scores, task.rules)
    climber.stand_at(links)
    score = float(climber.kernel.score)
    return Search(links, climber.gains(), score, [(stage, score)])


def by_climbing(task: Task) -> Search:
    """The best network that climbing finds."""
    return search(task.scores, task.rules, task.given, task.draw, task.watch)


def by_tree(task: Task) -> Search:
    """The required arcs and the forest that gains most beside them."""
    empty = score_network(task, task.rules.required, "nothing")
    return score_network(task, find_best_forest(empty.gains, task.rules, LEAST), "tree")


def by_exact(task: Task) -> Search:
    """The best of all networks; an interruption gives the best that climbing found before."""
    refuse_many(len(task.rules.names))
    climbed = by_climbing(task)
    if climbed.interrupted:
        return climbed
    try:
        links, _ = find_best_network(task.scores, task.rules)
    except KeyboardInterrupt:
        climbed.interrupted = True
        return climbed
    best = score_network(task, links, "exact")
    if task.watch is not None:
        task.watch("exact", best.score)
    best.path[:0] = climbed.path
    best.optimal = True
    return best


def by_tests(task: Task) -> Search:
    """A network of the class that the tests say."""
    skeleton = find_skeleton(IndependenceTests(task.scores), task.rules, task.significance)
    arrows = direct_edges(skeleton, task.rules)
    best = score_network(task, extend_to_dag(skeleton.joined, arrows, task.rules), "tests")
    best.tested = Tested.of(skeleton, arrows, task.rules.names)
    return best


def by_both(task: Task) -> Search:
    """The best network that climbing finds among the pairs that the tests leave joined."""
    skeleton = find_skeleton(IndependenceTests(task.scores), task.rules, task.significance)
    rules = replace(task.rules, allowed=task.rules.allowed & skeleton.joined)
    given = None if task.given is None else task.given & rules.allowed
    best = search(task.scores, rules, given, task.draw, task.watch)
    best.tested = Tested.of(skeleton, direct_edges(skeleton, task.rules), task.rules.names)
    return best


STRATEGIES: dict[str, Strategy] = {
    "climb": by_climbing,
    "tree": by_tree,
    "exact": by_exact,
    "pc": by_tests,
    "hybrid": by_both,
}


def find_strategy(name: str) -> Strategy:
    """The way of that name."""
    if name not in STRATEGIES:
        raise ValueError(f"there is no search {name!r}; there are {', '.join(STRATEGIES)}")
    return STRATEGIES[name]
