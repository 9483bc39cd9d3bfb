"""Random networks, and every answer by enumerating all states: what the engine must agree with."""

from dataclasses import dataclass

import numpy as np

from bayesfold.networks.inference import InferenceProblem


def network(rng, n, most_parents=3, most_states=3, zeros=0.0):
    """A network of n variables in a random order; a share of its entries is zero, and then some are certain."""
    cards = tuple(int(c) for c in rng.integers(1, most_states + 1, n))
    order = rng.permutation(n)
    parents, tables = [()] * n, [np.ones(1)] * n
    for k, v in enumerate(order):
        number = min(k, int(rng.integers(0, most_parents + 1)))
        parents[v] = tuple(int(u) for u in rng.choice(order[:k], number, replace=False)) if number else ()
        table = rng.random([*(cards[u] for u in parents[v]), cards[v]]) + 0.01
        table *= rng.random(table.shape) >= zeros
        table[..., 0] += table.sum(-1) == 0
        tables[v] = table / table.sum(-1, keepdims=True)
    return InferenceProblem(cards, tuple(parents), tuple(tables))


def woven(rng, cards, zeros=0.0):
    """A network of eight variables whose cliques are products of several tables, none of which has all of the axes."""
    parents = ((), (), (), (0, 1), (1, 2), (0, 2), (3, 4), (4, 5))
    tables = [rng.random([*(cards[u] for u in above), cards[v]]) + 0.01 for v, above in enumerate(parents)]
    for table in tables:
        table[..., 1:] *= rng.random(table[..., 1:].shape) >= zeros
        table /= table.sum(-1, keepdims=True)
    return InferenceProblem(tuple(cards), parents, tuple(tables))


@dataclass(frozen=True)
class Case:
    """A network with possible evidence, soft evidence, and the unnormalised table of everything that agrees."""

    problem: InferenceProblem
    evidence: dict[int, int]
    likelihood: dict[int, np.ndarray]
    table: np.ndarray

    def over(self, *targets):
        """P(targets, evidence), axes in the order given."""
        rest = tuple(v for v in range(self.table.ndim) if v not in targets)
        return self.table.sum(rest).transpose([sorted(targets).index(v) for v in targets])


def along(values, v, n):
    """A vector as a table that varies with v alone."""
    return values.reshape([-1 if u == v else 1 for u in range(n)])


def joint(problem):
    """Every table multiplied."""
    n = len(problem.cards)
    table = np.ones(problem.cards)
    for family, values in zip(problem.families, problem.tables, strict=True):
        shape = [problem.cards[u] if u in family else 1 for u in range(n)]
        table = table * values.transpose(np.argsort(family)).reshape(shape)
    return table


def case(rng, observed=0.3, softly=0.2, zeros=0.0, most=8):
    """A random network, a sampled world, and what is seen of it."""
    problem = network(rng, int(rng.integers(1, most + 1)), zeros=zeros)
    n = len(problem.cards)
    table = joint(problem)
    world = np.unravel_index(rng.choice(table.size, p=table.ravel() / table.sum()), table.shape)
    evidence = {v: int(world[v]) for v in range(n) if rng.random() < observed}
    likelihood = {v: rng.random(problem.cards[v]) + 0.1 for v in range(n) if rng.random() < softly}
    for v, state in evidence.items():
        table = table * along(np.eye(problem.cards[v])[state], v, n)
    for v, weights in likelihood.items():
        table = table * along(weights, v, n)
    return Case(problem, evidence, likelihood, table)
