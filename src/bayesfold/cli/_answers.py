"""What a model says of the rows of a table, as columns to stand behind the table's own."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from bayesfold.buffers import numbers, texts
from bayesfold.cli._names import known
from bayesfold.cli._rows import features_of, require
from bayesfold.cli._tables import Table
from bayesfold.decisions import codes, reject_label
from bayesfold.fit import by_class
from bayesfold.frame import Floats
from bayesfold.loss import loss_matrix
from bayesfold.posterior import shift_prior
from bayesfold.risk import REJECT, risk
from bayesfold.trained import Trained


@dataclass(frozen=True)
class Answers:
    """Probabilities [row, class], decisions as places among the classes (-1: reject), and their expected cost."""

    trained: Trained
    proba: Floats
    decision: NDArray[np.intp]
    risk: Floats

    def columns(self) -> dict[str, pa.Array]:
        """The new columns by name."""
        classes = self.trained.model_.classes
        rejecting = self.trained.reject_cost is not None
        names = [*map(str, classes), *((str(reject_label(self.trained)),) if rejecting else ())]
        place = np.where(self.decision == REJECT, len(classes), self.decision)
        found = {"predicted": labels(names, classes, place)}
        found |= {f"P({c})": numbers(np.ascontiguousarray(self.proba[:, k])) for k, c in enumerate(classes)}
        found["risk"] = numbers(self.risk)
        if rejecting:
            found["reject"] = truths(self.decision == REJECT)
        return found

    def as_json(self) -> dict[str, Any]:
        """The new columns for machines, a list a row."""
        return {"rows": [dict(zip(self.columns(), row, strict=True)) for row in self._lines()]}

    def _lines(self) -> Any:
        return zip(*(values.to_pylist() for values in self.columns().values()), strict=True)

    def summary(self) -> str:
        """How many rows were decided to be what."""
        classes = [*map(str, self.trained.model_.classes)]
        counts = np.bincount(self.decision[self.decision >= 0], minlength=len(classes))
        order = [k for k in np.argsort(-counts, kind="stable") if counts[k]][:8]
        said = [f"{classes[k]} {counts[k]:,}" for k in order]
        rejected = int((self.decision == REJECT).sum())
        return ", ".join([*said, *([f"rejected {rejected:,}"] if rejected else [])]) or "no rows"


def answers(trained: Trained, table: Table, priors: str | None = None) -> Answers:
    """What the model says of each row."""
    log_p = trained.log_proba(features_of(table, require(trained, table), trained))
    if priors is not None:
        with np.errstate(divide="ignore"):
            new = np.log([*chances(priors, trained).values()])
        log_p = shift_prior(log_p, trained.model_.log_prior(), new, True)
    found = codes(trained, log_p)
    p = np.exp(log_p)
    costs = risk(p, loss_matrix(trained.loss, list(trained.model_.classes)))
    chosen = costs[np.arange(len(p)), found]
    if trained.reject_cost is not None:
        chosen = np.where(found == REJECT, trained.reject_cost, chosen)
    return Answers(trained, p, found, chosen)


def chances(text: str, trained: Trained) -> dict[Any, float]:
    """--priors yes=0.1,no=0.9."""
    found: dict[Any, float] = {}
    for part in text.split(","):
        name, equals, p = part.rpartition("=")
        try:
            found[known("class", name.strip(), trained.model_.classes, "--priors: ")] = float(p if equals else "")
        except ValueError as error:
            if "could not convert" in str(error):
                raise ValueError(f"--priors {part!r}: write CLASS=PROBABILITY, for example yes=0.1,no=0.9") from None
            raise
    told = by_class(found, trained.model_.classes)
    assert told is not None
    return told


def labels(names: list[str], classes: tuple[Any, ...], place: NDArray[np.intp]) -> pa.Array:
    """Decisions: whole numbers where the classes are, else text."""
    if len(names) == len(classes) and all(isinstance(c, int) and not isinstance(c, bool) for c in classes):
        return numbers(np.asarray(classes, np.int64)[place])
    return texts(names).take(numbers(place.astype(np.int64)))


def truths(values: NDArray[np.bool_]) -> pa.Array:
    """Truth values as an Arrow array."""
    bits = pa.py_buffer(np.packbits(values, bitorder="little"))
    return pa.Array.from_buffers(pa.bool_(), len(values), [None, bits])
