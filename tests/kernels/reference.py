"""A kernel's own source, run as plain Python: what the compiled one must agree with, to the bit."""

import copy
import importlib.util
import re
import sys
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

import bayesfold.kernels

from . import headers

SOURCES = Path(bayesfold.kernels.__file__).parent
CIMPORTS = "cython.cimports.bayesfold"
HEADERS = {
    "bits": {"bit": lambda i: 1 << int(i & 63)},
    "runs": {
        "fetch_row": lambda matrix, row: None,  # a hint to the processor
        "eight": lambda data, at: int.from_bytes(bytes(data[at : at + 8]), "little"),
        "same": lambda data, a, b, size: bytes(data[a : a + size]) == bytes(data[b : b + size]),
    },
    "contraction": {"contract": headers.contract},
    "losses": {"forget": lambda: None, "happened": lambda: False},  # plain Python is asked nothing so improbable
    "sixteen": {"run": headers.run, "share": headers.share},
    "widths": {"width": lambda: 1},
    "popcount": {"best_way": None, "counted": None},  # plain Python counts bits by additions and never calls these
}
"""What a header holds that has no source of its own, in plain Python."""


def find(file: str) -> Path:
    """Where a source or header stands, by its name: no two folders have the same."""
    (found,) = SOURCES.rglob(file)
    return found


@cache
def uncompiled(name: str) -> ModuleType:
    """The source of a kernel loaded by path under another name; kernels that it cimports are loaded so too."""
    source = find(f"{name}.py")
    spec = importlib.util.spec_from_file_location(f"uncompiled_{name}", source)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    stand_ins: dict[str, Any] = {
        CIMPORTS: ModuleType(CIMPORTS),
        f"{CIMPORTS}.kernels": ModuleType(f"{CIMPORTS}.kernels"),
    }
    text = source.read_text()
    for folder, other in re.findall(
        rf"^from {re.escape(CIMPORTS)}\.kernels((?:\.\w+)?)\.(\w+) import", text, re.MULTILINE
    ):
        is_source = any(SOURCES.rglob(f"{other}.py"))
        stand_ins[f"{CIMPORTS}.kernels{folder}"] = ModuleType(f"{CIMPORTS}.kernels{folder}")
        stand_ins[f"{CIMPORTS}.kernels{folder}.{other}"] = uncompiled(other) if is_source else header(other)
    sys.modules.update(stand_ins)
    try:
        spec.loader.exec_module(module)
    finally:
        for key in stand_ins:
            del sys.modules[key]
    assert module.__file__ is not None
    assert module.__file__.endswith(".py")
    return module


def header(name: str) -> ModuleType:
    """A header as a module: its functions, and its named numbers."""
    module, text = ModuleType(name), find(f"{name}.pxd").read_text()
    vars(module).update(HEADERS.get(name, {}))
    vars(module).update((w, int(n)) for w, n in re.findall(r"^    ([A-Z_]+) = (\d+)", text, re.MULTILINE))
    return module


def compiled(name: str) -> ModuleType:
    """The kernel itself."""
    inside = find(f"{name}.py").relative_to(SOURCES).with_suffix("")
    module = import_module(".".join(["bayesfold", "kernels", *inside.parts]))
    assert module.__file__ is not None
    assert not module.__file__.endswith(".py")
    return module


def assert_same(name: str, function: str, *arguments: Any, rtol: float = 0.0) -> list[Any]:
    """Both versions leave the same bits in their arrays and return the same; what the compiled one left is given."""
    ours, theirs = copy.deepcopy(arguments), copy.deepcopy(arguments)
    returned = getattr(compiled(name), function)(*ours)
    with np.errstate(all="ignore"):
        expected = getattr(uncompiled(name), function)(*theirs)
    assert returned == expected
    for a, b in zip(ours, theirs, strict=True):
        if isinstance(a, np.ndarray):
            np.testing.assert_allclose(a, b, rtol=rtol, atol=0, equal_nan=True)
    return [*ours, returned]
