"""Posteriors of rows that the model has not seen: folds are taken out by subtraction, or the rest is fitted anew."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.by_label import by_label
from bayesfold.data.frame import Floats, Level, code
from bayesfold.data.labels import one_per_row
from bayesfold.decisions.groups import deal_groups
from bayesfold.decisions.loss import loss_matrix
from bayesfold.runtime.messages import listed, ordered
from bayesfold.runtime.unique import distinct

Codes = NDArray[np.intp]
LEAVE_ONE_OUT = "leave-one-out"


def truths(y: Any) -> tuple[tuple[Level, ...], Codes]:
    """The classes, sorted, and the place of each row's class among them.

    >>> truths(["b", "a", "b"])
    (('a', 'b'), array([1, 0, 1]))
    """
    coded = code(one_per_row(y))
    missing = coded.first_missing()
    if missing is not None:
        raise ValueError(f"row {missing} has no label; leave out rows whose class is unknown")
    classes = ordered(coded.levels)
    place = {c: k for k, c in enumerate(classes)}
    return classes, np.asarray(coded.places([place[c] for c in coded.levels], -1), np.intp)


def deal(truth: Codes, folds: Any, repeats: int, seed: int, groups: Codes | None = None) -> Codes:
    """A fold for each row, [repeat, row]: dealt at random within each class, or as given; rows of a group together.

    >>> deal(np.array([0, 0, 0, 1, 1, 1]), 3, 1, 0)
    array([[1, 2, 0, 0, 2, 1]])
    """
    rows = len(truth)
    if groups is not None and len(groups) != rows:
        raise ValueError(f"groups= has {len(groups)} values for {rows} rows")
    if isinstance(folds, str):
        if folds != LEAVE_ONE_OUT:
            raise ValueError(f"folds={folds!r} must be a number of folds, {LEAVE_ONE_OUT!r} or a fold a row")
        return (np.arange(rows) if groups is None else np.unique(groups, return_inverse=True)[1])[None]
    if np.ndim(folds):
        given = np.unique(np.asarray(folds), return_inverse=True)[1]
        if given.shape != (rows,) or repeats != 1:
            raise ValueError(f"a fold for each of {rows} rows is dealt once; got {given.shape} and repeats={repeats}")
        if groups is not None and len(np.unique(np.stack([groups, given]), axis=1).T) > len(distinct(groups)):
            raise ValueError("folds= puts rows of one group into several folds; give folds as a number, or no groups=")
        if len(distinct(given)) == 1:
            raise ValueError("folds= puts all rows into one fold, so nothing would be left to learn from")
        return np.asarray(given[None], np.intp)
    if not 2 <= folds <= rows or folds != int(folds):
        raise ValueError(f"folds={folds!r} must be a whole number from 2 to the number of rows, {rows}")
    if repeats < 1 or repeats != int(repeats):
        raise ValueError(f"repeats={repeats!r} must be a whole number of at least 1")
    if groups is not None:
        return deal_groups(groups, truth, int(folds), repeats, seed)
    draw = np.random.default_rng(seed)
    dealt = np.empty((repeats, rows), np.intp)
    for fold in dealt:
        order = draw.permutation(rows)
        order = order[np.argsort(truth[order], kind="stable")]  # class after class, each in random order
        fold[order] = draw.permutation(int(folds))[np.arange(rows) % int(folds)]
    return dealt


def keep_copies_together(dealt: Codes, models: Iterable[Any], X: Any, y: Any) -> Codes:
    """The folds with every copy of a row in the fold of the first one; what a copy is our models know.

    Few contents that chance has dealt into one fold are dealt out in turn, so that there is something to learn from.
    """
    ours = next((model for model in models if hasattr(model, "number_copies")), None)
    if ours is None:
        return dealt
    copy = ours.number_copies(X, y)
    _, first, content = np.unique(copy, return_index=True, return_inverse=True)
    if len(first) == 1:
        raise ValueError(
            "all rows are equal, and copies of a row share a fold, so nothing would be left to learn from; "
            f"folds of {LEAVE_ONE_OUT!r} hold them out one by one"
        )
    joined = dealt[:, first]
    for fold in joined:
        if len(distinct(fold)) == 1:
            fold[:] = np.arange(len(fold)) % 2
    return np.asarray(joined[:, content])


def takes_folds_out(model: Any) -> bool:
    """Whether a model can take rows out of what it has learned, and knows whether it chose anything on them."""
    return hasattr(model, "leave_folds_out") and hasattr(model, "chooses")


def posteriors(
    model: Any, X: Any, y: Any, dealt: Codes, classes: Sequence[Level], weight: Any, subtract: bool
) -> Floats:
    """P(class | row), [repeat, row, class], each row by the model without the row's fold; `model` is not changed."""
    out = np.zeros((*dealt.shape, len(classes)))
    weighed = {} if weight is None else {"sample_weight": weight}
    if subtract:
        whole = deepcopy(model).fit(X, y, **weighed)
        alone = len(distinct(dealt[0])) == dealt.shape[1]
        for repeat, fold in zip(out, dealt, strict=True):
            log_p = whole.leave_one_out(X, y, **weighed) if alone else whole.leave_folds_out(X, y, fold, **weighed)
            repeat[:] = np.exp(log_p)
    else:
        for repeat, fold in zip(out, dealt, strict=True):
            for rows, p in refits(model, X, y, fold, classes, weight):
                repeat[rows] = p
    return np.asarray(out / out.sum(axis=2, keepdims=True))


def refits(
    model: Any, X: Any, y: Any, fold: Codes, classes: Sequence[Level], weight: Any
) -> Iterator[tuple[Codes, Floats]]:
    """For each fold its rows, and their probabilities under a copy of the model that is fitted on the others."""
    labels = y if hasattr(y, "iloc") or isinstance(y, np.ndarray) else np.asarray(y)
    _, truth = truths(y)
    for f in distinct(fold):
        rest, rows = np.flatnonzero(fold != f), np.flatnonzero(fold == f)
        weighed = {} if weight is None else {"sample_weight": np.asarray(weight)[rest]}
        fresh = told_of_classes(deepcopy(model), classes, distinct(truth[rest]))
        fitted = fresh.fit(taken(X, rest), taken(labels, rest), **weighed)
        if not hasattr(fitted, "predict_proba"):
            raise TypeError(f"{type(model).__name__} gives no probabilities (predict_proba), so it cannot be judged")
        p = np.zeros((len(rows), len(classes)))
        known = {c: k for k, c in enumerate(classes)}
        strangers = [c for c in fitted.classes_.tolist() if c not in known]
        if strangers:
            raise ValueError(f"the fitted model knows the classes {listed(strangers)}, which y does not show")
        p[:, [known[c] for c in fitted.classes_.tolist()]] = fitted.predict_proba(taken(X, rows))
        yield rows, p


def told_of_classes(model: Any, classes: Sequence[Level], shown: Codes) -> Any:
    """The model, told of the classes that are shown alone what it was told of all: costs by place, and class
    probabilities and weights.

    >>> from bayesfold import NaiveBayes
    >>> model = NaiveBayes(loss=[[0, 5, 9], [1, 0, 9], [2, 2, 0]], priors=[0.4, 0.4, 0.2])
    >>> model = told_of_classes(model, "abc", np.array([0, 1]))
    >>> model.loss.tolist(), model.priors.tolist()
    ([[0.0, 5.0], [1.0, 0.0]], [0.5, 0.5])
    """
    if not hasattr(model, "reject_cost") or len(shown) == len(classes):
        return model
    if hasattr(model, "estimator"):
        told_of_classes(model.estimator, classes, shown)
    if model.loss is not None and not isinstance(model.loss, Mapping):
        model.set_params(loss=loss_matrix(model.loss, classes)[np.ix_(shown, shown)])
    for name in ("priors", "class_prior"):
        given = getattr(model, name, None)
        if given is not None and len(given) == len(classes):
            given = by_label(given, classes)
            every = [given[c] for c in classes] if isinstance(given, Mapping) else given
            share = np.asarray(every, np.float64)[shown]
            share = share / share.sum() if share.sum() > 0 else share
            by_class = {classes[k]: float(p) for k, p in zip(shown, share, strict=True)}
            model.set_params(**{name: by_class if isinstance(given, Mapping) else share})
    weights = by_label(getattr(model, "class_weight", None), None)
    if isinstance(weights, Mapping):
        gone = {c for k, c in enumerate(classes) if k not in shown}
        model.set_params(class_weight={c: w for c, w in weights.items() if c not in gone})
    return model


def taken(table: Any, rows: Codes) -> Any:
    """Some rows of a table of any library."""
    if hasattr(table, "iloc"):
        return table.iloc[rows]
    if hasattr(table, "take") and hasattr(table, "column_names"):  # an Arrow table
        return table.take(rows)
    if isinstance(table, dict):
        return {name: np.asarray(values)[rows] for name, values in table.items()}
    return [table[i] for i in rows] if isinstance(table, list | tuple) else table[rows]
