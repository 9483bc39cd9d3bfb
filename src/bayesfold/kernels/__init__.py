"""Compiled loops: arrays in, arrays out, no GIL.

Each `kernels/<name>.py` is annotated Python that the build compiles to an extension `bayesfold.kernels.<name>`. Python
would load the source when the extension is missing, and run a thousand times slower, or load an extension made from an
older source. Importing this package, which importing any kernel does first, refuses both. An installed wheel has no
sources and nothing to check.
"""

import os
import re
from importlib.machinery import EXTENSION_SUFFIXES

_CALLED = re.compile(rb"^from (?:cython\.cimports\.)?bayesfold\.kernels\.(\w+) c?import ", re.MULTILINE)


def made_from(folder: str, kernel: str) -> str:
    """The digest of a kernel's source, its own header (.pxd) and every header these call, however far."""
    from hashlib import sha256  # only a source tree pays for it

    digest = sha256()
    waiting, seen = [f"{kernel}.py", f"{kernel}.pxd"], set[str]()
    while waiting:
        file = waiting.pop()
        if file in seen or (file.endswith(".pxd") and not os.path.exists(os.path.join(folder, file))):
            continue
        seen.add(file)
        with open(os.path.join(folder, file), "rb") as text:
            content = text.read()
        digest.update(content)
        waiting += sorted(f"{name.decode()}.pxd" for name in _CALLED.findall(content))
    return digest.hexdigest()


def _refuse_stale(folder: str) -> None:
    """Raise ImportError unless every kernel source in `folder` has an extension made from exactly that text."""
    files = set(os.listdir(folder))
    sources = sorted(file for file in files if file.endswith(".py") and file != "__init__.py")
    if not sources:
        return
    recorded = {}
    if "digests.txt" in files:
        with open(os.path.join(folder, "digests.txt")) as lines:
            recorded = {extension: digest for digest, _, extension in map(str.split, lines)}
    problems = []
    for source in sources:
        kernel = source.removesuffix(".py")
        extension = next((kernel + suffix for suffix in EXTENSION_SUFFIXES if kernel + suffix in files), None)
        if extension is None:
            problems.append(f"{kernel} is not compiled for this Python")
            continue
        if recorded.get(extension) != made_from(folder, kernel):
            problems.append(f"{kernel} has changed since it was compiled")
    if problems:
        raise ImportError(f"bayesfold.kernels: {'; '.join(problems)}. Run ./dev build (or pip install -e . again).")


if __name__ in ("bayesfold.kernels", "__main__"):  # not when the build runs this file for `made_from`
    _refuse_stale(os.path.dirname(__file__))
