"""A kernel runs compiled and fresh, or not at all."""

import os
import shutil
import subprocess
import sys
import zipfile
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest

import bayesfold.kernels

REAL = Path(bayesfold.kernels.__file__).parent
ROOT = Path(__file__).parents[2]
ANY = min(source.stem for source in REAL.glob("*.py") if source.stem != "__init__")
SUFFIX = EXTENSION_SUFFIXES[0]
WAYS = [
    f"from bayesfold.kernels import {ANY}",
    f"from bayesfold.kernels.{ANY} import __name__",
    "import bayesfold.kernels",
]


@pytest.fixture
def kernels(tmp_path):
    """A package with one kernel, compiled and fresh."""
    return package(tmp_path, ANY)


def package(tmp_path, kernel):
    folder = tmp_path / "bayesfold" / "kernels"
    folder.mkdir(parents=True)
    (folder.parent / "__init__.py").touch()
    headers = [header.name for header in REAL.glob("*.pxd")]
    for name in ("__init__.py", "digests.txt", f"{kernel}.py", f"{kernel}{SUFFIX}", *headers):
        shutil.copy(REAL / name, folder)
    return folder


def run(statement, folder):
    """What a new process prints, or the last line of its error."""
    # the editable install of the real package must not get in the way
    command = [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(folder.parents[1])!r}); {statement}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else done.stderr.strip().splitlines()[-1]


def test_a_fresh_kernel_is_the_compiled_one(kernels):
    shown = run(f"from bayesfold.kernels import {ANY} as kernel; print(kernel.__file__)", kernels)
    assert shown == str(kernels / f"{ANY}{SUFFIX}")


@pytest.mark.parametrize("way", WAYS)
def test_a_missing_extension_is_refused(kernels, way):
    (kernels / f"{ANY}{SUFFIX}").unlink()
    error = run(way, kernels)
    assert error.startswith(f"ImportError: bayesfold.kernels: {ANY} is not compiled for this Python.")
    assert "Run ./dev build" in error


# queries calls propagation's header, which calls sweep's, which calls tile's; it calls nothing of moments'.
@pytest.mark.parametrize(("header", "stale"), [("propagation", True), ("tile", True), ("moments", False)])
def test_a_header_it_calls_changed_since_is_refused(tmp_path, header, stale):
    kernels = package(tmp_path, "queries")
    with (kernels / f"{header}.pxd").open("a") as text:
        text.write("# changed\n")
    shown = run("import bayesfold.kernels; print('fine')", kernels)
    assert ("queries has changed since it was compiled" in shown) == stale
    assert (shown == "fine") != stale


@pytest.mark.parametrize("way", WAYS)
def test_a_source_changed_since_is_refused(kernels, way):
    with (kernels / f"{ANY}.py").open("a") as source:
        source.write("\n")
    error = run(way, kernels)
    assert error.startswith(f"ImportError: bayesfold.kernels: {ANY} has changed since it was compiled.")
    assert "Run ./dev build" in error


def test_a_stale_digest_is_refused(kernels):
    digests = kernels / "digests.txt"
    digests.write_text("".join(f"{'0' * 64}{line[64:]}\n" for line in digests.read_text().splitlines()))
    assert "has changed since it was compiled" in run(WAYS[0], kernels)


def test_an_extension_without_a_digest_is_refused(kernels):
    (kernels / "digests.txt").unlink()
    assert "has changed since it was compiled" in run(WAYS[0], kernels)


def test_an_extension_for_another_python_does_not_count(kernels):
    (kernels / f"{ANY}{SUFFIX}").rename(kernels / f"{ANY}.cpython-39-sparc64-solaris.so")
    assert "is not compiled for this Python" in run(WAYS[0], kernels)


def test_a_kernel_never_compiled_is_named(kernels):
    (kernels / "newer.py").write_text("def f():\n    return 1\n")
    assert "bayesfold.kernels: newer is not compiled" in run(WAYS[0], kernels)


def test_an_installed_wheel_has_nothing_to_check(kernels):
    (kernels / f"{ANY}.py").unlink()
    (kernels / "digests.txt").unlink()
    assert run(f"{WAYS[0]}; print('fine')", kernels) == "fine"


def test_a_build_compiles_what_changed_and_ships_no_sources(tmp_path):
    """Two small kernels through setup.py: built, built again, changed, deleted, packed."""
    folder = tmp_path / "src" / "bayesfold" / "kernels"
    folder.mkdir(parents=True)
    for name in ("setup.py", "pyproject.toml", "LICENSE"):
        shutil.copy(ROOT / name, tmp_path)
    (tmp_path / "README.md").touch()
    (folder.parent / "__init__.py").touch()
    (folder.parent / "py.typed").touch()
    shutil.copy(REAL / "__init__.py", folder)
    for name in ("one", "two"):
        (folder / f"{name}.py").write_text(f"def f():\n    return {name!r}\n")

    def setup(*words):
        environment = dict(os.environ)
        if (zig := Path(sys.executable).with_name("zigcc")).exists() and not shutil.which("cc"):
            environment |= {"CC": f"'{zig}'", "LDSHARED": f"'{zig}' -shared"}
        command = [sys.executable, "setup.py", "--quiet", *words]
        subprocess.run(command, cwd=tmp_path, env=environment, check=True, capture_output=True)
        return {file.name.partition(".")[0]: file.stat().st_mtime_ns for file in folder.glob(f"*{SUFFIX}")}

    first = setup("build_ext", "--inplace")
    assert set(first) == {"one", "two"}
    assert setup("build_ext", "--inplace") == first

    (folder / "one.py").write_text("def f():\n    return 'changed'\n")
    assert "one has changed" in run("import bayesfold.kernels.two", folder)
    second = setup("build_ext", "--inplace")
    assert second["one"] != first["one"]
    assert second["two"] == first["two"]
    assert run("from bayesfold.kernels import one; print(one.f())", folder) == "changed"

    (folder / "two.py").unlink()
    assert set(setup("build_ext", "--inplace")) == {"one"}

    setup("bdist_wheel", "--dist-dir", "dist")
    with zipfile.ZipFile(next((tmp_path / "dist").glob("*.whl"))) as wheel:
        packed = {name for name in wheel.namelist() if name.startswith("bayesfold/")}
        wheel.extractall(tmp_path / "installed")
    kernels = {"__init__.py", "digests.txt", f"one{SUFFIX}"}
    assert packed == {"bayesfold/__init__.py", "bayesfold/py.typed", *(f"bayesfold/kernels/{name}" for name in kernels)}
    installed = tmp_path / "installed" / "bayesfold" / "kernels"
    assert run("from bayesfold.kernels import one; print(one.f())", installed) == "changed"
