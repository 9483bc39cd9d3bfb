"""What goes wrong, as a problem object (RFC 9457): a type to test for, a title, and a sentence for a person.

>>> problem_of(ValueError("there is no column 'agee'")).body()
{'type': 'not-possible', 'title': 'The model cannot answer this', 'status': 400, 'detail': "there is no column 'agee'"}
"""

from typing import Any

TYPES: dict[str, tuple[int, str]] = {
    "not-understood": (400, "The request is not as the interface says"),
    "not-possible": (400, "The model cannot answer this"),
    "impossible-evidence": (400, "What was observed cannot happen"),
    "no-token": (401, "This server asks for a token"),
    "forbidden": (403, "This is not allowed here"),
    "not-found": (404, "There is no such thing here"),
    "wrong-method": (405, "This address does not take that method"),
    "not-acceptable": (406, "The answer has no such format"),
    "too-slow": (408, "The request did not arrive in time"),
    "not-now": (409, "That does not go together with what is here now"),
    "too-large": (413, "The request is larger than this server takes"),
    "wrong-format": (415, "The request has a format that is not read here"),
    "wrong-host": (421, "This server does not go by that name"),
    "mistake": (500, "A mistake of the server's own"),
    "busy": (503, "The server is busy"),
    "too-long": (504, "The answer takes longer than this server allows"),
}
MEDIA = "application/problem+json"


class Problem(Exception):
    """A reason for which a request has no answer."""

    def __init__(self, kind: str, detail: str, **headers: str) -> None:
        super().__init__(detail)
        self.kind, self.detail, self.headers = kind, detail, headers

    @property
    def status(self) -> int:
        """The HTTP status."""
        return TYPES[self.kind][0]

    def body(self) -> dict[str, Any]:
        """The problem object."""
        return {"type": self.kind, "title": TYPES[self.kind][1], "status": self.status, "detail": self.detail}


def problem_of(error: Exception) -> Problem:
    """The problem that an error is; what the library says to people is said, other errors are ours to mend."""
    from bayesfold.networks.factor import ImpossibleEvidence

    if isinstance(error, Problem):
        return error
    if isinstance(error, ImpossibleEvidence):
        return Problem("impossible-evidence", str(error))
    if isinstance(error, MemoryError):
        return Problem("not-possible", "there is not enough memory for this")
    if isinstance(error, RecursionError):
        return Problem("not-understood", "the request is nested too deeply")
    if isinstance(error, ValueError | TypeError | ImportError) and str(error):
        return Problem("not-possible", " ".join(str(error).split()))
    return Problem("mistake", f"{type(error).__name__}: the server's log says where")
