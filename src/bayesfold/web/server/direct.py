"""Questions in JSON, answered without the framework in between: its part would take as long as the answer.

FastAPI describes these addresses and answers them too, by the same `DirectQuestion`; here the way to it is one look-up.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from bayesfold.web.server.answered import Answered, answer_error, describe_mistake
from bayesfold.web.server.endpoint import BASE, JSON, Ask, Endpoint, Reply
from bayesfold.web.server.gate import Gate
from bayesfold.web.server.problems import Problem
from bayesfold.web.server.room import Room
from bayesfold.web.server.safety import App, Message, Receive, Send
from bayesfold.web.server.strict_json import read_json, write_json

PREFIX = f"{BASE}/"


@dataclass(frozen=True)
class DirectQuestion:
    """An endpoint whose argument `name` is a body of the type `shape`."""

    endpoint: Endpoint
    room: Room
    gate: Gate
    name: str
    shape: type[Ask]

    @property
    def path(self) -> str:
        """Its address, as metrics name it."""
        return BASE + self.endpoint.path

    async def answer(self, media: str, body: bytes, **named: Any) -> Answered:
        """The answer to a body.

        An address that takes JSON takes nothing else, since no page of another site can send JSON.
        """
        if media.partition(";")[0].strip().lower() != JSON:
            return answer_error(Problem("wrong-format", f"send the header 'Content-Type: {JSON}'"))
        try:
            read_json(body)  # pydantic takes the last of two equal keys
            named[self.name] = self.shape.model_validate_json(body)
        except Problem as problem:
            return answer_error(problem)
        except ValidationError as error:
            return answer_error(describe_mistake(error.errors(include_url=False), self.name))
        return await answer(self.endpoint, self.room, self.gate, named)


@dataclass(frozen=True)
class Direct:
    """Stands before an application and answers the questions that have one name in their address."""

    app: App
    questions: dict[tuple[str, str], tuple[DirectQuestion, str]]

    @classmethod
    def before(cls, app: App, questions: Iterable[DirectQuestion]) -> "Direct":
        """By what stands before the name, and behind it."""
        known = {}
        for question in questions:
            first, name, last = split_address(question.endpoint.path[1:])
            if name.startswith("{") and "{" not in last:
                known[first, last] = question, name[1:-1]
        return cls(app, known)

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "POST" or not scope["path"].startswith(PREFIX):
            await self.app(scope, receive, send)
            return
        first, name, last = split_address(scope["path"][len(PREFIX) :])
        question, parameter = self.questions.get((first, last), (None, ""))
        if question is None or not name:
            await self.app(scope, receive, send)
            return
        scope["route"] = question
        media = next((value.decode("latin-1") for key, value in scope["headers"] if key == b"content-type"), "")
        try:
            answered = await question.answer(media, await read_body(receive), **{parameter: name})
        except Problem as problem:
            answered = answer_error(problem)
        await send({"type": "http.response.start", "status": answered.status, "headers": answered.raw_headers()})
        await send({"type": "http.response.body", "body": answered.body})


def split_address(path: str) -> tuple[str, str, str]:
    """What stands before a name, the name, and what stands behind it.

    >>> split_address("models/patients/predict/batch"), split_address("health")
    (('models', 'patients', 'predict/batch'), ('health', '', ''))
    """
    first, _, rest = path.partition("/")
    name, _, last = rest.partition("/")
    return first, name, last


async def answer(endpoint: Endpoint, room: Room, gate: Gate, named: dict[str, Any]) -> Answered:
    """What an endpoint answers, whatever happens."""
    if endpoint.needs_room:
        named["room"] = room
    try:
        reply = await run_endpoint(endpoint, room, gate, named)
    except Exception as error:  # noqa: BLE001  (whatever it is, it is answered)
        return answer_error(error)
    if isinstance(reply, Reply):
        return Answered(endpoint.status, reply.body, reply.media, reply.name)
    return Answered(endpoint.status, write_json(reply), JSON)


async def run_endpoint(endpoint: Endpoint, room: Room, gate: Gate, named: dict[str, Any]) -> Any:
    """The answer: a quick one at once, unless another thread is asking that model something that takes longer."""
    entry = room.shelf.entries.get(named.get("model", ""))
    if endpoint.quick and (entry is None or entry.lock.acquire(blocking=False)):
        try:
            return endpoint.work(**named)
        finally:
            if entry is not None:
                entry.lock.release()
    return await gate.run(endpoint.work, **named)


async def read_body(receive: Receive) -> bytes:
    """A request's body; most come in one piece."""
    message = await receive()
    body = bytes(message.get("body", b""))
    while message.get("more_body", False):
        message = await receive()
        body += message.get("body", b"")
    return body
