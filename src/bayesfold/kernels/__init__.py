"""Compiled loops: arrays in, arrays out, no GIL.

Each `kernels/<name>.py` is annotated Python that the build compiles to an extension `bayesfold.kernels.<name>`. Python
would load the source when the extension is missing, and run a thousand times slower, or load an extension made from an
older source. Importing this package, which importing any kernel does first, refuses both. An installed wheel has no
sources and nothing to check.
"""

import os
from importlib.machinery import EXTENSION_SUFFIXES


def _bytes(folder: str, file: str) -> bytes:
    with open(os.path.join(folder, file), "rb") as text:
        return text.read()


def _refuse_stale(folder: str) -> None:
    """Raise ImportError unless every kernel source in `folder` has an extension made from exactly that text."""
    files = set(os.listdir(folder))
    sources = sorted(file for file in files if file.endswith(".py") and file != "__init__.py")
    if not sources:
        return
    from hashlib import sha256  # only a source tree pays for it

    made_from = {}
    if "digests.txt" in files:
        with open(os.path.join(folder, "digests.txt")) as lines:
            made_from = {extension: digest for digest, _, extension in map(str.split, lines)}
    headers = b"".join(_bytes(folder, file) for file in sorted(files) if file.endswith(".pxd"))
    problems = []
    for source in sources:
        kernel = source.removesuffix(".py")
        extension = next((kernel + suffix for suffix in EXTENSION_SUFFIXES if kernel + suffix in files), None)
        if extension is None:
            problems.append(f"{kernel} is not compiled for this Python")
            continue
        if made_from.get(extension) != sha256(_bytes(folder, source) + headers).hexdigest():
            problems.append(f"{kernel} has changed since it was compiled")
    if problems:
        raise ImportError(f"bayesfold.kernels: {'; '.join(problems)}. Run ./dev build (or pip install -e . again).")


_refuse_stale(os.path.dirname(__file__))
