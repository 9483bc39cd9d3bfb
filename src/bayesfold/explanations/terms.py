"""What each term of a text says: its weight in the document times the log-odds that the model gives it.

A text's log density is linear in its terms. What is left of the text's own line when its terms have theirs is said of
any text: what the terms say that are not there (of a Bernoulli model), the constant of a regression; 0 otherwise.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.batch import Batch
from bayesfold.data.frame import Floats, Frame
from bayesfold.data.schema import Schema
from bayesfold.data.text.column import Words
from bayesfold.data.text.vocabulary import Vocabulary
from bayesfold.models.model import Model
from bayesfold.models.scoring.mixture import MixtureScorer

Said = tuple[NDArray[np.intp], NDArray[Any], Floats, Floats]
"""Row, term, how often it occurs in the document, and contribution of each."""


def text_columns(schema: Schema) -> dict[str, list[Words]]:
    """The columns that read each text."""
    readings: dict[str, list[Words]] = {}
    for column in schema.texts:
        readings.setdefault(column.origin, []).append(column)
    return readings


def term_weights(model: Any, name: str) -> Floats:
    """What one unit of each term adds to the log joint of each class, [term, class]; in a pool its members add up."""
    voices = [(1.0, model)] if isinstance(model, Model) else zip(model.weights, model.members.values(), strict=True)
    total: Any = 0.0
    for weight, member in voices:
        flat = member.flat
        for group, form in zip(flat.groups, flat.forms, strict=True):
            if name in group.names:
                power = member.scorer.power if isinstance(member.scorer, MixtureScorer) else 1.0
                exponent = 1.0 if member.is_textbook else member.calibration.exponent
                total = total + form.weights[:, 1:] * (weight * group.powers[0] * power * exponent)
    return np.asarray(total)


def term_contributions(
    model: Any, batch: Batch, frame: Frame, decision: NDArray[np.intp], against: NDArray[np.intp]
) -> Iterator[tuple[str, Said]]:
    """For each text its source and what its terms say for `decision` and against `against`, a term once in a row."""
    columns_of = text_columns(model.schema)
    for source, columns in columns_of.items():
        parts: list[tuple[Any, ...]] = []
        for column in columns:
            weights, x = term_weights(model, column.name), batch.column(column.name)
            row, term, often = x.row, x.columns, column.indexed(frame).rows.data  # in the order of x
            margin = x.data * (weights[term, decision[row]] - weights[term, against[row]])
            parts.append((row, term, often, margin, column))
        prefix = "" if len(columns_of) == 1 else f"{source}: "
        rows, terms, often, margins = merge_repeats(columns[0], parts)
        names = spell_own(columns[0], frame, rows, terms) if columns[0].analyser.buckets else terms
        yield source, (rows, np.array([prefix + name for name in names], object), often, margins)


def merge_repeats(column: Words, parts: list[tuple[Any, ...]]) -> Said:
    """The terms of several readings of one text, each once in a row."""
    names: dict[str, int] = {}
    rows, terms, values, margins = [], [], [], []
    for row, term, value, margin, own in parts:
        distinct, place = np.unique(term, return_inverse=True)
        numbers = np.array([names.setdefault(name, len(names)) for name in own.named(distinct)], np.intp)
        rows.append(row)
        terms.append(numbers[place] if len(numbers) else np.empty(0, np.intp))
        values.append(np.where(own is column, value, 0.0))
        margins.append(margin)
    row, term = np.concatenate(rows), np.concatenate(terms)
    key, place = np.unique(row * max(len(names), 1) + term, return_inverse=True)
    labels = np.array([*names], object)
    value, margin = (np.asarray(np.bincount(place, np.concatenate(x), len(key)), float) for x in (values, margins))
    rows_of, named = np.divmod(key, max(len(names), 1))
    return np.asarray(rows_of, np.intp), labels[named] if len(names) else labels, value, margin


def spell_hashed(column: Words, frame: Frame, most: int = 3) -> dict[int, str]:
    """Places of a hashed vocabulary by the terms of some documents that fall there, the most frequent first."""
    seen, bucket = index_terms(column, frame)
    often = np.bincount(seen.rows.columns, seen.rows.data, len(seen.vocabulary))
    terms: dict[int, list[str]] = {}
    for term in np.argsort(-often, kind="stable").tolist():
        terms.setdefault(int(bucket[term]), []).append(seen.vocabulary[term])
    return {place: ", ".join(words[:most] + ["..."] * (len(words) > most)) for place, words in terms.items()}


def index_terms(column: Words, frame: Frame) -> tuple[Any, NDArray[Any]]:
    """The terms of documents by name, and the place of each name in a hashed vocabulary."""
    exact = replace(column, analyser=replace(column.analyser, buckets=0), vocabulary=Vocabulary.of([]))
    seen = exact.indexed(frame, grow=True)
    return seen, seen.vocabulary.hashed(column.analyser.buckets)


def spell_own(column: Words, frame: Frame, rows: NDArray[np.intp], places: NDArray[Any]) -> list[str]:
    """Places of a hashed vocabulary by the terms of the row's own document that fall there, as often as not one."""
    seen, bucket = index_terms(column, frame)
    terms: dict[tuple[int, str], list[str]] = {}
    for row, term in zip(seen.rows.row.tolist(), seen.rows.columns.tolist(), strict=True):
        (name,) = column.named([bucket[term]])
        terms.setdefault((row, name), []).append(seen.vocabulary[term])
    return [f"{', '.join(terms[row, name])} ({name})" for row, name in zip(rows.tolist(), places, strict=True)]
