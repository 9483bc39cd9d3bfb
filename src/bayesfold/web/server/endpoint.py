"""A question that can be asked over HTTP: a plain function with its address, its answer's type and its cost.

The function's first argument is the `Room`; the others are parts of the path, of the query, or the body.
"""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

BASE = "/api/v1"
CSV, ARROW, JSON = "text/csv", "application/vnd.apache.arrow.stream", "application/json"
PARQUET, BYTES = "application/vnd.apache.parquet", "application/octet-stream"

Name = Annotated[str, Field(min_length=1, max_length=200, description="the name of a model, as /models lists them")]
Whole = Annotated[int, Field(ge=-(2**63), lt=2**63)]
Real = Annotated[float, Field(allow_inf_nan=False)]
Cell = Annotated[str, Field(max_length=1_000_000)] | bool | Whole | Real | None
"""A value of a row; null is missing."""
State = Annotated[str, Field(max_length=1_000)] | bool | Whole | Real
Row = Annotated[dict[str, Cell], Field(max_length=10_000, description="the row: a value for each known column")]
Word = Annotated[str, Field(max_length=1_000)]


class Ask(BaseModel):
    """A body: a name that it does not have is refused, because it would be a misspelt one."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)


class Answer(BaseModel):
    """An answer's shape, for the description of the interface."""

    model_config = ConfigDict(extra="forbid")


class Removed(Answer):
    """What was removed."""

    removed: str


@dataclass(frozen=True)
class Upload:
    """A body that is a file: its bytes, what it says it is, and the formats that the asker accepts."""

    body: bytes
    media: str
    accept: str
    name: str = ""


@dataclass(frozen=True)
class Reply:
    """An answer that is no JSON; with a `name` it is a file to be saved."""

    body: bytes
    media: str
    name: str = ""


@dataclass(frozen=True)
class Endpoint:
    """`quick`: worth no other thread. `takes` and `gives` are formats besides JSON, of uploads and replies."""

    method: str
    path: str
    work: Callable[..., Any]
    answer: type[Answer] | None
    quick: bool = False
    takes: tuple[str, ...] = ()
    gives: tuple[str, ...] = ()
    status: int = 200

    @cached_property
    def needs_room(self) -> bool:
        """Whether the function looks at what the server has."""
        return "room" in inspect.signature(self.work).parameters


def get(path: str, work: Callable[..., Any], answer: type[Answer] | None, **more: Any) -> Endpoint:
    """A question without a body."""
    return Endpoint("GET", path, work, answer, **more)


def post(path: str, work: Callable[..., Any], answer: type[Answer] | None, **more: Any) -> Endpoint:
    """A question with a body."""
    return Endpoint("POST", path, work, answer, **more)


def delete(path: str, work: Callable[..., Any], answer: type[Answer] | None, **more: Any) -> Endpoint:
    """A wish that something be gone."""
    return Endpoint("DELETE", path, work, answer, **more)
