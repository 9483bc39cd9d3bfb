"""What documents look like to a model, and which terms speak loudest for each class."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from bayesfold.data.folds import ODD, hashed
from bayesfold.data.frame import Frame, Level
from bayesfold.explanations.terms import spell_hashed, term_weights, text_columns
from bayesfold.models.model import Model
from bayesfold.runtime.text_table import html_table, text_table


@dataclass(frozen=True)
class Corpus:
    """Documents of one text: how many, their terms, and the shares of terms and documents that a model cannot read.

    A near duplicate has the same terms as another document, whatever their order, number, case and punctuation.
    """

    text: str
    documents: int
    terms: int
    unknown: float
    silent: float
    duplicates: float

    def _lines(self) -> list[tuple[str, str]]:
        return [
            ("documents", f"{self.documents:,}"),
            ("terms", f"{self.terms:,}"),
            ("terms the model does not know", f"{self.unknown:.1%}"),
            ("documents without a known term", f"{self.silent:.1%}"),
            ("near duplicates", f"{self.duplicates:.1%}"),
        ]

    def __str__(self) -> str:
        return text_table((self.text, ""), self._lines())

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return html_table((self.text, ""), self._lines())


def describe_texts(model: Model, frame: Frame) -> dict[str, Corpus]:
    """Each column of text of a table, as the model sees it."""
    corpora = {}
    for source, columns in text_columns(model.schema).items():
        seen = columns[0].indexed(frame)
        rows = seen.rows
        key = np.zeros(len(rows), np.uint64)
        np.add.at(key, rows.row, hashed(rows.columns.astype(np.uint64) * ODD, 1.0 + rows.columns))
        _, place, many = np.unique(key, return_inverse=True, return_counts=True)
        known = np.diff(rows.starts) > 0
        n, terms = max(frame.rows, 1), int(seen.terms.sum())
        corpora[source] = Corpus(
            source,
            frame.rows,
            terms,
            float(seen.unknown.sum()) / max(terms, 1),
            float((~known).sum()) / n,
            float(((many[place] > 1) & known & (seen.unknown == 0)).sum()) / n,
        )
    return corpora


@dataclass(frozen=True, repr=False)
class Loudest(Mapping[Level, list[tuple[str, float]]]):
    """By class the terms that speak for it most, each with its log-odds against the mean of the other classes."""

    terms: Mapping[Level, list[tuple[str, float]]]

    def __getitem__(self, label: Level) -> list[tuple[str, float]]:
        return self.terms[label]

    def __iter__(self) -> Iterator[Level]:
        return iter(self.terms)

    def __len__(self) -> int:
        return len(self.terms)

    def __str__(self) -> str:
        lines = [(str(label), ", ".join(f"{t} {m:+.2f}" for t, m in terms)) for label, terms in self.terms.items()]
        return text_table(("class", "terms"), lines)

    __repr__ = __str__


def find_top_terms(model: Model, most: int, documents: Frame | None = None) -> Loudest:
    """Terms by what they add up to in the class: how many of its documents show them, times their log-odds there.

    A term's log-odds are what it adds, on average, in a document of the class that shows it. Terms of a hashed
    vocabulary are called by the words of `documents`.
    """
    names: list[str] = []
    added, shown = [], []
    columns_of = text_columns(model.schema)
    for source, columns in columns_of.items():
        total: Any = 0.0
        for column in columns:
            weights = term_weights(model, column.name)
            odds = weights - (weights.sum(1, keepdims=True) - weights) / max(weights.shape[1] - 1, 1)
            cells = model.tally.cells(next(g.span for g in model.groups if column.name in g.names))
            sums = (cells.high[0] + cells.low[0]).reshape(len(cells.weight[0]), -1, 2)[1:]
            total = total + odds * sums[..., 0].T
        added.append(total)
        shown.append(sums[..., 1].T)
        prefix = "" if len(columns_of) == 1 else f"{source}: "
        named = columns[0].named(range(columns[0].width))
        if documents is not None:
            for place, words in spell_hashed(columns[0], documents).items():
                named[place] = f"{words} ({named[place]})"
        names += [prefix + name for name in named]
    if not names:
        return Loudest({label: [] for label in model.classes})
    whole, often = np.concatenate(added), np.concatenate(shown)
    best = {}
    for k, label in enumerate(model.classes):
        order = [j for j in np.argsort(-whole[:, k], kind="stable")[:most] if whole[j, k] > 0]
        best[label] = [(names[j], float(whole[j, k] / max(often[j, k], 1e-300))) for j in order]
    return Loudest(best)
