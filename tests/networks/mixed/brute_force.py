"""Random networks of categories and numbers, and their answers by the joint normal of every combination of states."""

from itertools import product

import numpy as np

from bayesfold.networks.mixed.lines import Lines
from bayesfold.networks.mixed.network import MixedNetwork


def random_network(seed, categories=3, numbers=4, density=0.6, least_sd=0.3):
    """Categories first, then numbers that depend on categories and on numbers, in a random order of names."""
    draw = np.random.default_rng(seed)
    names = [f"c{i}" for i in range(categories)] + [f"x{i}" for i in range(numbers)]
    axes = {v: tuple("abc"[: draw.integers(2, 4)]) if v[0] == "c" else () for v in names}
    edges = [
        (u, v)
        for j, v in enumerate(names)
        for u in names[:j]
        if draw.random() < density and not (v[0] == "c" and u[0] == "x")
    ]
    order = [names[i] for i in draw.permutation(len(names))]
    tables = {}
    for v in names:
        above = [u for u, w in edges if w == v]
        shape = tuple(len(axes[u]) for u in above if u[0] == "c")
        if v[0] == "c":
            tables[v] = draw.dirichlet(np.ones(len(axes[v])), shape)
        else:
            k = sum(u[0] == "x" for u in above)
            sd = least_sd + draw.random(shape)
            tables[v] = Lines(draw.normal(size=shape) * 2, draw.normal(size=(*shape, k)), sd)
    states = {v: s for v, s in axes.items() if s}
    return MixedNetwork.from_edges(edges, order, tables, states, [v for v in names if v[0] == "x"])


def combinations(net, evidence):
    """(log weight, mean, covariance) of every combination of states that agrees with the evidence; numbers in order."""
    categories, numbers = list(net.categories), list(net.numbers)
    for states in product(*(net.states(v) for v in categories)):
        at = dict(zip(categories, states, strict=True))
        if any(at[v] != s for v, s in evidence.items() if v in at):
            continue
        log_p = 0.0
        for v in categories:
            with np.errstate(divide="ignore"):
                log_p += np.log(net.table(v)[{u: at[u] for u in (*net.parents(v), v)}])
        mean, covariance = np.zeros(len(numbers)), np.zeros((len(numbers),) * 2)
        slopes = np.zeros((len(numbers),) * 2)
        intercept, variance = np.zeros(len(numbers)), np.zeros(len(numbers))
        for i, v in enumerate(numbers):
            line = net.lines(v)[tuple(at[u] for u in net.parents(v) if u in at)]
            intercept[i], variance[i] = line.intercept, line.sd**2
            for u, b in line.slopes.items():
                slopes[i, numbers.index(u)] = b
        inverse = np.linalg.inv(np.eye(len(numbers)) - slopes)
        mean, covariance = inverse @ intercept, inverse @ np.diag(variance) @ inverse.T
        yield at, log_p, mean, covariance


def conditioned(net, evidence):
    """For every combination: its states, its log joint with the evidence, and the normal of the numbers not seen."""
    numbers = list(net.numbers)
    seen = [i for i, v in enumerate(numbers) if v in evidence]
    free = [i for i, v in enumerate(numbers) if v not in evidence]
    x = np.array([evidence[numbers[i]] for i in seen], float)
    found = []
    for at, log_p, mean, covariance in combinations(net, evidence):
        if seen:
            block = covariance[np.ix_(seen, seen)]
            off = x - mean[seen]
            log_p += -0.5 * (
                len(seen) * np.log(2 * np.pi) + np.linalg.slogdet(block)[1] + off @ np.linalg.solve(block, off)
            )
            gain = np.linalg.solve(block, covariance[np.ix_(seen, free)]).T
            mean_free = mean[free] + gain @ off
            left = covariance[np.ix_(free, free)] - gain @ covariance[np.ix_(seen, free)]
        else:
            mean_free, left = mean[free], covariance[np.ix_(free, free)]
        found.append((at, log_p, dict(zip([numbers[i] for i in free], mean_free, strict=True)), left))
    return found, [numbers[i] for i in free]


def shares(found):
    """Weights of combinations, and the log of what they sum to."""
    logs = np.array([log_p for _, log_p, _, _ in found])
    top = logs.max()
    return np.exp(logs - top) / np.exp(logs - top).sum(), top + np.log(np.exp(logs - top).sum())
