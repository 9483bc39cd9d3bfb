"""What the server is told, and what a person is told of it."""

import os
import secrets
import sys
import threading
import webbrowser
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from bayesfold.cli._names import existing
from bayesfold.cli._options import ENDINGS, MODEL, NETWORK
from bayesfold.cli._words import remark, say
from bayesfold.networks.files import examples
from bayesfold.web.server.settings import Settings

TOKEN = "BAYESFOLD_TOKEN"
"""The variable of the environment in which a token may be given."""
MISSING = "the page needs more packages: pip install 'bayesfold[web]'"
SHORTEST = 16


def serve(
    files: Sequence[str],
    target: str | None,
    host: str,
    port: int,
    hosts: Sequence[str],
    token_file: str | None,
    writable: bool,
    workers: int,
    browse: bool,
) -> None:
    """Answer until told to stop."""
    try:
        from bayesfold.web.server import run
    except ImportError as error:
        raise ImportError(f"{MISSING} ({error})") from None
    if not files:
        raise ValueError("name at least one file: a .bayes model, a network (or 'smoking', a built-in one), or a table")
    tables = tuple(str(existing(path, ENDINGS)) for path in files if is_table(path))
    paths = tuple(checked(path) for path in files if not is_table(path))
    if target is not None and not tables:
        raise ValueError("--target says what to predict of a table, and no file is a table")
    if tables and workers > 1:
        raise ValueError("workers do not share what they learn: leave out the tables, or --workers")
    token, made = token_of(token_file, host)
    settings = Settings(
        paths, tables, host=host, port=port, hosts=tuple(hosts), token=token, writable=writable, workers=workers
    )

    def ready(port: int) -> None:
        where = address(host, port) + ("" if paths else f"#{urlencode({'view': 'learn', 'target': target or ''})}")
        say(where)
        if made:
            remark(f"requests need the token {token} (Authorization: Bearer ...); the page asks for it")
        if browse and sys.stdout.isatty():
            threading.Timer(0.5, webbrowser.open, [where]).start()

    with suppress(KeyboardInterrupt):  # the ordinary way to stop it
        run.serve(settings, ready)


def is_table(path: str) -> bool:
    """Whether a file is a table, by its ending."""
    return path.lower().removesuffix(".gz").endswith(tuple(e for e in ENDINGS if e != ".gz"))


def checked(path: str) -> str:
    """A file that is there, or a built-in network."""
    return path if path in examples() else str(existing(path, (*MODEL, *NETWORK)))


def address(host: str, port: int) -> str:
    """Where the page is."""
    name = "localhost" if host in ("0.0.0.0", "::") else host
    return f"http://{f'[{name}]' if ':' in name else name}:{port}/"


def token_of(path: str | None, host: str) -> tuple[str, bool]:
    """The token that was given, or a new one where other machines can ask; and whether it is new."""
    given: Any = os.environ.get(TOKEN, "") if path is None else Path(path).read_text(encoding="utf-8")
    token = given.strip()
    if token and (len(token) < SHORTEST or not token.isascii() or not token.isprintable() or " " in token):
        raise ValueError(f"a token has at least {SHORTEST} letters and digits, and no spaces")
    if token or host in Settings().known_hosts:
        return token, False
    return secrets.token_urlsafe(32), True
