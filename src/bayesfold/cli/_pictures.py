"""Pictures by name: what each of them is drawn from."""

from collections.abc import Sequence
from dataclasses import dataclass
from inspect import signature
from pathlib import Path
from typing import Any, Self

import click
import numpy as np

from bayesfold import plots
from bayesfold.cli import _reasons, _rows, _tables
from bayesfold.cli._models import ENDING
from bayesfold.cli._names import resolve_name
from bayesfold.cli._words import warn
from bayesfold.io.judging import may_have_learned, restrict_to_common_rows, score_rows, warning_of_learned_rows
from bayesfold.learning.trained import Trained
from bayesfold.plots._page import draw_for_pages

LEARN = {
    "arc_strengths": "bayesfold learn TABLE --bootstrap 200 --plot FILE",
    "search_path": "bayesfold learn TABLE --path-plot FILE",
    "two_networks": "bayesfold learn TABLE --compare NETWORK --compare-plot FILE",
}
"""The command that draws a picture that is not of a model."""
UNWEIGHED = {
    "model": "is a picture of the model alone",
    "network": "is a picture of the model alone",
    "row": "is a picture of one row",
    "learner": "counts every row once",
}
"""What pictures are of that have no rows to weigh, in words."""


def split_words(words: Sequence[str], output: str | None) -> tuple[str, str, Sequence[str]]:
    """[PICTURE] MODEL [TABLES...]: the picture's name comes first, unless the file that is written is named after it.

    >>> split_words(["roc", "pets.bayes", "later.csv"], None), split_words(["pets.bayes"], "out/nomogram.html")
    (('roc', 'pets.bayes', ['later.csv']), ('nomogram', 'pets.bayes', []))
    """
    first, *rest = words
    if not first.endswith(ENDING):
        picture = resolve_name("picture", first, plots.names())
        if not rest:
            raise click.UsageError(f"name a model too: bayesfold plot {picture} MODEL.bayes")
        return picture, rest[0], rest[1:]
    named = "" if output is None else Path(output).stem
    if named not in plots.names():
        every = ", ".join(plots.names())
        raise click.UsageError(f"say which picture, for example plot nomogram {first}; there are {every}")
    return named, first, rest


def refuse_idle(picture: str, given: Sequence[str]) -> None:
    """Refuse options that this picture has no use for: what it shows would not be what was asked for."""
    plot = plots.find(picture)
    takes = signature(plot.data).parameters
    row = plot.OF == "row"
    used = {
        "--row": row,
        "--of": row or "of" in takes,
        "--against": row or "against" in takes,
        "--leave-out": plot.OF not in UNWEIGHED,
    }
    idle = [option for option in given if not used[option]]
    if idle and plot.OF not in ("arcs", "networks"):
        raise ValueError(f"{picture} has no use for {idle[0]}; leave it out")


def picture_numbers(
    picture: str,
    trained: Trained,
    tables: Sequence[str],
    written: tuple[str | None, str | None],
    row: int,
    of: str | None,
    against: str | None,
    leave_out: bool,
    weight: str | None = None,
) -> Any:
    """The numbers of a picture; `written` are the encoding and the decimal mark of the tables, if they were said."""
    plot = plots.find(picture)
    if weight is not None and plot.OF in UNWEIGHED:
        raise ValueError(f"{picture} {UNWEIGHED[plot.OF]}; leave --weight out")
    a, b = (None if c is None else resolve_name("class", c, trained.model_.classes) for c in (of, against))
    every = {"of": a, "against": b, "loss": trained.loss, "reject_cost": trained.reject_cost}
    every |= {"unseen_share": trained.unseen_share_}
    choices = {name: value for name, value in every.items() if name in signature(plot.data).parameters}
    if plot.OF in ("arcs", "networks"):
        raise ValueError(f"{picture} is a picture of a network that is learned: {LEARN[picture]}")
    if plot.OF in ("model", "network"):
        if tables:
            raise ValueError(f"{picture} is a picture of the model alone; leave {tables[0]} out")
        return plot.data(trained, **choices)
    if not tables:
        raise ValueError(f"{picture} is a picture of rows: name a table too")
    with _tables.open_tables(tables, *written) as source:
        if plot.OF == "row":
            table = _tables.read_all(trained, source)
            chosen = table.taken(_reasons.pick_rows(table, (row,), 1))
            with _rows.located(chosen):
                why = _reasons.explain_rows(trained, _reasons.read_frame(trained, table, chosen), of, against)
            return plot.data(why[0], **choices)
        if leave_out:
            _rows.warn_of_weights(trained, weight)
        _, rows = _rows.read_labelled(trained, source, weight, leave_out)
    if plot.OF == "learner":
        labels = np.array(rows.labels.levels, object)[rows.labels.index]
        return plot.data(Learner(trained.blank(), rows), np.arange(rows.frame.rows), labels, **choices)
    rows = rows.heavy()
    said, rows = restrict_to_common_rows({"": score_rows(trained, rows, leave_out, "the model")}, rows)
    if not leave_out and may_have_learned(trained, rows):
        warn(warning_of_learned_rows(trained, "the model"))
    labels = np.array(rows.labels.levels, object)[rows.labels.index]
    answers = labels.tolist(), np.exp(said[""].log_proba), trained.model_.classes
    return plot.data((*answers, rows.weight, said[""].fold), **choices)


def is_network(picture: str, path: str) -> bool:
    """Whether a network is to be drawn that is no classifier."""
    return plots.find(picture).OF == "network" and not path.endswith(ENDING)


def network_numbers(picture: str, path: str, tables: Sequence[str]) -> Any:
    """The numbers of a Bayesian network's picture."""
    from bayesfold.cli._networks import read_any_network

    if tables:
        raise ValueError(f"{picture} is a picture of the network alone; leave {tables[0]} out")
    return plots.find(picture).data(read_any_network(path))


def draw_picture(picture: str, what: Any, dark: bool) -> Any:
    """The figure of these numbers."""
    return draw_for_pages(plots.find(picture), what, dark)


@dataclass
class Learner:
    """A model of some of the rows, which are called by their place: what the learning curve asks of a classifier."""

    trained: Trained
    rows: _rows.Rows

    @property
    def classes_(self) -> Any:
        """The classes so far."""
        return self.trained.classes_

    def fit(self, places: Any, _: Any) -> Self:
        """Learn rows."""
        self.trained.learn(*self._some(places))
        return self

    def forget(self, places: Any, _: Any, keep_levels: bool = False) -> Self:
        """Take rows out again."""
        self.trained.forget(*self._some(places), keep_levels=keep_levels)
        return self

    def merge(self, other: Self) -> "Learner":
        """A model of both models' rows."""
        return Learner(self.trained.merge(other.trained), self.rows)

    def predict_proba(self, places: Any) -> Any:
        """P(class | row)."""
        return np.exp(self.trained.log_proba(self._some(places)[0]))

    def _some(self, places: Any) -> tuple[Any, Any]:
        mask = np.isin(np.arange(self.rows.frame.rows), places)
        return self.rows.frame.take(mask), self.rows.labels.take(mask)
