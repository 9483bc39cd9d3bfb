"""Models that learn or forget rows: what would change is told first, and the file is written when that is wanted."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field

from bayesfold.io.learned_files import Digests, describe_learned_again, digest_files, forget_digests
from bayesfold.learning.trained import Step, Trained
from bayesfold.models.posterior import log_posterior
from bayesfold.runtime.atomic_file import write
from bayesfold.runtime.file_lock import Locked, locked
from bayesfold.store.file import from_bytes, to_bytes
from bayesfold.web.server.api.tables import Id
from bayesfold.web.server.endpoint import Answer, Ask, Name, post
from bayesfold.web.server.labelled import Labelled, read_labelled
from bayesfold.web.server.problems import Problem
from bayesfold.web.server.room import Room
from bayesfold.web.server.shelf import Entry, signature
from bayesfold.web.server.tables import Kept


class RowsRequest(Ask):
    """Rows to learn or to forget; `version` is the model's, so that nothing is saved that was not looked at."""

    table: Id
    action: Literal["learn", "forget"]
    save: Annotated[bool, Field(description="false: only tell what would change")] = False
    version: int | None = None


class ClassChange(Answer):
    """Rows of a class and its probability, before and after."""

    label: Any
    before: int
    after: int
    prior_before: float
    prior_after: float


class Changes(Answer):
    """What changes: rows of each class, and how many rows of the table are decided otherwise than before."""

    rows: int
    unlabelled: int
    classes: list[ClassChange]
    otherwise: int
    moved: float
    warnings: list[str]
    saved: bool
    version: int


def rows(room: Room, model: Name, ask: RowsRequest) -> dict[str, Any]:
    """Learn or forget the rows of a table, or tell what that would change."""
    if ask.save and not room.settings.writable:
        raise Problem("forbidden", "this server changes no model; start it with --writable")
    kept = room.tables.find(ask.table)
    with room.shelf.changing(model) as entry:
        if ask.save and ask.version not in (None, entry.version):
            raise Problem("not-now", f"{model} has changed since you looked at what would change; look again")
        before = entry.classifier()
        labelled_rows = read_labelled(before, kept)
        after = change_model(before, labelled_rows, ask.action, kept)
        difference = compare_models(before, after, labelled_rows)
        again = describe_learned_again(before.history, digest_of(kept)) if ask.action == "learn" else []
        if ask.save:
            entry = room.shelf.swap(saved(entry, after))
    return difference | {"warnings": again, "saved": ask.save, "version": entry.version}


def change_model(before: Trained, labelled_rows: Labelled, action: str, kept: Kept) -> Trained:
    """The model after that; the one before is as it was."""
    after = from_bytes(to_bytes(before))[0]
    work = after.learn if action == "learn" else after.forget
    work(labelled_rows.rows.frame, labelled_rows.rows.labels)
    date = datetime.now(UTC).isoformat(timespec="seconds")
    if action == "learn":
        digests = tuple(digest for _, digest in digest_of(kept))
        step = Step("learned", labelled_rows.rows.frame.rows, kept.name, date, digests)
        return replace(after, history=(*after.history, step))
    step = Step("forgot", labelled_rows.rows.frame.rows, "", date)
    return replace(after, history=(*forget_digests(after.history, digest_of(kept)), step))


def digest_of(kept: Kept) -> Digests:
    """The digest of a table's bytes, behind its name."""
    return [(kept.name, digest) for _, digest in digest_files([kept.path])]


def compare_models(before: Trained, after: Trained, labelled_rows: Labelled) -> dict[str, Any]:
    """Both models, class by class and on these rows."""
    counts = [dict(zip(m.model_.classes, m.model_.class_counts().tolist(), strict=True)) for m in (before, after)]
    priors = [
        dict(zip(m.model_.classes, log_posterior(m.model_.log_prior()[None], logs=False)[0].tolist(), strict=True))
        for m in (before, after)
    ]
    p, q = (m.log_proba(labelled_rows.rows.frame) for m in (before, after))
    decided = [np.asarray(m.decide(x), object) for m, x in ((before, p), (after, q))]
    shared = [(before.model_.classes.index(c), k) for k, c in enumerate(after.model_.classes) if c in counts[0]]
    moved = [np.abs(np.exp(p[:, i]) - np.exp(q[:, k])) for i, k in shared]
    return {
        "rows": labelled_rows.rows.frame.rows,
        "unlabelled": labelled_rows.rows.unlabelled,
        "classes": [
            {
                "label": c,
                "before": counts[0].get(c, 0),
                "after": counts[1].get(c, 0),
                "prior_before": priors[0].get(c, 0.0),
                "prior_after": priors[1].get(c, 0.0),
            }
            for c in dict.fromkeys([*before.model_.classes, *after.model_.classes])  # one may go, and one may come
        ],
        "otherwise": int((decided[0] != decided[1]).sum()),
        "moved": float(np.max(moved)) if moved else 0.0,
    }


def saved(entry: Entry, after: Trained) -> Entry:
    """The entry with another model, its file replaced whole if it has one and is still the one that was read."""
    if entry.path is None:
        return replace(entry, trained=after)
    try:
        with locked(entry.path, wait=False):
            if signature(entry.path) != entry.signature:
                raise Problem("not-now", f"another program has changed the file of {entry.name}; look again later")
            write(entry.path, to_bytes(after))
            return replace(entry, trained=after, signature=signature(entry.path))
    except Locked:
        raise Problem("not-now", f"another program is changing the file of {entry.name}; try again later") from None
    except FileNotFoundError:
        raise Problem("not-now", f"the file of {entry.name} is gone; put it back, or save the model first") from None


ENDPOINTS = (post("/models/{model}/rows", rows, Changes),)
