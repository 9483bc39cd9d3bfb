"""Mistakes in kernels: compiled into a worker's copy, and asked about by the tests of whatever calls them.

A test that compares a kernel with its own source cannot notice a mistake in that source: both have it. So a mutant is
compiled, and only an answer that is known from elsewhere gives it away.
"""

import ast
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from tests.mutants.lines import ROOT

FOLDER = "src/bayesfold/kernels"
PACKAGE = "bayesfold.kernels"


def is_kernel(path: str) -> bool:
    """Whether a source is compiled."""
    return path.startswith(f"{FOLDER}/") and not path.endswith("__init__.py")


@contextmanager
def compiled(folder: Path, path: str) -> Iterator[bool]:
    """Compile a changed kernel in a worker's copy, say whether that worked, and put the right one back afterwards."""
    source, kernels = folder / path, folder / FOLDER
    kept = [kernels / "digests.txt", *source.parent.glob(f"{source.stem}.*.so")]
    aside = folder / "aside"
    aside.mkdir(exist_ok=True)
    for file in kept:
        shutil.copy2(file, aside / file.name)
    command = [sys.executable, "setup.py", "--quiet", "build_ext", "--inplace"]
    try:
        done = subprocess.run(command, cwd=folder, env={"PATH": "/usr/bin:/bin"}, capture_output=True, check=False)
        yield done.returncode == 0
    finally:
        for file in kept:
            shutil.copy2(aside / file.name, file.with_name(f"{file.name}.right"))
            file.with_name(f"{file.name}.right").replace(file)


@cache
def importers() -> dict[str, dict[str, tuple[str, ...]]]:
    """By kernel the files that import it, each with the names it has there."""
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    for file in (ROOT / "src" / "bayesfold").rglob("*.py"):
        path = str(file.relative_to(ROOT))
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.ImportFrom) or PACKAGE not in (node.module or ""):
                continue
            inside = f"{FOLDER}{str(node.module).partition(PACKAGE)[2].replace('.', '/')}"
            for name in (alias.name for alias in node.names):
                whole = f"{inside}/{name}.py"
                kernel = whole if (ROOT / whole).exists() else f"{inside}.py"
                of_file = found.setdefault(kernel, {})
                of_file[path] = (*of_file.get(path, ()), name)
    return found


def tests_of_kernel(path: str, known: dict) -> set[str]:
    """The tests beside a kernel, and those that run a line of Python in which it, or a kernel above it, is named."""
    beside = path.replace(FOLDER, "tests/kernels").replace(f"/{Path(path).name}", f"/test_{Path(path).name}")
    tests = {test for test in known["seconds"] if test.startswith(f"{beside}::")}
    waiting, seen = [path], {path}
    while waiting:
        for caller, names in importers().get(waiting.pop(), {}).items():
            if is_kernel(caller):
                waiting += [caller] if caller not in seen else []
                seen.add(caller)
                continue
            mentioned = re.compile(rf"\b(?:{'|'.join(names)})\b")
            for number, line in enumerate((ROOT / caller).read_text(encoding="utf-8").splitlines(), 1):
                if mentioned.search(line) and not line.startswith(("from ", "import ")):
                    tests.update(known["lines"].get(caller, {}).get(str(number), []))
    return tests
