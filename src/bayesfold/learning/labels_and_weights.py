"""Labels, row weights, class probabilities and class weights as they are given, checked."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.by_label import by_label
from bayesfold.data.column_values import float_per_row
from bayesfold.data.frame import Coded, Floats, Frame, Level, code
from bayesfold.runtime.messages import listed

LARGEST_WEIGHT = 1e100
"""Of a row; the smallest is 1 / LARGEST_WEIGHT."""


def coded_labels(y: Any, rows: int) -> Coded:
    """Labels by class; a missing label is refused by row."""
    labels = y if isinstance(y, Coded) else code(y)
    if len(labels) != rows:
        raise ValueError(f"there are {rows} rows but {len(labels)} labels")
    if rows == 0:
        raise ValueError("there are no rows to learn from")
    missing = labels.first_missing()
    if missing is not None:
        raise ValueError(f"row {missing} has no label; leave out rows whose class is unknown")
    return labels


def check_row_weights(weight: Any, frame: Frame, labels: Coded) -> tuple[Floats | None, Frame, Coded]:
    """Checked weights; rows of weight zero are dropped before anything is learned from them."""
    if weight is None:
        return None, frame, labels
    try:
        w = float_per_row(weight)
    except (TypeError, ValueError) as error:
        raise ValueError(f"weights are one number per row, and these are not ({error})") from None
    if w.shape not in ((frame.rows,), (frame.rows, 1)):
        shape = "" if w.ndim == 1 else f", of the shape {w.shape}"
        raise ValueError(f"there are {frame.rows} rows but {w.size} weights{shape}")
    w = w.ravel()
    if not np.isfinite(w).all() or (w < 0).any():
        row = int(np.flatnonzero(~np.isfinite(w) | (w < 0))[0])
        raise ValueError(f"row {row} has the weight {w[row]}; weights must be finite and at least 0")
    keep = w > 0
    odd = keep & ((w < 1 / LARGEST_WEIGHT) | (w > LARGEST_WEIGHT))
    if odd.any():
        row = int(odd.argmax())
        raise ValueError(
            f"row {row} has the weight {w[row]}; weights are 0, or from {1 / LARGEST_WEIGHT:g} to {LARGEST_WEIGHT:g}, "
            "beyond which their sums and squares are no numbers; scale them"
        )
    if keep.all():
        return w, frame, labels
    if not keep.any():
        raise ValueError("every sample weight is zero, so there is nothing to learn")
    return w[keep], frame.take(keep), labels.take(keep)


def heavy_rows(weight: Any, rows: int) -> NDArray[np.intp] | None:
    """The rows that weigh something, where some do not; None where all do, or where the weights are to be refused."""
    try:
        w = np.zeros(0) if weight is None else float_per_row(weight).ravel()
    except (TypeError, ValueError):
        return None
    if w.shape != (rows,) or not np.isfinite(w).all() or (w < 0).any() or not w.any() or w.all():
        return None
    return np.flatnonzero(w)


def without_weightless(frame: Frame, y: Any, weight: Any) -> tuple[Frame, Any, Any, NDArray[np.intp] | None]:
    """Rows, labels and weights without the rows that weigh nothing, and where the others stood; None if all weigh."""
    heavy = heavy_rows(weight, frame.rows)
    if heavy is None or len(y) != frame.rows:
        return frame, y, weight, None
    mask = np.zeros(frame.rows, bool)
    mask[heavy] = True
    return frame.take(mask), code(y).take(mask), float_per_row(weight).ravel()[heavy], heavy


def by_class(prior: Any, classes: tuple[Level, ...]) -> dict[Level, float] | None:
    """Class probabilities that were given, by class and checked."""
    if prior is None:
        return None
    prior = by_label(prior, classes)
    if isinstance(prior, Mapping):
        lacking = [c for c in classes if c not in prior]
        if lacking:
            raise ValueError(f"the priors lack {listed(lacking)}: every class needs a probability")
        values = [float(prior[c]) for c in classes]
    elif isinstance(prior, str):
        raise ValueError(f"priors={prior!r} is text; give a probability by class: {{{classes[0]!r}: 0.2, ...}}")
    else:
        values = [float(p) for p in prior]
        if len(values) != len(classes):
            raise ValueError(f"priors has {len(values)} entries for {len(classes)} classes: {listed(classes)}")
    if not (min(values) >= 0 and abs(sum(values) - 1) <= 1e-6):
        strangers = [c for c in prior if c not in classes] if isinstance(prior, Mapping) else []
        hint = f" without {listed(strangers)}; the classes are {listed(classes)}" if strangers else ""
        raise ValueError(f"priors must be at least 0 and sum to 1; they sum to {sum(values):g}{hint}")
    return dict(zip(classes, values, strict=True))


def check_weights(class_weight: Any, classes: tuple[Level, ...]) -> Any:
    """Class weights: a dict by class, "balanced", or none; a class that is not among `classes` (if any) is refused."""
    class_weight = by_label(class_weight, None)
    if isinstance(class_weight, Mapping):
        strangers = [c for c in class_weight if classes and c not in classes]
        if strangers:
            raise ValueError(f"class_weight names {listed(strangers)}; the classes are {listed(classes)}")
        odd = [c for c, w in class_weight.items() if not 0 <= w < np.inf]
        if odd:
            raise ValueError(
                f"class_weight is {class_weight[odd[0]]!r} for {odd[0]!r}; weights are at least 0 and finite"
            )
    elif class_weight is not None and class_weight != "balanced":
        raise ValueError(f"class_weight={class_weight!r} is not None, 'balanced' or a dict of a weight by class")
    return class_weight
