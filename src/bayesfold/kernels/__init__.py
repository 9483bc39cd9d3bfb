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


def kernels_in(folder: str) -> list[str]:
    """The kernels that have a source below `folder`, by their paths without suffix, sorted."""
    paths = []
    for parent, _, files in os.walk(folder):
        inside = os.path.relpath(parent, folder).replace(os.sep, "/")
        names = [file.removesuffix(".py") for file in files if file.endswith(".py") and file != "__init__.py"]
        paths += names if inside == "." else [f"{inside}/{name}" for name in names]
    return sorted(paths)


def made_from(folder: str, kernel: str) -> str:
    """The digest of a kernel's source, its own header (.pxd) and every header these call, however far."""
    from hashlib import sha256  # only a source tree pays for it

    digest = sha256()
    waiting, seen = [f"{kernel}.py", f"{kernel}.pxd"], set[str]()
    while waiting:
        file = waiting.pop()
        if file in seen or not os.path.exists(os.path.join(folder, file)):
            continue
        seen.add(file)
        with open(os.path.join(folder, file), "rb") as text:
            content = text.read()
        digest.update(content)
        waiting += sorted(f"{name.decode().replace('.', '/')}.pxd" for name in _CALLED.findall(content))
    return digest.hexdigest()


def _refuse_stale(folder: str) -> None:
    """Raise ImportError unless every kernel source in `folder` has an extension made from exactly that text."""
    sources = kernels_in(folder)
    if not sources:
        return
    recorded = {}
    if os.path.exists(digests := os.path.join(folder, "digests.txt")):
        with open(digests) as lines:
            recorded = {extension: digest for digest, _, extension in map(str.split, lines)}
    problems = []
    for kernel in [SHARED, *sources]:
        extensions = [kernel + suffix for suffix in EXTENSION_SUFFIXES]
        extension = next((file for file in extensions if os.path.exists(os.path.join(folder, file))), None)
        if extension is None:
            problems.append(f"{kernel} is not compiled for this Python")
        elif recorded.get(extension) != made_from(folder, kernel):
            problems.append(f"{kernel} has changed since it was compiled")
    if problems:
        raise ImportError(f"bayesfold.kernels: {'; '.join(problems)}. Run ./dev build (or pip install -e . again).")


if __name__ in ("bayesfold.kernels", "__main__"):  # not when the build runs this file for the functions above
    _refuse_stale(os.path.dirname(__file__))
