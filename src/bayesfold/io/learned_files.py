"""Files whose rows a model has learned, by digests of their bytes: a file that is learned twice counts twice.

A history keeps the digests of files that were learned, not of those that were forgotten since: these leave no trace.

>>> march = {"march.csv": "5f0c"}
>>> history = (Step("learned", 200, "march.csv", "2026-03-31T09:00:00+00:00", ("5f0c",)),)
>>> describe_learned_again(history, march)
['march.csv was learned already, on 2026-03-31; its rows now count once more']
>>> describe_learned_again(forget_digests(history, march), march)
[]
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from hashlib import file_digest
from pathlib import Path

from bayesfold.learning.trained import Step


def digest_files(paths: Iterable[Path]) -> dict[str, str]:
    """The digest of each file by its path; folders and what is no file have none."""
    digests = {}
    for path in paths:
        if path.is_file():
            with path.open("rb") as file:
                digests[str(path)] = file_digest(file, "sha256").hexdigest()
    return digests


def describe_learned_again(history: Sequence[Step], digests: Mapping[str, str]) -> list[str]:
    """What to say of files whose rows a model of this history has learned already, one sentence each."""
    before = {digest: step for step in history for digest in step.digests}
    said = []
    for name, digest in digests.items():
        if digest in before:
            when = f", on {before[digest].date[:10]}" if before[digest].date else ""
            said.append(f"{name} was learned already{when}; its rows now count once more")
    return said


def describe_copies(digests: Mapping[str, str]) -> list[str]:
    """What to say of files that are copies of each other, one sentence for each content.

    >>> describe_copies({"a.csv": "5f0c", "b.csv": "5f0c", "c.csv": "77e1"})
    ['a.csv and b.csv are copies of one file, and its rows count 2 times']
    """
    names: dict[str, list[str]] = {}
    for name, digest in digests.items():
        names.setdefault(digest, []).append(name)
    return [
        f"{' and '.join(files)} are copies of one file, and its rows count {len(files)} times"
        for files in names.values()
        if len(files) > 1
    ]


def describe_shared(histories: Mapping[str, Sequence[Step]]) -> list[str]:
    """What to say of files that several models have learned, by the names of the models.

    >>> north, south = (Step("learned", 9, f"{name}.csv", digests=("5f0c",)) for name in ("all", "copy"))
    >>> describe_shared({"north.bayes": (north,), "south.bayes": (south,)})
    ['north.bayes and south.bayes have both learned all.csv, and its rows count twice']
    """
    first: dict[str, tuple[str, str]] = {}
    said = []
    for model, history in histories.items():
        for step in history:
            for digest in step.digests:
                other, source = first.setdefault(digest, (model, step.source))
                if other != model:
                    said.append(f"{other} and {model} have both learned {source}, and its rows count twice")
    return list(dict.fromkeys(said))


def forget_digests(history: Sequence[Step], digests: Mapping[str, str]) -> tuple[Step, ...]:
    """A history in which these files were learned once less, the last time first."""
    gone = list(digests.values())
    steps = []
    for step in reversed(history):
        kept = []
        for digest in step.digests:
            if digest in gone:
                gone.remove(digest)
            else:
                kept.append(digest)
        steps.append(replace(step, digests=tuple(kept)) if len(kept) < len(step.digests) else step)
    return tuple(reversed(steps))
