"""A saved model in words: what it is, what it learned and from what, what it can still do."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from functools import singledispatch
from pathlib import Path
from typing import Any

import numpy as np

from bayesfold.data.encoding import AS_LEVEL, Encoding
from bayesfold.data.encodings import Binned, Categories, Counts
from bayesfold.data.graph import factorization
from bayesfold.data.schema import Column, Schema
from bayesfold.data.vector import Vector
from bayesfold.learning.kinds import Settings
from bayesfold.learning.one_column import name_of as family_name
from bayesfold.learning.trained import DropIn, Trained
from bayesfold.models.model import Model
from bayesfold.models.pool import Pool
from bayesfold.runtime.messages import listed
from bayesfold.runtime.text_table import html_table, text_table
from bayesfold.store.file import digest_of

MOST = 40
"""Lines of a table that are printed."""


@dataclass(frozen=True)
class Section:
    """One table, every cell in words."""

    title: str
    header: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Inspection:
    """What a model is, in tables: print it, or read `sections`."""

    sections: tuple[Section, ...]

    def __str__(self) -> str:
        return "\n\n".join(in_print(section) for section in self.sections)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return "".join(html_table(s.header, s.lines, len(s.header), s.title) for s in self.sections)


def in_print(section: Section) -> str:
    """A table as text, cut where it is long."""
    lines = [tuple(map(printable, line)) for line in section.lines[:MOST]]
    shown = text_table(section.header, lines, len(section.header))
    more = len(section.lines) - MOST
    return f"{section.title}\n{shown}" + (f"\nand {more:,} more" if more > 0 else "")


def printable(cell: str) -> str:
    """A cell on one line, that a terminal takes for nothing but text."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in cell)


def inspect(trained: Trained, path: str | os.PathLike[str] | None = None) -> Inspection:
    """A model in words; `path` is the file that it was loaded from.

    >>> from bayesfold.data.frame import Frame
    >>> from bayesfold.learning.trained import find, train
    >>> f = Frame.of({"coat": ["short", "long", "short", "short"], "size": ["s", "s", "l", "l"]})
    >>> inspect(train(find("naive")(), f, ["cat", "cat", "dog", "dog"], "pet")).sections[1]
    Section(title='classes', header=('pet', 'rows', 'probability'), lines=(('cat', '2', '0.5'), ('dog', '2', '0.5')))
    """
    every = (model(trained, path), classes(trained), columns(trained), parts(trained), history(trained))
    return Inspection(tuple(section for section in every if section.lines))


def model(trained: Trained, path: str | os.PathLike[str] | None) -> Section:
    """The model as a whole."""
    found = trained.model_
    first = found.first if isinstance(found, Pool) else found
    lines = [
        ("kind", trained.settings.estimator),
        ("rows", f"{trained.rows:,}" + weighed(first)),
        ("predicts", f"{trained.target}: {listed(found.classes)}"),
        ("reads", reads(trained)),
        ("structure", structure(found, trained.target)),
        ("calibration", calibration(found)),
        ("decides", decides(trained)),
        ("settings", settings(trained)),
        ("can still", abilities(trained)),
    ]
    if trained.unlabelled is not None:
        soft = trained.unlabelled
        lines.append(("unlabelled", f"{soft.rows:,} rows without a label, each of the weight {soft.weight:g}"))
    if path is not None:
        size = Path(path).stat().st_size
        lines.append(("file", f"{os.fspath(path)}, {size:,} bytes, digest {digest_of(path)[:16]}"))
    return Section("model", ("what", "is"), tuple(line for line in lines if line[1]))


def weighed(first: Model) -> str:
    """What the rows weigh, where that is not one each."""
    if not first.tally.weighted:
        return ""
    decayed = ", decayed" if first.decayed else ""
    return f" that weigh {float(first.class_weights().sum()):g}{decayed}"


def reads(trained: Trained) -> str:
    """How many columns are used."""
    used = len(trained.model_.schema.sources)
    left = len(trained.names) - used
    return f"{used:,} column{'s' * (used != 1)}" + (f"; {left:,} left out" if left else "")


def structure(found: Model | Pool, target: str) -> str:
    """How the columns depend on each other."""
    if isinstance(found, Pool):
        named = [f"{name} ({weight:.3g})" for name, weight in zip(found.members, found.weights, strict=True)]
        return f"a pool of {', '.join(named)}, by weight"
    return of_mixture(found, target)


def of_mixture(found: Model, target: str) -> str:
    """The networks of a model, which learned its classes from the column `target`."""
    mixture, networks = found.mixture, found.mixture.networks
    if len(networks) == 1:
        joint = factorization(networks[0], {found.schema.target.name: target})
        return joint if len(joint) <= 200 else f"{joint[:160].rpartition(' P(')[0]} ... ({len(networks[0])} factors)"
    how = {"mean": "the mean", "product": "the weighted product"}[mixture.combine]
    parents = len(mixture.roots[0])
    each = "a column" if parents == 1 else f"{parents} columns"
    return f"{how} of {len(networks):,} networks, in each of which all columns depend on {each} and the class"


def calibration(found: Model | Pool) -> str:
    """What held-out rows taught about the answers as a whole."""
    if isinstance(found, Pool) or found.is_textbook:
        return ""
    bias = zip(found.classes, found.calibration.bias_of(found.classes), strict=True)
    added = ", ".join(f"{b:+.3g} for {c!r}" for c, b in bias if b)
    return f"joint probability to the power {found.calibration.exponent:.4g}" + (f", its log {added}" if added else "")


def decides(trained: Trained) -> str:
    """How a decision is taken."""
    if trained.loss is None and trained.reject_cost is None:
        return "the most probable class"
    cost = "" if trained.loss is None else f"the least expected loss, loss[decision][truth] = {quote(trained.loss)}"
    reject = "" if trained.reject_cost is None else f"; rejects what would cost more than {quote(trained.reject_cost)}"
    return (cost or "the most probable class") + reject


def settings(trained: Trained) -> str:
    """What was told, where it is not the default."""
    told = trained.settings
    if isinstance(told, DropIn):
        return ", ".join(f"{name}={quote(value)}" for name, value in told.parameters.items() if value is not None)
    decision = ("loss", "reject_cost", "reject_label")
    return ", ".join(
        f"{field.name}={quote(getattr(told, field.name))}"
        for field in fields(told)
        if field.name not in decision and repr(getattr(told, field.name)) != repr(field.default)
    )


def quote(value: Any) -> str:
    """A setting in print."""
    if isinstance(value, Schema):
        return f"one of {len(value.features)} columns"
    text = repr(value.tolist() if isinstance(value, np.ndarray | np.generic) else value)
    return text if len(text) <= 80 else f"{text[:77]}..."


def abilities(trained: Trained) -> str:
    """What can still be done with it."""
    found = trained.model_
    first = found.first if isinstance(found, Pool) else found
    if first.soft:
        return "predict only: rows without labels are in it, and what these count depends on all other rows"
    if first.iterative:
        return f"predict only: what the words of {first.iterative!r} say was found by iteration over all rows together"
    verbs = "learn, forget, merge, decay, leave rows out"
    if first.decayed:
        verbs = "learn, merge, decay; forget and leave rows out with the weights that they have now"
    if not isinstance(trained.settings, Settings):
        verbs += " (in Python, with bayesfold.load)"
    if trained.reweigh_needed:
        verbs += "; its rows have changed since its weights were fitted: reweigh(X, y) fits them again"
    return verbs


def classes(trained: Trained) -> Section:
    """Each class with its rows and its probability before anything is seen."""
    found = trained.model_
    share = np.exp(found.log_prior() - found.log_prior().max())
    lines = [
        (str(c), f"{n:,}", f"{p:.4g}")
        for c, n, p in zip(found.classes, found.class_counts().tolist(), share / share.sum(), strict=True)
    ]
    return Section("classes", (trained.target, "rows", "probability"), tuple(lines))


def columns(trained: Trained) -> Section:
    """Each column: how it is read, its density, its exponent where it has one, and why."""
    known = {c.name: c for c in trained.columns}
    schema = trained.model_.schema
    powers = dict(exponents(trained.model_))
    lines = []
    for name in trained.names:
        some = [c for c in schema.features if name in c.sources]
        report = known.get(name)
        family = report.family if report is not None else ""
        density = family or ", ".join(dict.fromkeys(densities(trained.model_, some))) or "-"
        why = report.why if report is not None else ""
        power = ", ".join(f"{powers[c.name]:.3g}" for c in some if c.name in powers)
        lines.append((name, "; ".join(dict.fromkeys(map(read_as, some))) or "not read", density, power, why))
    header = ("column", "read as", "density", "weight", "why")
    keep = [i for i in range(5) if i < 3 or any(line[i] for line in lines)]
    return Section("columns", pick(header, keep), tuple(pick(line, keep) for line in lines))


def pick(line: Sequence[str], keep: Sequence[int]) -> tuple[str, ...]:
    """Some cells of a line."""
    return tuple(line[i] for i in keep)


@singledispatch
def read_as(column: Encoding) -> str:
    """How a column is read; of a block, how its columns are."""
    return column.in_words


@read_as.register
def _(column: Categories) -> str:
    many = len(column.levels)
    return column.in_words.replace("categories", f"{many:,} categor{'y' if many == 1 else 'ies'}", 1)


@read_as.register
def _(column: Binned) -> str:
    if len(column.cuts) < 5:
        return column.in_words
    holes = AS_LEVEL if column.holes else ""
    return f"numbers in {len(column.levels)} bins cut from {column.cuts[0]:.4g} to {column.cuts[-1]:.4g}{holes}"


@read_as.register
def _(column: Counts | Vector) -> str:
    return f"in {column.in_words}"


def densities(found: Model | Pool, some: Sequence[Column]) -> Iterator[str]:
    """The families of these columns."""
    members = found.members.values() if isinstance(found, Pool) else (found,)
    for member in members:
        for column in some:
            if column.name in member.families:
                yield family_name(member.families[column.name])


def exponents(found: Model | Pool) -> Iterator[tuple[str, float]]:
    """The exponents of columns, or the weights of super-parents, where they are not all 1."""
    if isinstance(found, Pool):
        return
    mixture = found.mixture
    if mixture.weights is not None and mixture.roots and len(mixture.roots[0]) == 1:
        for (root,), weight in zip(mixture.roots, mixture.weights, strict=True):
            yield root, weight
    elif len(mixture.networks) == 1 and any(node.power != 1 for node in mixture.networks[0]):
        for node in mixture.networks[0]:
            yield node.children[-1], node.power


def parts(trained: Trained) -> Section:
    """What the parts of a pool got on rows that they had not seen, and what they weigh."""
    report = trained.report
    if report is None:
        return Section("parts", (), ())
    lines = [
        *((p.name, number(p.loss), number(p.accuracy), number(p.weight), p.what) for p in report.lines),
        ("together", number(report.loss), number(report.accuracy), "", f"{report.rows:,} rows, {report.caption}"),
    ]
    return Section("parts", ("part", "log-loss", "accuracy", "weight", "what"), tuple(lines))


def number(x: float) -> str:
    """A figure, if there is one."""
    return "" if np.isnan(x) else f"{x:.4f}"


def history(trained: Trained) -> Section:
    """Where the rows came from, as far as it was noted."""
    lines = [(step.what, f"{step.rows:,}", step.source, step.date) for step in trained.history]
    return Section("history", ("what", "rows", "source", "when"), tuple(lines))
