"""A kernel runs compiled and fresh, or not at all."""

import os
import re
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
ROOM, NAME = min(source.relative_to(REAL).with_suffix("").parts for source in REAL.glob("*/[!_]*.py"))
ANY = f"{ROOM}/{NAME}"
SUFFIX = EXTENSION_SUFFIXES[0]
WAYS = [
    f"from bayesfold.kernels.{ROOM} import {NAME}",
    f"from bayesfold.kernels.{ROOM}.{NAME} import __name__",
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
    plain = [file.relative_to(REAL) for kind in ("__init__.py", "*.pxd") for file in REAL.rglob(kind)]
    for name in ("digests.txt", f"_shared{SUFFIX}", f"{kernel}.py", f"{kernel}{SUFFIX}", *plain):
        (folder / name).parent.mkdir(exist_ok=True)
        shutil.copy(REAL / name, folder / name)
    return folder


def run(statement, folder):
    """What a new process prints, or the last line of its error."""
    # the editable install of the real package must not get in the way
    command = [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(folder.parents[1])!r}); {statement}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else done.stderr.strip().splitlines()[-1]


def test_a_fresh_kernel_is_the_compiled_one(kernels):
    shown = run(f"from bayesfold.kernels.{ROOM} import {NAME} as kernel; print(kernel.__file__)", kernels)
    assert shown == str(kernels / f"{ANY}{SUFFIX}")


@pytest.mark.parametrize("way", WAYS)
def test_a_missing_extension_is_refused(kernels, way):
    (kernels / f"{ANY}{SUFFIX}").unlink()
    error = run(way, kernels)
    assert error.startswith(f"ImportError: bayesfold.kernels: {ANY} is not compiled for this Python.")
    assert "Run ./dev build" in error


@pytest.mark.parametrize("way", WAYS)
def test_missing_code_that_all_share_is_refused(kernels, way):
    (kernels / f"_shared{SUFFIX}").unlink()
    assert run(way, kernels).startswith("ImportError: bayesfold.kernels: _shared is not compiled for this Python.")


# queries calls propagation's header, which calls sweep's, which calls tile's; it calls nothing of moments'.
@pytest.mark.parametrize(
    ("header", "stale"), [("inference/propagation", True), ("inference/tile", True), ("counting/moments", False)]
)
def test_a_header_it_calls_changed_since_is_refused(tmp_path, header, stale):
    kernels = package(tmp_path, "inference/queries")
    with (kernels / f"{header}.pxd").open("a") as text:
        text.write("# changed\n")
    shown = run("import bayesfold.kernels; print('fine')", kernels)
    assert ("inference/queries has changed since it was compiled" in shown) == stale
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


def test_a_folder_calls_its_own_headers_and_those_that_all_share():
    """Scoring also does what counting does to moments; otherwise who serves one room does not know another's."""
    others = set()
    for file in [*REAL.glob("*/*.py"), *REAL.glob("*/*.pxd")]:
        called = re.findall(
            r"^from (?:cython\.cimports\.)?bayesfold\.kernels\.(\w+)\.\w+ c?import", file.read_text(), re.MULTILINE
        )
        others |= {(file.parent.name, folder) for folder in called if folder != file.parent.name}
    assert others == {("scoring", "counting")}


def test_an_installed_wheel_has_nothing_to_check(kernels):
    (kernels / f"{ANY}.py").unlink()
    (kernels / "digests.txt").unlink()
    assert run(f"{WAYS[0]}; print('fine')", kernels) == "fine"


def setup(root, *words):
    """Run setup.py in `root`; {kernel: when its extension was written}."""
    environment = dict(os.environ)
    if (zig := Path(sys.executable).with_name("zigcc")).exists() and not shutil.which("cc"):
        environment |= {"CC": f"'{zig}'", "LDSHARED": f"'{zig}' -shared"}
    command = [sys.executable, "setup.py", "--quiet", *words]
    subprocess.run(command, cwd=root, env=environment, check=True, capture_output=True)
    kernels = root / "src" / "bayesfold" / "kernels"
    return {file.name.partition(".")[0]: file.stat().st_mtime_ns for file in kernels.rglob(f"*{SUFFIX}")}


@pytest.mark.slow
def test_a_build_compiles_what_changed_and_ships_no_sources(tmp_path):
    """Two small kernels, one in a folder, through setup.py: built, built again, changed, lost, deleted, packed."""
    folder = tmp_path / "src" / "bayesfold" / "kernels"
    (folder / "room").mkdir(parents=True)
    for name in ("setup.py", "pyproject.toml", "LICENSE"):
        shutil.copy(ROOT / name, tmp_path)
    (tmp_path / "README.md").touch()
    for name in ("__init__.py", "py.typed", "kernels/room/__init__.py"):
        (folder.parent / name).touch()
    shutil.copy(REAL / "__init__.py", folder)
    (folder / "one.py").write_text("def f():\n    return 'one'\n")
    (folder / "room" / "two.py").write_text("def f():\n    return 'two'\n")

    first = setup(tmp_path, "build_ext", "--inplace")
    assert set(first) == {"_shared", "one", "two"}
    assert setup(tmp_path, "build_ext", "--inplace") == first

    (folder / "one.py").write_text("def f():\n    return 'changed'\n")
    assert "one has changed" in run("import bayesfold.kernels.room.two", folder)
    second = setup(tmp_path, "build_ext", "--inplace")
    assert {name for name in second if second[name] != first[name]} == {"one"}
    assert run("from bayesfold.kernels import one; print(one.f())", folder) == "changed"
    assert run("from bayesfold.kernels.room import two; print(two.f())", folder) == "two"

    def translations():
        return {file.name: file.stat().st_mtime_ns for file in (tmp_path / "build" / "translated").iterdir()}

    kept = translations()  # as another version of Python would find them
    assert sorted(name.split("-")[0].rpartition(".")[2] for name in kept) == ["_shared", "one", "two"]
    (folder / "room" / f"two{SUFFIX}").unlink()
    assert "room/two is not compiled" in run("import bayesfold.kernels", folder)
    assert set(setup(tmp_path, "build_ext", "--inplace")) == {"_shared", "one", "two"}
    assert translations() == kept

    (folder / "room" / "two.py").unlink()
    assert set(setup(tmp_path, "build_ext", "--inplace")) == {"_shared", "one"}

    setup(tmp_path, "bdist_wheel", "--dist-dir", "dist")
    with zipfile.ZipFile(next((tmp_path / "dist").glob("*.whl"))) as wheel:
        packed = {name for name in wheel.namelist() if name.startswith("bayesfold/")}
        wheel.extractall(tmp_path / "installed")
    kernels = {"__init__.py", "digests.txt", f"_shared{SUFFIX}", f"one{SUFFIX}", "room/__init__.py"}
    assert packed == {"bayesfold/__init__.py", "bayesfold/py.typed", *(f"bayesfold/kernels/{name}" for name in kernels)}
    installed = tmp_path / "installed" / "bayesfold" / "kernels"
    assert run("from bayesfold.kernels import one; print(one.f())", installed) == "changed"
