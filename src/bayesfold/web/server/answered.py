"""An answer over HTTP, before any framework: a status, a body, what it is; and errors as such answers."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from bayesfold.web.server.problems import MEDIA, Problem, problem_of
from bayesfold.web.server.strict_json import write_json

LOG = logging.getLogger("bayesfold.serve")
NO_CHARACTER = str.maketrans("", "", '"\\\r\n')


@dataclass(frozen=True)
class Answered:
    """`name`: a browser saves it as a file of that name."""

    status: int
    body: bytes
    media: str
    name: str = ""
    more: Mapping[str, str] = field(default_factory=dict)

    @property
    def headers(self) -> dict[str, str]:
        """Headers besides type and length.

        >>> Answered(200, b"", "text/csv", 'a "é".csv').headers["content-disposition"]
        'attachment; filename="a ?.csv"; filename*=UTF-8\\'\\'a%20%22%C3%A9%22.csv'
        """
        if not self.name:
            return dict(self.more)
        plain = self.name.translate(NO_CHARACTER).encode("ascii", "replace").decode()
        both = f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(self.name, safe='')}"
        return {**self.more, "content-disposition": both}

    def raw_headers(self) -> list[tuple[bytes, bytes]]:
        """All headers as ASGI sends them."""
        own = [(b"content-type", self.media.encode()), (b"content-length", b"%d" % len(self.body))]
        return own + [(name.lower().encode(), value.encode("latin-1")) for name, value in self.headers.items()]


def answer_error(error: Exception) -> Answered:
    """An error as an answer; those that are ours to mend go to the log."""
    problem = problem_of(error)
    if problem.kind == "mistake":
        LOG.error("a mistake", exc_info=error)
    return Answered(problem.status, write_json(problem.body()), MEDIA, more=problem.headers)


def describe_mistake(errors: Sequence[Any], *where: str) -> Problem:
    """What is wrong with a request, told by its first mistake."""
    first, *others = errors
    parts = [*where, *map(str, first["loc"])]
    several = others and others[0]["loc"][:-1] == first["loc"][:-1]
    if several and others[0]["input"] == first["input"]:  # it is none of several kinds, each with its own complaint
        mistake = f"{str(first['input'])[:60]!r} has no place here; missing is null"
        return Problem("not-understood", f"{'.'.join(parts[:-1])[:300]}: {mistake}")
    return Problem("not-understood", f"{'.'.join(parts)[:300]}: {first['msg']}")
