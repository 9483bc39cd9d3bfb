"""Classifiers to files and back; `bayesfold.store` does it, for the command too, without scikit-learn."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from importlib import import_module
from typing import cast

from bayesfold import store
from bayesfold.estimators import saved_network
from bayesfold.estimators.base import Classifier
from bayesfold.estimators.rows import remember
from bayesfold.learning.column_table import ColumnTable
from bayesfold.learning.kinds import find
from bayesfold.learning.kinds import names as kinds
from bayesfold.learning.trained import DropIn, Step, Trained
from bayesfold.runtime.overwriting import learned_files, refuse_overwriting
from bayesfold.store import Unreadable

DROP_INS = ("BernoulliNB", "CategoricalNB", "ComplementNB", "GaussianNB", "MultinomialNB")


def load(path: str | os.PathLike[str]) -> Classifier:
    """Load a classifier from a file; it can still learn, forget and merge.

    >>> from tempfile import TemporaryDirectory
    >>> from bayesfold import NaiveBayes
    >>> pets = {"coat": ["short", "long", None, "short"], "mass": [4.2, 5.1, 30.0, 22.5]}
    >>> with TemporaryDirectory() as folder:
    ...     NaiveBayes().fit(pets, ["cat", "cat", "dog", "dog"]).save(f"{folder}/pets.bayes", source="four pets")
    ...     clf = load(f"{folder}/pets.bayes")
    >>> clf.partial_fit({"coat": "curly", "mass": 4.0}, "cat").predict({"coat": "curly"}).tolist()
    ['cat']
    """
    content = store.load_any(path)
    if isinstance(content, store.NetworkContent):
        return cast(Classifier, saved_network.restore_network(content))  # it has most of the verbs, and scikit-learn's
    return restore(content)


def save(clf: Classifier, path: str | os.PathLike[str], source: str, date: str | None) -> None:
    """Write a classifier to a file, noting where its rows came from and when."""
    refuse_overwriting(path, learned_files(clf))
    store.save(with_note(clf, source, date), path)


@contextmanager
def updating(
    path: str | os.PathLike[str], *, wait: bool = True, source: str = "", date: str | None = None
) -> Iterator[Classifier]:
    """The classifier in a file, to be changed; at the end of the block it is saved there again.

    From before it is read until it is written, no other `updating` and no `bayesfold update` or `forget` touches the
    file: they wait, or with wait=False fail, so that nobody's rows are lost. After an error in the block, or where
    another program has written to the file meanwhile, it stays as it is. (`save` by itself writes, whatever is there.)

    >>> from tempfile import TemporaryDirectory
    >>> from bayesfold import NaiveBayes
    >>> with TemporaryDirectory() as folder:
    ...     NaiveBayes().fit({"coat": ["short", "long"]}, ["dog", "cat"]).save(f"{folder}/pets.bayes")
    ...     with updating(f"{folder}/pets.bayes") as clf:
    ...         _ = clf.partial_fit({"coat": "curly"}, "dog")
    ...     load(f"{folder}/pets.bayes").model_.class_counts().tolist()
    [1, 2]
    """
    with store.changing(path, wait) as file:
        clf = restore(file.trained)
        yield clf
        file.save(with_note(clf, source, date))


def with_note(clf: Classifier, source: str, date: str | None) -> Trained:
    """A classifier without scikit-learn, with a note of where its rows came from and when."""
    trained = trained_of(clf)
    when = datetime.now(UTC).isoformat(timespec="seconds") if date is None else date
    return replace(trained, history=(*trained.history, Step("save", trained.rows, source, when)))


def trained_of(clf: Classifier) -> Trained:
    """What a classifier has learned, with its current parameters, without scikit-learn."""
    known = vars(import_module("bayesfold"))["_HOME"].get(type(clf).__name__)
    if known != type(clf).__module__:
        raise TypeError(
            f"{type(clf).__name__} is a class of its own, which a file cannot name; save one of bayesfold's classifiers"
        )
    return replace(clf._trained, settings=clf._current_settings())


def restore(trained: Trained) -> Classifier:
    """The classifier of a trained model."""
    settings = trained.settings
    name = settings.estimator
    if name not in DROP_INS and name not in {find(kind).estimator for kind in kinds()}:
        raise Unreadable(f"it is a {name}, which this version of bayesfold does not have")
    parameters = settings.parameters if isinstance(settings, DropIn) else vars(settings)
    home = vars(import_module("bayesfold"))["_HOME"][name]
    try:
        clf = cast(Classifier, getattr(import_module(home), name)(**parameters))
    except TypeError as error:
        raise Unreadable(f"its settings are not those of a {name}: {error}") from None
    remember(clf, trained.names)
    if not trained.named:
        del clf.feature_names_in_
    clf._trained = trained
    if isinstance(settings, DropIn):
        clf.__dict__.update({name: settings.details[name] for name in clf._keeps if name in settings.details})
    return clf


def hold_attributes(clf: Classifier) -> None:
    """Gather what an older version pickled as one attribute for each thing into one `Trained`."""
    kept = clf.__dict__
    model = kept.pop("model_")
    clf._trained = Trained(
        clf._current_settings(),
        model,
        ColumnTable(kept.pop("columns_")),
        clf._names,
        kept.pop("_target", model.schema.target.name),
        kept.pop("_label_type"),
        kept.pop("report_", None),
        kept.pop("unlabelled_", None),
        kept.pop("reweigh_needed_", False),
        hasattr(clf, "feature_names_in_"),
        kept.pop("_history", ()),
        kept.pop("_scores", None),
    )
    for name in ("classes_", "_named"):
        kept.pop(name, None)
