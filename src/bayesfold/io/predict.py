"""Answers for every row of a source of any size: the rows as they are, with what the model says appended.

`predicted` is the decision (or the reject label), `P(a)` the probability of each class a, `P(unseen)` that of a class
never seen where the model leaves it a share, and, where decisions have costs, `risk` what the decision is expected to
cost; where rows may be rejected, `reject` says whether this one is.

>>> import io, pyarrow as pa
>>> from bayesfold.learning.kinds import find
>>> from bayesfold.io.fit import learn_from
>>> pets = pa.table({"coat": ["short", "long", "short", "short"], "pet": ["cat", "cat", "dog", "dog"]})
>>> model, _ = learn_from(find("naive")(), pets, "pet")
>>> out = io.BytesIO()
>>> predict_from(model, pets.select(["coat"]).slice(0, 2), out)
2
>>> print(out.getvalue().decode().replace(",", "  "))
coat  predicted  P(cat)  P(dog)
short  dog  0.4  0.6...
long  cat  0.6...  0.3...
"""

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from bayesfold.data.dates import columns_for
from bayesfold.data.frame import Floats, Frame, is_text
from bayesfold.data.schema import Schema
from bayesfold.data.tables import frame as read_table
from bayesfold.decisions.decide import check_decision, decide_places, labels_of, reject_label, takes_the_mode
from bayesfold.decisions.risk import REJECT, conditional_risk
from bayesfold.decisions.unseen_class import dearest, share_of, unseen_name, whole_risk, with_unseen
from bayesfold.io.csv.column_types import TEXT, NotANumber, as_numbers, text_markers
from bayesfold.io.open import open_source
from bayesfold.io.rows import say_place
from bayesfold.io.selection import RowsFrom
from bayesfold.io.source import Source
from bayesfold.io.unchanged import refuse_changed
from bayesfold.io.unseen import Unseen
from bayesfold.io.writers import Sink
from bayesfold.runtime.arrow_buffers import arrow_numbers, arrow_texts, replace_columns
from bayesfold.runtime.overwriting import refuse_overwriting
from bayesfold.runtime.progress import Watcher, watch
from bayesfold.runtime.threads import each

DECISION, RISK, REJECTED = "predicted", "risk", "reject"
REFUSED, UNKNOWN = "error", "unknown"
"""What happens with a column that a source lacks."""


DATES: tuple[str, frozenset[str]] = "dates", frozenset()
"""The kind of a column of text of which the model reads only parts."""


class Judge(Protocol):
    """A trained model or a fitted classifier."""

    model_: Any
    loss: Any
    reject_cost: Any
    reject_label: Any

    @property
    def classes_(self) -> NDArray[Any]:
        """The classes."""
        ...


def predict_from(
    judge: Judge,
    what: Any,
    out: Any,
    log_proba: Callable[[Frame], Floats] | None = None,
    watcher: Watcher | None = None,
    prefix: str = "",
    unseen: Unseen | None = None,
    missing_columns: str = REFUSED,
) -> Any:
    """Write the rows of a source and the answers for them; returns how many there were.

    `out` is a path (*.csv, *.tsv, either with .gz, *.parquet, *.arrow), "-", or a binary file. Rows that stay where
    they are get their answers there: without `out`, what is returned is the table of them. `log_proba` is what
    gives log P(class | row) where it is not the model alone. The names of new columns begin with `prefix`. `unseen`
    counts values that were never learned. With missing_columns="unknown" a column that the source lacks is one of
    missing values; otherwise it is refused, unless the source itself allows it.
    """
    check_decision(judge)
    if missing_columns not in (REFUSED, UNKNOWN):
        raise ValueError(f"missing_columns={missing_columns!r} is not {REFUSED!r} or {UNKNOWN!r}")
    schema = judge.model_.schema
    score = log_proba or (lambda frame: judge.model_.log_proba(schema.encode(frame)))
    with open_source(what) as source, ExitStack() as stack:
        if source.remote is not None:
            source.allow_missing = missing_columns == UNKNOWN
            names = answer_columns(judge, source, prefix)
            types = dict(zip(names, (column.type for column in Answering(judge, log_proba).none()), strict=True))
            return source.remote.mapped(types, Answering(judge, log_proba, tuple(source.absent)), out)
        if out is None:
            raise TypeError("say where the answers are to go: a path, '-' for standard output, or a binary file")
        if isinstance(out, str | os.PathLike) and out != "-":
            refuse_overwriting(out, source.files)
        sink = stack.enter_context(Sink(out))
        stack.enter_context(refuse_changed(source))
        source.check_columns()
        source.allow_missing |= missing_columns == UNKNOWN
        names = answer_columns(judge, source, prefix)
        kinds = kinds_of(schema) if source.is_text else {}
        types = types_of(source, kinds)
        rows, total = 0, source.count() if source.is_text or watcher else 0
        with source.ahead(types, {}) as blocks:
            for begin, table in watch(iter(blocks), total, watcher):
                try:
                    frame = frame_of(source, table, schema, kinds, begin)
                    if unseen is not None:
                        unseen.see(frame)
                    answers = answer_arrays(judge, score(frame))
                except NotANumber:
                    raise
                except ValueError as error:
                    said = say_place(str(error), RowsFrom(source, begin).place)
                    raise ValueError(said or f"{source.place(begin)} and after: {error}") from None
                for name, column in zip(names, answers, strict=True):
                    table = table.append_column(name, column)
                sink.write(table)
                rows = begin + table.num_rows
        if not rows:
            empty = answer_arrays(judge, np.zeros((0, len(judge.classes_))))
            columns = [*(pa.nulls(0, kind) for kind in types.values()), *empty]
            sink.write(pa.Table.from_arrays(columns, [*types, *names]))
        return rows


def answer_columns(judge: Judge, source: Source, prefix: str) -> list[str]:
    """What the new columns are called; a source that lacks a column of the model, or has one of theirs, is refused."""
    source.require_features(judge.model_.schema.sources, getattr(judge, "target", None))  # who learned a file knows it
    names = [prefix + name for name in appended(judge)]
    clash = [name for name in names if name in source.names]
    if clash:
        raise ValueError(
            f"{source.name} already has a column {clash[0]!r}; rename it, or name the answers differently with prefix="
        )
    return names


@dataclass(frozen=True)
class Answering:
    """What gives the answers for a table of rows, wherever they are; columns that it lacks are `absent`."""

    judge: Judge
    log_proba: Callable[[Frame], Floats] | None = None
    absent: tuple[str, ...] = ()

    def __call__(self, table: pa.Table) -> list[pa.Array]:
        """The new columns."""
        model = self.judge.model_
        read_for = columns_for(model.schema.sources, table.column_names)
        known = table.select([name for name in read_for if name not in self.absent])
        frame = read_table(add_unknown_columns(known, model.schema, self.absent))
        log_proba = model.log_proba(model.schema.encode(frame)) if self.log_proba is None else self.log_proba(frame)
        return [without_dictionary(column) for column in answer_arrays(self.judge, log_proba)]

    def none(self) -> list[pa.Array]:
        """The new columns of no rows."""
        return [without_dictionary(c) for c in answer_arrays(self.judge, np.zeros((0, len(self.judge.classes_))))]


def without_dictionary(column: pa.Array) -> pa.Array:
    """A column of one of the types that every system has."""
    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    wide = pa.float64() if pa.types.is_floating(kind) else pa.int64() if pa.types.is_integer(kind) else kind
    return column.cast(pa.string() if is_text(wide) else wide)


def appended(judge: Judge) -> list[str]:
    """The names of the new columns."""
    more = [] if takes_the_mode(judge) else [RISK] if judge.reject_cost is None else [RISK, REJECTED]
    classes = judge.classes_.tolist()
    names = [*classes, unseen_name(classes)] if share_of(judge) else classes
    return [DECISION, *(f"P({c})" for c in names), *more]


def answer_arrays(judge: Judge, log_proba: Floats) -> list[pa.Array]:
    """The decision, the probabilities, the risk if decisions have costs, and whether a row that may be is rejected."""
    proba = np.exp(log_proba)
    classes = judge.classes_.tolist()
    decisions = log_proba.argmax(axis=1) if takes_the_mode(judge) else decide_places(judge, log_proba)
    share = share_of(judge)
    said = with_unseen(proba, share) if share else proba
    answers = [label_array(judge, decisions), *(arrow_numbers(said[:, k]) for k in range(said.shape[1]))]
    if takes_the_mode(judge):
        return answers
    risks = conditional_risk(proba, judge.loss, classes)
    risk = whole_risk(risks[np.arange(len(decisions)), np.maximum(decisions, 0)], share, dearest(judge.loss, classes))
    if judge.reject_cost is None:
        return [*answers, arrow_numbers(risk)]
    rejected = decisions == REJECT
    bits = pa.py_buffer(np.packbits(rejected, bitorder="little"))
    flags = pa.Array.from_buffers(pa.bool_(), len(rejected), [None, bits])
    return [*answers, arrow_numbers(np.where(rejected, judge.reject_cost, risk)), flags]


def label_array(judge: Judge, decisions: NDArray[np.intp]) -> pa.Array:
    """Decisions by name; text where labels and what a rejected row is called are not numbers of one kind."""
    names = judge.classes_.tolist() + ([] if judge.reject_cost is None else [reject_label(judge)])
    index = arrow_numbers(np.where(decisions == REJECT, len(names) - 1, decisions).astype(np.int32))
    held = labels_of(judge)
    if held.dtype.kind in "iuf" and len(set(map(type, names))) == 1:
        return arrow_numbers(held).take(index)
    return pa.DictionaryArray.from_arrays(index, arrow_texts([str(name) for name in names]))


# columns of text as the model knows them


def kinds_of(schema: Schema) -> dict[str, tuple[str, frozenset[str]]]:
    """What the model takes each column of text for (number, truth value or text), and its markers of missing values."""
    kinds: dict[str, tuple[str, frozenset[str]]] = {}
    for column in schema.features:
        for source, kind, missing in column.cells:
            if source not in kinds or kind == "number":
                kinds[source] = kind, text_markers(missing)
    return kinds


def types_of(source: Source, kinds: Mapping[str, tuple[str, frozenset[str]]]) -> dict[str, pa.DataType]:
    """How to read every column: text stays as it is written, in a dictionary where the model wants its values."""
    if not source.is_text:
        return source.types(source.names)
    return {name: TEXT if kinds.get(name, ("",))[0] in ("text", "truth") else pa.string() for name in source.names}


def frame_of(
    source: Source,
    table: pa.Table,
    schema: Schema,
    kinds: Mapping[str, tuple[str, frozenset[str]]],
    begin: int = 0,
) -> Frame:
    """The columns that the model reads; one that the table lacks is unknown in every row. `begin` is the first row's
    place in the source."""
    read_for = columns_for(schema.sources, table.column_names)
    known = table.select([name for name in read_for if name not in source.absent])
    if not source.is_text:
        return read_table(add_unknown_columns(known, schema, source.absent))

    def read(name: str) -> Any:
        kind, markers = kinds.get(name, DATES)
        column = known.column(name)
        if kind == "number":
            return as_numbers(column, markers, name, source.number_formats.use(name, schema.decimals))
        return column

    try:
        columns = each(read, known.column_names)
    except NotANumber as error:
        raise error.at(source.place(begin + error.row)) from None
    known = replace_columns(known, dict(zip(known.column_names, columns, strict=True)))
    return read_table(add_unknown_columns(known, schema, source.absent))


def add_unknown_columns(table: pa.Table, schema: Schema, absent: Sequence[str]) -> pa.Table:
    """A table with columns of missing values, as the model takes them, where it lacks some."""
    kinds = kinds_of(schema) if absent else {}
    for name in absent:
        kind = {"number": pa.float64(), "truth": pa.bool_()}.get(kinds[name][0], pa.string())
        table = table.append_column(name, pa.nulls(table.num_rows, kind))
    return table.select(columns_for(schema.sources, table.column_names))


def spark_udf(judge: Judge) -> Any:
    """A UDF for Spark SQL that takes a row as a struct and returns a struct: predicted, P(class), ...

    `spark.udf.register("bayes", bayesfold.spark_udf(model))`, then `SELECT bayes(struct(*)).predicted FROM patients`.
    The columns of the model are matched by name; other fields are ignored.
    """
    from bayesfold.io.engines._spark_answers import make_udf

    check_decision(judge)
    work = Answering(judge, getattr(judge, "_log_proba_of", None))
    types = dict(zip(appended(judge), (column.type for column in work.none()), strict=True))
    return make_udf(types, work)
