"""The application: every question of `api/` at its address, behind the safety, and the page; this knows FastAPI."""

import inspect
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from time import perf_counter
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.openapi.utils import get_openapi
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException

from bayesfold import __version__
from bayesfold.web.server import static
from bayesfold.web.server.answered import Answered, answer_error, describe_mistake
from bayesfold.web.server.api import ENDPOINTS
from bayesfold.web.server.direct import Direct, DirectQuestion, answer
from bayesfold.web.server.endpoint import BASE, Answer, Ask, Endpoint, Upload
from bayesfold.web.server.gate import Gate
from bayesfold.web.server.problems import MEDIA, TYPES, Problem
from bayesfold.web.server.reload import watch
from bayesfold.web.server.room import Room
from bayesfold.web.server.safety import App, Message, Receive, Safety, Send
from bayesfold.web.server.settings import Settings

METHODS = ("GET", "HEAD", "POST", "DELETE", "OPTIONS", "PUT", "PATCH")


class ProblemBody(Answer):
    """A reason for which there is no answer (RFC 9457)."""

    type: str
    title: str
    status: int
    detail: str


class JsonRoute(APIRoute):
    """A route that leaves a JSON body to its question, where it has one."""

    def get_route_handler(self) -> Callable[[Request], Any]:
        """The handler."""
        question = getattr(self.endpoint, "question", None)
        if question is None:
            return super().get_route_handler()

        async def ask(request: Request) -> Response:
            body = await request.body()
            return response(await question.answer(request.headers.get("content-type", ""), body, **request.path_params))

        return ask


def application(settings: Settings) -> App:
    """The server as uvicorn wants it."""
    room = Room.of(settings)
    app = fast_api(room)
    questions = (getattr(route.endpoint, "question", None) for route in app.routes if isinstance(route, APIRoute))
    return Safety(Measured(Direct.before(app, filter(None, questions)), room), settings)


def fast_api(room: Room) -> FastAPI:
    """FastAPI with every address."""
    gate = Gate(room.settings.limits)

    @asynccontextmanager
    async def life(_: FastAPI) -> AsyncIterator[None]:
        import asyncio

        looking = asyncio.create_task(watch(room.shelf, room.metrics, room.settings.seconds_between_looks))
        yield
        looking.cancel()
        gate.close()
        room.close()

    app = FastAPI(
        title="bayesfold",
        version=__version__,
        description="Bayesian classifiers and networks: ask, explain, decide.",
        lifespan=life,
        docs_url=None,
        redoc_url=None,
        openapi_url=f"{BASE}/openapi.json",
        redirect_slashes=False,
    )
    app.router.route_class = JsonRoute
    for endpoint in ENDPOINTS:
        add(app, endpoint, room, gate)
    add_page(app)
    app.add_exception_handler(RequestValidationError, not_understood)
    app.add_exception_handler(HTTPException, as_problem)
    app.add_exception_handler(Problem, as_problem)
    app.add_exception_handler(Exception, as_problem)
    app.openapi = lambda: described(app)  # type: ignore[method-assign]
    return app


def add(app: FastAPI, endpoint: Endpoint, room: Room, gate: Gate) -> None:
    """An address whose arguments are those of its function, the room aside."""
    signature = inspect.signature(endpoint.work)
    named = [p for p in signature.parameters.values() if p.name != "room"]
    upload = next((p.name for p in named if p.annotation is Upload), "")
    shown = [p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in named if p.name != upload]
    bodies = [(p.name, p.annotation) for p in named if isinstance(p.annotation, type) and issubclass(p.annotation, Ask)]

    async def handler(**given: Any) -> Response:
        request = given.pop("request", None)
        if upload:
            given[upload] = await received(request)
        return response(await answer(endpoint, room, gate, given))

    if bodies:
        handler.question = DirectQuestion(endpoint, room, gate, *bodies[0])  # type: ignore[attr-defined]
    if upload:
        shown.append(inspect.Parameter("request", inspect.Parameter.KEYWORD_ONLY, annotation=Request))
    handler.__signature__ = inspect.Signature(shown, return_annotation=Response)  # type: ignore[attr-defined]
    handler.__name__ = endpoint.work.__name__
    handler.__doc__ = endpoint.work.__doc__
    binary = {"type": "string", "format": "binary"}
    content = {media: {"schema": binary} for media in endpoint.takes}
    extra = {"requestBody": {"required": True, "content": content}} if content else None
    gives: dict[str, Any] = {media: {"schema": {"type": "string"}} for media in endpoint.gives}
    problems: dict[int | str, dict[str, Any]] = {
        status: {"model": ProblemBody, "description": title} for status, title in TYPES.values()
    }
    app.add_api_route(
        BASE + endpoint.path,
        handler,
        methods=[endpoint.method],
        response_model=endpoint.answer,
        response_class=Response,
        status_code=endpoint.status,
        responses=problems | ({endpoint.status: {"content": gives}} if gives else {}),
        openapi_extra=extra,
        tags=[endpoint.work.__module__.rpartition(".")[2]],
    )


async def received(request: Request) -> Upload:
    """A body that is a file."""
    return Upload(
        await request.body(), media_of(request), request.headers.get("accept", ""), request.query_params.get("name", "")
    )


def media_of(request: Request) -> str:
    """What a body says it is."""
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


def add_page(app: FastAPI) -> None:
    """The page's files; the browser asks each time whether they have changed."""

    async def page(request: Request) -> Response:
        name = request.url.path[1:]
        file = static.read_plotly() if name == static.PLOTLY else static.page_files().get(name)
        if file is None:
            raise Problem("not-found", f"there is nothing at {request.url.path[:200]!r}")
        headers = {"etag": file.mark, "cache-control": "no-cache"}
        if request.headers.get("if-none-match") == file.mark:
            return Response(status_code=304, headers=headers)
        return Response(file.body, headers=headers, media_type=file.media)

    app.add_api_route("/{path:path}", page, methods=["GET"], include_in_schema=False)


async def not_understood(_: Request, error: Exception) -> Response:
    """A query that does not have the shape that the interface says."""
    assert isinstance(error, RequestValidationError)
    return answered_with(describe_mistake(list(error.errors())))


async def as_problem(_: Request, error: Exception) -> Response:
    """Any other error."""
    return answered_with(error)


def answered_with(error: Exception) -> Response:
    """An error as a response."""
    if isinstance(error, HTTPException):
        kinds = {status: kind for kind, (status, _) in reversed(TYPES.items())}
        error = Problem(kinds.get(error.status_code, "not-understood"), str(error.detail), **(error.headers or {}))
    return response(answer_error(error))


def response(answered: Answered) -> Response:
    """An answer as the framework wants it."""
    return Response(answered.body, answered.status, headers=answered.headers, media_type=answered.media)


def described(app: FastAPI) -> dict[str, Any]:
    """The interface in OpenAPI: what is not understood is answered with 400, never with FastAPI's 422."""
    if app.openapi_schema is None:
        schema = get_openapi(title=app.title, version=app.version, description=app.description, routes=app.routes)
        for operations in schema["paths"].values():
            for operation in operations.values():
                operation["responses"].pop("422", None)
                for status, response in operation["responses"].items():
                    if int(status) >= 400:
                        response["content"] = {MEDIA: {"schema": {"$ref": "#/components/schemas/ProblemBody"}}}
        for name in ("HTTPValidationError", "ValidationError"):
            schema["components"]["schemas"].pop(name, None)
        app.openapi_schema = schema
    return app.openapi_schema


class Measured:
    """Counts and times what the application answers."""

    def __init__(self, app: App, room: Room) -> None:
        self.app, self.metrics = app, room.metrics

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        begin, status = perf_counter(), 500

        async def watched(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        self.metrics.running += 1
        try:
            await self.app(scope, receive, watched)
        finally:
            self.metrics.running -= 1
            route = getattr(scope.get("route"), "path", "none")
            method = scope["method"] if scope["method"] in METHODS else "other"
            self.metrics.seen(route, method, status, perf_counter() - begin)
