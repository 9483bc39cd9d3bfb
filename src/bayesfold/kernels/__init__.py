"""Compiled loops: arrays in, arrays out, no GIL.

Each `<name>.py` below this folder is annotated Python that the build compiles to an extension of the same name. Python
would load the source when the extension is missing, and run a thousand times slower, or load an extension made from an
older source. Importing this package, which importing any kernel does first, refuses both. What Cython itself needs in
every extension stands once, in the extension `_shared`, which has no source here. An installed wheel has no sources and
nothing to check.
"""

import os
import re
from importlib.machinery import EXTENSION_SUFFIXES

SHARED = "_shared"
_CALLED = re.compile(rb"^from (?:cython\.cimports\.)?bayesfold\.kernels\.([\w.]+) c?import ", re.MULTILINE)


def files_in(folder: str) -> list[str]:
    """Every file below `folder`, by its path from there, sorted."""
    paths = []
    for parent, _, files in os.walk(folder):
        inside = parent[len(folder) :].replace(os.sep, "/").lstrip("/")
        paths += [f"{inside}/{file}" for file in files] if inside else files
    return sorted(paths)


def kernels_in(folder: str) -> list[str]:
    """The kernels that have a source below `folder`, by their paths without suffix, sorted."""
    return sources_among(files_in(folder))


def sources_among(files: list[str]) -> list[str]:
    """The kernels whose sources are among these files."""
    sources = (file for file in files if file.endswith(".py"))
    return [file.removesuffix(".py") for file in sources if not file.endswith("__init__.py")]


def made_from(folder: str, kernel: str, known: dict[str, tuple[bytes, list[str]]] | None = None) -> str:
    """The digest of a kernel's source, its own header (.pxd) and every header these call, however far.

    `known` keeps what was read, a file's content and the headers that it calls: kernels have headers in common.
    """
    from hashlib import sha256  # only a source tree pays for it

    known = {} if known is None else known
    digest = sha256()
    waiting, seen = [f"{kernel}.py", f"{kernel}.pxd"], set[str]()
    while waiting:
        file = waiting.pop()
        if file in seen:
            continue
        seen.add(file)
        if file not in known:
            known[file] = read_with_calls(os.path.join(folder, file))
        content, called = known[file]
        digest.update(content)
        waiting += called
    return digest.hexdigest()


def read_with_calls(path: str) -> tuple[bytes, list[str]]:
    """The content of a file and the headers that it calls; nothing where there is no such file."""
    try:
        with open(path, "rb") as file:
            content = file.read()
    except FileNotFoundError:
        return b"", []
    called = _CALLED.findall(content) if b"bayesfold.kernels." in content else ()  # few call any
    return content, sorted(f"{name.decode().replace('.', '/')}.pxd" for name in called)


def _refuse_stale(folder: str) -> None:
    """Raise ImportError unless every kernel source in `folder` has an extension made from exactly that text."""
    every = files_in(folder)
    sources, files = sources_among(every), set(every)
    if not sources:
        return
    recorded = {}
    if "digests.txt" in files:
        with open(os.path.join(folder, "digests.txt")) as lines:
            recorded = {extension: digest for digest, _, extension in map(str.split, lines)}
    problems = []
    known: dict[str, tuple[bytes, list[str]]] = {}
    for kernel in [SHARED, *sources]:
        extension = next((kernel + suffix for suffix in EXTENSION_SUFFIXES if kernel + suffix in files), None)
        if extension is None:
            problems.append(f"{kernel} is not compiled for this Python")
        elif recorded.get(extension) != made_from(folder, kernel, known):
            problems.append(f"{kernel} has changed since it was compiled")
    if problems:
        raise ImportError(f"bayesfold.kernels: {'; '.join(problems)}. Run ./dev build (or pip install -e . again).")


if __name__ in ("bayesfold.kernels", "__main__"):  # not when the build runs this file for the functions above
    _refuse_stale(os.path.dirname(__file__))
