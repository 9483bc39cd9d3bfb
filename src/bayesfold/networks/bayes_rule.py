"""Bayes' rule and total probability, from arrays, dicts, factors or a table of data.

P(c | x) = P(c) P(x | c) / P(x) with P(x) = sum_c P(c) P(x | c): posterior = prior times likelihood over evidence.

>>> bayes_rule({"flu": 0.05, "cold": 0.95}, {"flu": 0.9, "cold": 0.1})["flu"]            # P(flu | fever)
0.32142857142857145
>>> total_probability({"flu": 0.05, "cold": 0.95}, {"flu": 0.9, "cold": 0.1})            # P(fever)
0.14
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import frexp, inf, isnan, ldexp
from typing import Any

import numpy as np

from bayesfold.data import tables as memory
from bayesfold.data.by_label import by_label
from bayesfold.data.encodings import Categories
from bayesfold.data.schema import Schema
from bayesfold.networks.factor import Factor, ImpossibleEvidence, spread_over
from bayesfold.networks.factor_states import check_added, check_name
from bayesfold.runtime.messages import listed, ordered
from bayesfold.tally.counter import count
from bayesfold.tally.layout import Clique

CLASS, SEEN = "class", "observation"
"""The names of the two variables where the caller gave none."""


def bayes_rule(prior: Any, likelihood: Any) -> Any:
    """P(class | observation), in the form that the likelihood has.

    prior: P(class), a dict by class, an array or a factor. likelihood: P(observation | class), for one observation (a
    number for each class) or for several (a dict or a row for each class; a factor with more variables). A Series and
    a data frame are read by their labels, as dicts.

    >>> bayes_rule([0.5, 0.5], [[0.9, 0.1], [0.2, 0.8]]).round(3)        # one row per class, one column per observation
    array([[0.818, 0.111],
           [0.182, 0.889]])
    """
    prior, likelihood = by_label(prior), by_label(likelihood)
    p, q = as_factors(prior, likelihood)
    both = scale_joint(p, q)
    evidence = both.sum(*p.axes)
    if not np.all(evidence.values > 0):
        refuse_impossible(p, q, evidence)
    return restore_form(likelihood, both / evidence)


def total_probability(prior: Any, likelihood: Any) -> Any:
    """P(observation) = sum over classes of P(class) P(observation | class): a number, or one for each observation."""
    prior, likelihood = by_label(prior), by_label(likelihood)
    p, q = as_factors(prior, likelihood)
    whole = (p * q).sum(*p.axes)
    if isinstance(likelihood, Factor):
        return whole
    if not whole.axes:
        return whole.total
    return whole.to_dict() if isinstance(likelihood, Mapping) else whole.values


def odds(probability: float) -> float:
    """p / (1 - p): how many times likelier than not.

    >>> odds(0.75)
    3.0
    """
    if not 0 <= probability <= 1:
        raise ValueError(f"a probability lies between 0 and 1; got {probability}")
    return inf if probability == 1 else probability / (1 - probability)


def posterior_odds(prior_odds: float, *ratios: float) -> float:
    """Bayes' rule as odds: prior odds times P(x | class) / P(x | not class) of each independent observation x.

    >>> posterior_odds(odds(0.01), 0.9 / 0.05)           # a positive test: 90 % of the ill, 5 % of the well
    0.18181818181818182
    """
    odds, exponent = 1.0, 0  # apart, because a product on the way may be no number
    for value in (prior_odds, *ratios):
        if not value >= 0:
            raise ValueError(f"odds and likelihood ratios are 0 or more; got {value}")
        factor, power = frexp(value)
        odds, more = frexp(odds * factor)
        exponent += power + more
    if isnan(odds):
        raise ImpossibleEvidence("one observation rules the class out and another makes it certain: both cannot happen")
    try:
        return ldexp(odds, exponent)
    except OverflowError:
        return inf


def joint(table: Any, columns: Sequence[str], alpha: float = 0.0) -> Factor:
    """The joint distribution of some columns as counted: (N_cell + alpha) / (N + cells alpha).

    A row with a missing value in one of the columns is not counted.

    >>> print(joint({"sky": ["blue", "grey", "grey", "blue"], "rain": [0, 1, 0, 0]}, ["sky", "rain"]))
    P(sky, rain)
              rain=0  rain=1
    sky=blue  0.5     0
    sky=grey  0.25    0.25
    """
    check_added(alpha)
    frame = memory.frame(table)
    names = [columns] if isinstance(columns, str) else [str(name) for name in columns]
    if not names or len(set(names)) < len(names):
        raise ValueError(f"name one or more distinct columns, not {listed(names)}")
    frame.require(names)
    every = [Categories(name, ordered(frame.coded(name).levels)) for name in names]
    schema = Schema(every[-1], tuple(every[:-1]))
    batch = replace(schema.encode(frame), labels=every[-1].encode(frame).astype(np.int32))
    target, whole = Clique((names[-1],)), Clique(tuple(names))
    cliques = (target,) if target == whole else (target, whole)
    counted = count(schema, cliques, batch).table(*names)
    cells = counted[(slice(1, None),) * len(names)] + alpha
    if not cells.sum() > 0:
        raise ValueError(f"no row has a value in each of {listed(names)}, so there is nothing to count")
    return Factor({c.name: c.levels for c in every}, cells / cells.sum())


# ------------------------------------------------------------------------------------------------------- in and out


def scale_joint(prior: Factor, likelihood: Factor) -> Factor:
    """P(class) P(observation | class), for each observation over a power of two, so that nothing becomes too small."""
    axes = {**prior.axes, **likelihood.axes}
    (a, i), (b, j) = (np.frexp(spread_over(factor, axes)) for factor in (prior, likelihood))
    cells = a * b
    exponent = np.where(cells > 0, i + j, np.iinfo(np.int32).min // 2)
    top = exponent.max(axis=tuple(range(len(prior.axes))), keepdims=True)
    return Factor(axes, np.ldexp(cells, exponent - top), likelihood.given)


def as_factors(prior: Any, likelihood: Any) -> tuple[Factor, Factor]:
    """Both as factors; the prior's variables are the classes."""
    if isinstance(prior, Factor) != isinstance(likelihood, Factor):
        raise TypeError("give prior and likelihood both as factors, or neither")
    if isinstance(prior, Factor):
        if not set(prior.axes) <= set(likelihood.axes):
            lacking = [v for v in prior.axes if v not in likelihood.axes]
            raise ValueError(
                f"the likelihood P({', '.join(likelihood.axes)}) does not depend on {listed(lacking)} as the prior does"
            )
        return check_probabilities("prior", prior), check_probabilities("likelihood", likelihood)
    if isinstance(prior, Mapping) != isinstance(likelihood, Mapping):
        raise TypeError("give prior and likelihood both as dicts, or both as arrays")
    if isinstance(prior, Mapping):
        classes = tuple(prior)
        for name in likelihood:
            check_name("class", name, classes)
        if lacking := [c for c in classes if c not in likelihood]:
            raise ValueError(
                f"the likelihood says nothing about {listed(lacking)}; give it for every class of the prior"
            )
        if not classes:
            raise ValueError("the prior names no class; give at least one")
        rows = [likelihood[c] for c in classes]
        if len({isinstance(row, Mapping) for row in rows}) > 1:
            raise TypeError("give every class a number, for one observation, or every class a dict by observation")
        if not isinstance(rows[0], Mapping):
            return make_prior(classes, list(prior.values())), check_probabilities(
                "likelihood", Factor({CLASS: classes}, np.array(rows))
            )
        seen = tuple(rows[0])
        for name in (name for row in rows for name in row):
            check_name("observation", name, seen)
        cells = [[row[check_name("observation", s, row)] for s in seen] for row in rows]
        return make_prior(classes, list(prior.values())), check_probabilities(
            "likelihood", Factor({CLASS: classes, SEEN: seen}, np.array(cells))
        )
    p, q = np.asarray(prior, np.float64), np.asarray(likelihood, np.float64)
    if p.ndim != 1 or q.ndim not in {1, 2} or len(q) != len(p):
        raise ValueError(
            "expected a prior [classes] and a likelihood [classes] or [classes, observations], "
            f"got {p.shape} and {q.shape}"
        )
    axes = {CLASS: tuple(range(len(q))), **({SEEN: tuple(range(q.shape[1]))} if q.ndim == 2 else {})}
    return make_prior(tuple(range(len(p))), p), check_probabilities("likelihood", Factor(axes, q))


def make_prior(classes: tuple[Any, ...], values: Any) -> Factor:
    """A prior over named classes."""
    return check_probabilities("prior", Factor({CLASS: classes}, values))


def check_probabilities(name: str, factor: Factor) -> Factor:
    """Refuse what is no probability; a prior must also sum to 1."""
    if not np.all((factor.values >= 0) & (factor.values <= 1)):
        cell = np.unravel_index(int(np.argmin((factor.values >= 0) & (factor.values <= 1))), factor.values.shape)
        where = ", ".join(str(s[i]) for s, i in zip(factor.axes.values(), cell, strict=True))
        raise ValueError(f"the {name} of {where} is {factor.values[cell]:g}, and a probability lies between 0 and 1")
    if name == "prior" and abs(factor.total - 1) > 1e-6:
        raise ValueError(f"the prior sums to {factor.total:g}, not to 1; divide by its sum if these are counts")
    return factor


def refuse_impossible(prior: Factor, likelihood: Factor, evidence: Factor) -> None:
    """Name the observation that no class can produce."""
    seen = dict(likelihood.given)
    if evidence.axes:
        cell = np.unravel_index(int(np.argmin(evidence.values)), evidence.values.shape)
        seen |= {v: s[i] for (v, s), i in zip(evidence.axes.items(), cell, strict=True)}
    what = ", ".join(f"{v}={s}" for v, s in seen.items()) or "the observation"
    classes = listed(prior.axes[prior.variables[0]])
    raise ImpossibleEvidence(f"{what} has probability 0 under every class that the prior allows (of {classes})")


def restore_form(likelihood: Any, posterior: Factor) -> Any:
    """A posterior as the caller wrote the likelihood."""
    if isinstance(likelihood, Factor):
        return posterior
    return posterior.to_dict() if isinstance(likelihood, Mapping) else posterior.values
