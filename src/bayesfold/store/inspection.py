"""What a trained model is, in tables for people: the model, its classes, columns, parts and history."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import singledispatch
from pathlib import Path

import numpy as np

from bayesfold.data.encoding import AS_LEVEL, Encoding
from bayesfold.data.encodings import Binned, Categories, Counts
from bayesfold.data.schema import Column
from bayesfold.data.vector import Vector
from bayesfold.learning.one_column import name_of as family_name
from bayesfold.learning.trained import Trained
from bayesfold.models.model import Model
from bayesfold.models.pool import Pool
from bayesfold.runtime.messages import digits, listed
from bayesfold.runtime.text_table import html_table, text_table
from bayesfold.store.file import digest_of
from bayesfold.store.words import (
    abilities_in_words,
    calibration_in_words,
    columns_in_words,
    decision_in_words,
    settings_in_words,
    structure_in_words,
    weights_in_words,
)

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
    every = (
        model_section(trained, path),
        classes_section(trained),
        columns_section(trained),
        parts_section(trained),
        history_section(trained),
    )
    return Inspection(tuple(section for section in every if section.lines))


def model_section(trained: Trained, path: str | os.PathLike[str] | None) -> Section:
    """The section on the model as a whole."""
    fitted = trained.model_
    first = fitted.first if isinstance(fitted, Pool) else fitted
    lines = [
        ("kind", trained.settings.estimator),
        ("rows", f"{trained.rows:,}" + weights_in_words(first)),
        ("predicts", f"{trained.target}: {listed(fitted.classes)}"),
        ("reads", columns_in_words(trained)),
        ("structure", structure_in_words(fitted, trained.target)),
        ("calibration", calibration_in_words(fitted)),
        ("decides", decision_in_words(trained)),
        ("settings", settings_in_words(trained)),
        ("can still", abilities_in_words(trained)),
    ]
    if trained.unlabelled is not None:
        soft = trained.unlabelled
        lines.append(("unlabelled", f"{soft.rows:,} rows without a label, each of the weight {soft.weight:g}"))
    if path is not None:
        size = Path(path).stat().st_size
        lines.append(("file", f"{os.fspath(path)}, {size:,} bytes, digest {digest_of(path)[:16]}"))
    return Section("model", ("what", "is"), tuple(line for line in lines if line[1]))


def classes_section(trained: Trained) -> Section:
    """Each class with its rows and its probability before anything is seen."""
    fitted = trained.model_
    share = np.exp(fitted.log_prior() - fitted.log_prior().max())
    lines = [
        (str(c), f"{n:,}", f"{p:.4g}")
        for c, n, p in zip(fitted.classes, fitted.class_counts().tolist(), share / share.sum(), strict=True)
    ]
    return Section("classes", (trained.target, "rows", "probability"), tuple(lines))


def columns_section(trained: Trained) -> Section:
    """Each column: how it is read, its density, its exponent where it has one, and why."""
    known = {c.name: c for c in trained.columns}
    schema = trained.model_.schema
    powers = dict(exponents(trained.model_))
    lines = []
    for name in trained.names:
        encodings = [c for c in schema.features if name in c.sources]
        report = known.get(name)
        family = report.family if report is not None else ""
        density = family or ", ".join(dict.fromkeys(densities(trained.model_, encodings))) or "-"
        why = report.why if report is not None else ""
        power = ", ".join(f"{powers[c.name]:.3g}" for c in encodings if c.name in powers)
        lines.append((name, "; ".join(dict.fromkeys(map(read_as, encodings))) or "not read", density, power, why))
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
    low, high = digits(column.cuts[0], 4), digits(column.cuts[-1], 4)
    return f"numbers in {len(column.levels)} bins cut from {low} to {high}{holes}"


@read_as.register
def _(column: Counts | Vector) -> str:
    return f"in {column.in_words}"


def densities(fitted: Model | Pool, encodings: Sequence[Column]) -> Iterator[str]:
    """The families of these columns."""
    members = fitted.members.values() if isinstance(fitted, Pool) else (fitted,)
    for member in members:
        for column in encodings:
            if column.name in member.families:
                yield family_name(member.families[column.name])


def exponents(fitted: Model | Pool) -> Iterator[tuple[str, float]]:
    """The exponents of columns, or the weights of super-parents, where they are not all 1."""
    if isinstance(fitted, Pool):
        return
    mixture = fitted.mixture
    if mixture.weights is not None and mixture.roots and len(mixture.roots[0]) == 1:
        for (root,), weight in zip(mixture.roots, mixture.weights, strict=True):
            yield root, weight
    elif len(mixture.networks) == 1 and any(node.power != 1 for node in mixture.networks[0]):
        for node in mixture.networks[0]:
            yield node.children[-1], node.power


def parts_section(trained: Trained) -> Section:
    """What the parts of a pool got on rows that they had not seen, and what they weigh."""
    report = trained.report
    if report is None:
        return Section("parts", (), ())
    lines = [
        *((p.name, figure(p.loss), figure(p.accuracy), figure(p.weight), p.what) for p in report.lines),
        ("together", figure(report.loss), figure(report.accuracy), "", f"{report.rows:,} rows, {report.caption}"),
    ]
    return Section("parts", ("part", "log-loss", "accuracy", "weight", "what"), tuple(lines))


def figure(x: float) -> str:
    """A figure in print, empty where there is none."""
    return "" if np.isnan(x) else f"{x:.4f}"


def history_section(trained: Trained) -> Section:
    """Where the rows came from, as far as it was noted."""
    lines = [(step.what, f"{step.rows:,}", step.source, step.date) for step in trained.history]
    return Section("history", ("what", "rows", "source", "when"), tuple(lines))
