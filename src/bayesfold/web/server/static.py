"""The page's own files, read once when the server starts: an address is looked up among them, never among files."""

import mimetypes
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable

from bayesfold import plots

KINDS = {".js": "text/javascript", ".css": "text/css", ".html": "text/html", ".svg": "image/svg+xml"}
PLOTLY = "plotly.min.js"


@dataclass(frozen=True)
class File:
    """What is sent, and a mark by which a browser knows that it has it already."""

    body: bytes
    media: str
    mark: str


@cache
def page_files() -> dict[str, File]:
    """Every file of the page by its address below /, the page itself at ""."""
    file_of = {name: make_file(name, file.read_bytes()) for name, file in list_files(files("bayesfold.web.page"), "")}
    file_of[""] = file_of["index.html"]
    return file_of


@cache
def read_plotly() -> File | None:
    """plotly's script from its installed package; None where that is not installed."""
    try:
        return make_file(PLOTLY, plots.script())
    except ImportError:
        return None


def list_files(folder: Traversable, prefix: str) -> list[tuple[str, Traversable]]:
    """The files of a folder and its folders, by their names from there."""
    inside: list[tuple[str, Traversable]] = []
    for entry in folder.iterdir():
        if entry.is_dir():
            inside += list_files(entry, f"{prefix}{entry.name}/") if entry.name != "__pycache__" else []
        elif not entry.name.endswith((".py", ".pyc")):
            inside.append((prefix + entry.name, entry))
    return inside


def make_file(name: str, body: bytes) -> File:
    """A file as it is sent."""
    ending = "." + name.rpartition(".")[2]
    media = KINDS.get(ending) or mimetypes.guess_type(name)[0] or "application/octet-stream"
    text = media.startswith("text/") or ending in KINDS
    return File(body, f"{media}; charset=utf-8" if text else media, f'"{sha256(body).hexdigest()[:20]}"')
