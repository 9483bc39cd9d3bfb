"""Who may ask, and how much: Host, Origin, token, size and time of a body, and what a browser may do with the answers.

A page of another site that knows this server's address can make a browser send requests to it: such a request has
another Origin, or, where the site's own name was made to point here (DNS rebinding), another Host. Both are refused.
"""

import asyncio
import hmac
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass
from time import monotonic
from typing import Any
from urllib.parse import urlsplit

from bayesfold.web.server.problems import MEDIA, Problem
from bayesfold.web.server.settings import Settings
from bayesfold.web.server.strict_json import write_json

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Message, Receive, Send], Awaitable[None]]

API = "/api/"
UPLOADS = ("/api/v1/tables",)
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
)


@dataclass(frozen=True)
class Safety:
    """Stands before an application: what it refuses never gets there."""

    app: App
    settings: Settings

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
            return
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *HEADERS]
            await send(message)

        try:
            check_host(headers, self.settings)
            check_origin(headers)
            if scope["path"].startswith(API):
                check_token(headers, self.settings.token)
            limit = self.limit(scope["path"])
            check_size(headers, limit)
        except Problem as problem:
            await refuse(problem, guarded)
            return
        body = Body(receive, limit, self.settings.limits.slow)
        await self.app(scope, body.receive, guarded)

    def limit(self, path: str) -> int:
        """The largest body that this address takes."""
        large = path.startswith(UPLOADS) or path.endswith("/predict/batch")
        return self.settings.limits.upload if large else self.settings.limits.body


@dataclass
class Body:
    """A request's body, counted and timed while it arrives."""

    source: Receive
    limit: int
    seconds: float
    size: int = 0
    begun: float = 0.0

    async def receive(self) -> Message:
        """The next piece, or a problem."""
        self.begun = self.begun or monotonic()
        left = self.seconds - (monotonic() - self.begun)
        if self.size < 0:  # all of it is here; what comes next is that the asker went away
            return await self.source()
        try:
            async with asyncio.timeout(max(left, 0.001)):
                message = await self.source()
        except TimeoutError:
            raise Problem(
                "too-slow", f"the body did not arrive within {self.seconds:g} s", Connection="close"
            ) from None
        self.size += len(message.get("body", b""))
        if self.size > self.limit:
            raise too_large(self.limit)
        if not message.get("more_body", False):
            self.size = -1
        return message


def check_host(headers: dict[str, str], settings: Settings) -> None:
    """Refuse a request that was meant for a server of another name."""
    host = headers.get("host", "")
    if hostname(host) not in settings.known_hosts:
        raise Problem("wrong-host", f"this server does not go by the name {host[:100]!r}; --allow-host adds a name")


def hostname(host: str) -> str:
    """A Host header without its port.

    >>> hostname("LocalHost:8420"), hostname("[::1]:80"), hostname("a.example")
    ('localhost', '::1', 'a.example')
    """
    if host.startswith("["):
        return host[1:].partition("]")[0].lower()
    return host.partition(":")[0].lower()


def check_origin(headers: dict[str, str]) -> None:
    """Refuse what a browser sends for a page of another site; a program sends neither of these headers."""
    origin = headers.get("origin")
    if origin is not None and place_of(origin) != headers.get("host", "").lower():
        raise Problem("forbidden", f"a page of {origin[:100]} may not ask this server")
    if origin is None and headers.get("sec-fetch-site") == "cross-site" and headers.get("sec-fetch-mode") != "navigate":
        raise Problem("forbidden", "a page of another site may not ask this server")


def place_of(origin: str) -> str:
    """The host and port of an Origin header; nothing where it is no address.

    >>> place_of("http://LocalHost:8420"), place_of("null"), place_of("http://[")
    ('localhost:8420', '', '')
    """
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return ""


def check_token(headers: dict[str, str], token: str) -> None:
    """Refuse a request that does not know the token; how long it takes does not tell how much of it was right."""
    if not token:
        return
    kind, _, given = headers.get("authorization", "").partition(" ")
    if kind.lower() != "bearer" or not hmac.compare_digest(given.strip().encode(), token.encode()):
        raise Problem("no-token", "send the header 'Authorization: Bearer TOKEN'", **{"WWW-Authenticate": "Bearer"})


def check_size(headers: dict[str, str], limit: int) -> None:
    """Refuse a body that says it is too large, before it is sent; and one that is packed, which says nothing."""
    if headers.get("content-encoding", "identity").lower() != "identity":
        raise Problem("wrong-format", "a body is sent as it is, without Content-Encoding")
    length = headers.get("content-length", "0")
    if not length.isdigit():
        raise Problem("not-understood", "Content-Length is no number")
    if int(length) > limit:
        raise too_large(limit)


def too_large(limit: int) -> Problem:
    """A body past its limit."""
    return Problem("too-large", f"a body may have {limit:,} bytes here", Connection="close")


async def refuse(problem: Problem, send: Send) -> None:
    """Answer with a problem."""
    body = write_json(problem.body())
    headers = [(b"content-type", MEDIA.encode()), (b"content-length", str(len(body)).encode())]
    headers += [(name.lower().encode(), value.encode()) for name, value in problem.headers.items()]
    await send({"type": "http.response.start", "status": problem.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
