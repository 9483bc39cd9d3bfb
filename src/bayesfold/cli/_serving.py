"""Starting the server: its settings, its token, and what is printed about it."""

import gc
import gzip
import os
import secrets
import signal
import sys
import threading
import webbrowser
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlencode

from bayesfold.cli._main import OFTEN
from bayesfold.cli._names import find_file
from bayesfold.cli._options import MODEL, NETWORK
from bayesfold.cli._words import remark, say
from bayesfold.io.engines import endings
from bayesfold.networks.files import examples
from bayesfold.networks.formats.json import FORMAT
from bayesfold.web.server.settings import LOOPBACK, Settings

TOKEN = "BAYESFOLD_TOKEN"
"""The variable of the environment in which a token may be given."""
MISSING = "the page needs more packages: pip install 'bayesfold[web]'"
SHORTEST = 16
DEMO_ROWS = 1_200


def serve_until_stopped(settings: Settings, browse: bool, target: str | None = None, fresh_token: str = "") -> None:
    """Answer until stopped; `fresh_token` is a token that was made up for this run, and that nobody knows yet."""
    try:
        from bayesfold.web.server import run
    except ImportError as error:
        raise ImportError(f"{MISSING} ({error})") from None

    def ready(port: int) -> None:
        learn = "" if settings.paths else f"#{urlencode({'view': 'learn', 'target': target or ''})}"
        where = page_address(settings.host, port) + learn
        say(where)
        if fresh_token:
            remark(f"requests need the token {fresh_token} (Authorization: Bearer ...); the page asks for it")
        if browse and sys.stdout.isatty():
            threading.Timer(0.5, webbrowser.open, [where]).start()

    gc.set_threshold(*OFTEN)  # what runs for days keeps no cycles for long
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # stopped so, it cleans up as well
    with suppress(KeyboardInterrupt):  # the ordinary way to stop it
        run.serve(settings, ready)


def split_files(files: Sequence[str], target: str | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Models and networks, and tables; each must exist."""
    if not files:
        raise ValueError("name at least one file: a .bayes model, a network (or 'smoking', a built-in one), or a table")
    tables = tuple(str(find_file(path, endings())) for path in files if is_table(path))
    if target is not None and not tables:
        raise ValueError("--target says what to predict of a table, and no file is a table")
    known = examples()
    return tuple(p if p in known else str(find_file(p, (*MODEL, *NETWORK))) for p in files if not is_table(p)), tables


def is_table(path: str) -> bool:
    """Whether a file is a table, by its ending, or by how it begins where networks have that ending too."""
    bare = path.lower().removesuffix(".gz")
    if not bare.endswith(tuple(ending for ending in endings() if ending != ".gz")):
        return False
    return not (bare.endswith(NETWORK) and holds_network(Path(path)))


def holds_network(path: Path) -> bool:
    """Whether a file whose ending tables and networks share (.json) is a network, by how it begins."""
    if not path.is_file():
        return True
    with gzip.open(path) if path.suffix.lower() == ".gz" else path.open("rb") as file:
        return FORMAT.encode() in file.read(4096)


def page_address(host: str, port: int) -> str:
    """The address of the page."""
    name = "localhost" if host in ("0.0.0.0", "::") else host
    return f"http://{f'[{name}]' if ':' in name else name}:{port}/"


def choose_token(path: str | None, host: str) -> tuple[str, bool]:
    """The token that was given, or a new one where other machines can ask; and whether it is new."""
    given = os.environ.get(TOKEN, "") if path is None else Path(path).read_text(encoding="utf-8")
    token = given.strip()
    if token and (len(token) < SHORTEST or not token.isascii() or not token.isprintable() or " " in token):
        raise ValueError(f"a token has at least {SHORTEST} letters and digits, and no spaces")
    if token or host in LOOPBACK:
        return token, False
    return secrets.token_urlsafe(32), True


def demonstrate(port: int, browse: bool) -> None:
    """Serve built-in networks, a model of generated patients, and the table that it was learned from."""
    from bayesfold.data.tables import frame
    from bayesfold.demo.triage import triage
    from bayesfold.io.writers import Sink
    from bayesfold.learning.trained import find, train
    from bayesfold.runtime.arrow_buffers import arrow_texts
    from bayesfold.store import save

    table, place = triage(DEMO_ROWS)
    later, known = triage(DEMO_ROWS // 4, seed=1)
    with TemporaryDirectory(prefix="bayesfold-demo-") as folder:
        model, rows = Path(folder) / "patients.bayes", Path(folder) / "later-patients.csv"
        save(train(find("naive")(), frame(table), place.tolist(), "place"), model)
        with Sink(rows) as sink:
            sink.write(later.append_column("place", arrow_texts(known.tolist())))
        serve_until_stopped(
            Settings(("smoking", str(model), *(e for e in examples() if e != "smoking")), (str(rows),), port=port),
            browse,
        )
