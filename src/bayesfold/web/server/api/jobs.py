"""Tables that are learned: begun, watched, cancelled."""

from typing import Annotated, Any, Literal

from pydantic import Field

from bayesfold.web.server.api.tables import Id, Reading
from bayesfold.web.server.endpoint import Answer, Word, delete, get, post
from bayesfold.web.server.room import Room
from bayesfold.web.server.tables import open_kept

Kind = Literal["bayes", "naive", "aode", "spode", "tan", "kdb", "gaussian", "text"]
JobId = Annotated[str, Field(min_length=1, max_length=64, description="the id of a job")]


class Lesson(Reading):
    """What to learn: the target, the kind of model, and what to know of columns."""

    kind: Kind = "bayes"
    missing: list[Word] = Field(default_factory=list, max_length=100)


class Job(Answer):
    """How far it is: running, done, failed or cancelled; once it is done, `model` is the name of the model."""

    id: str
    table: str
    state: Literal["running", "done", "failed", "cancelled"]
    said: str
    share: float | None
    notes: list[str]
    model: str | None
    problem: str | None
    result: dict[str, Any] | None
    seconds: float


def learn(room: Room, table: Id, ask: Lesson) -> dict[str, Any]:
    """Begin to learn a table, as `bayesfold fit` does; ask the job how far it is."""
    room.require_memory()
    kept = room.tables.find(table)
    with open_kept(kept) as source:
        source.require(ask.target, *ask.drop, *ask.families)
    return room.jobs.start(kept, list_arguments(ask)).describe()


def list_arguments(ask: Lesson) -> list[str]:
    """What the command is told; each in one piece with its option, so that no name is taken for an option.

    >>> list_arguments(Lesson(target="y", kind="naive", families={"--debug": "categorical"}))
    ['--target=y', '--model=naive', '--as=--debug=categorical']
    """
    prose = [name for name, family in ask.families.items() if family == "text"]
    kind = "text" if prose and ask.kind == "bayes" else ask.kind
    return [
        f"--target={ask.target}",
        f"--model={kind}",
        *(f"--as={name}={family}" for name, family in ask.families.items() if family != "text"),
        *(f"--text={name}" for name in prose),
        *(f"--drop={name}" for name in ask.drop),
        *(f"--missing={mark}" for mark in ask.missing),
    ]


def job(room: Room, job: JobId) -> dict[str, Any]:
    """How far a job is."""
    return room.jobs.find(job).describe()


def cancel(room: Room, job: JobId) -> dict[str, Any]:
    """Stop a job."""
    return room.jobs.cancel(job).describe()


ENDPOINTS = (
    post("/tables/{table}/fit", learn, Job, status=202),
    get("/jobs/{job}", job, Job, quick=True),
    delete("/jobs/{job}", cancel, Job),
)
