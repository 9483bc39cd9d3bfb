"""Files whose rows a model has learned, by digests of what they say: a file that is learned twice counts twice.

A file says the same packed or not, with lines that end in any way, and in any encoding that a mark at its beginning
tells. What came through a pipe is known by what it said, too.

A history keeps the digests of files that were learned, not of those that were forgotten since: these leave no trace.

>>> march = [("march.csv", "5f0c")]
>>> history = (Step("learned", 200, "march.csv", "2026-03-31T09:00:00+00:00", ("5f0c",)),)
>>> describe_learned_again(history, march)
['march.csv was learned already, on 2026-03-31; its rows now count once more']
>>> describe_learned_again(forget_digests(history, march), march)
[]
"""

import codecs
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any, Protocol, TypeAlias

from bayesfold.learning.trained import Step

Digests: TypeAlias = Sequence[tuple[str, str]]
"""(name, digest) of each file, as often as it is read."""


class Named(Protocol):
    """What rows are read from: files that people named, and what is kept of a stream."""

    name: str
    spool: Path | None

    @property
    def files(self) -> list[Path]:
        """The files."""
        ...


def digest_files(paths: Iterable[Path]) -> Digests:
    """The digest of each file behind its path, as often as it is named; folders and what is no file have none."""
    digests, named = {}, list(paths)
    for path in dict.fromkeys(named):
        if path.is_file():
            digests[path] = digest_content(path)
    return [(str(path), digests[path]) for path in named if path in digests]


def digest_source(source: Named) -> Digests:
    """The digest of each file of a source behind its path, and of what came as a stream behind its name."""
    kept = [] if source.spool is None else [(source.name, digest) for _, digest in digest_files([source.spool])]
    return [*digest_files(source.files), *kept]


def digest_content(path: Path) -> str:
    """The digest of a file's bytes, unpacked; of text in UTF-8, with a line break at the end of each line."""
    from bayesfold.io.csv.charset import MARKS, UTF8, as_utf8, read_fully  # histories are compared without files
    from bayesfold.io.csv.row_index import PIECE
    from bayesfold.io.engines.csv import stream_of

    found = sha256()
    with stream_of(path) as stream:
        head = read_fully(stream, PIECE)
    encoding = next((name for mark, name in MARKS if head.startswith(mark)), UTF8)
    with stream_of(path) as stream:
        if encoding == UTF8 and b"\0" in head:  # no text
            while piece := stream.read(PIECE):
                found.update(piece)
            return found.hexdigest()
        stream.read(len(codecs.BOM_UTF8) if head.startswith(codecs.BOM_UTF8) else 0)
        for line_ends in unify_line_ends(as_utf8(stream, encoding, old_lines=False), PIECE):
            found.update(line_ends)
    return found.hexdigest()


def unify_line_ends(stream: Any, step: int) -> Iterator[bytes]:
    """The pieces, of so many bytes at most, of a text whose lines end in a line break each, the last one too, and
    blank ones at its end are gone.

    >>> import io
    >>> b"".join(unify_line_ends(io.BytesIO(b"a\\r\\nb\\rc"), 4))
    b'a\\nb\\nc\\n'
    """
    waiting, first = b"", True
    while piece := stream.read(step):
        text = waiting + piece
        waiting = text[len(text.rstrip(b"\r\n")) :]  # the rest of a line end may be in the next piece
        text = text[: len(text) - len(waiting)]
        yield (text.removeprefix("\ufeff".encode()) if first else text).replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        first = False
    yield b"\n"


def refuse_learned_twice(history: Sequence[Step], digests: Digests) -> None:
    """Refuse a file whose rows a model of this history has learned already, or that is there twice.

    >>> refuse_learned_twice((), [("a.csv", "5f0c"), ("b.csv", "5f0c")])
    Traceback (most recent call last):
    ValueError: b.csv is a copy of a.csv; without --once its rows count as often
    """
    for said in describe_learned_again(history, digests):
        raise ValueError(f"{said.partition(';')[0]}; without --once it is learned again")
    names: dict[str, str] = {}
    for name, digest in digests:
        if digest in names:
            same = "is named twice" if names[digest] == name else f"is a copy of {names[digest]}"
            raise ValueError(f"{name} {same}; without --once its rows count as often")
        names[digest] = name


def describe_learned_again(history: Sequence[Step], digests: Digests) -> list[str]:
    """What to say of files whose rows a model of this history has learned already, one sentence each."""
    before = {digest: step for step in history for digest in step.digests}
    said = []
    for name, digest in dict.fromkeys(digests):
        if digest in before:
            when = f", on {before[digest].date[:10]}" if before[digest].date else ""
            said.append(f"{name} was learned already{when}; its rows now count once more")
    return said


def describe_copies(digests: Digests) -> list[str]:
    """What to say of files that are copies of each other, one sentence for each content.

    >>> describe_copies([("a.csv", "5f0c"), ("b.csv", "5f0c"), ("c.csv", "77e1")])
    ['a.csv and b.csv are copies of one file, and its rows count 2 times']
    """
    names: dict[str, list[str]] = {}
    for name, digest in dict.fromkeys(digests):
        names.setdefault(digest, []).append(name)
    times = Counter(digest for _, digest in digests)
    return [
        f"{' and '.join(files)} are copies of one file, and its rows count {times[digest]} times"
        for digest, files in names.items()
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


def forget_digests(history: Sequence[Step], digests: Digests) -> tuple[Step, ...]:
    """A history in which these files were learned less often by as many readings, the last first."""
    gone = [digest for _, digest in digests]
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
