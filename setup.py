"""Compile every kernel below `src/bayesfold/kernels/` into an extension of the same name.

The kernels are Cython in pure-Python mode: the file that is compiled is the file that the tests also run uncompiled.
What Cython needs in every extension (views of arrays, mostly) is compiled once, as `bayesfold.kernels._shared`.
Translations are kept in `build/translated/`, where any version of Python finds them. Beside the kernels goes
`digests.txt`, with a line for each extension: the digest of the source that it was made from, the digest of the recipe
(this file and the Cython version), and its file name. `bayesfold.kernels` reads it to refuse a stale build, and the
next build reads it to compile only what changed. The sources themselves are left out of wheels.
"""

import copy
import hashlib
import os
import runpy
import shutil
import threading
from pathlib import Path

import Cython
from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py

PACKAGE = "bayesfold.kernels"
KERNELS = Path("src", *PACKAGE.split("."))
TRANSLATED = Path("build", "translated")
DIRECTIVES = {
    "language_level": "3",
    "boundscheck": False,
    "wraparound": False,
    "cdivision": True,
    "initializedcheck": False,
    "auto_pickle": False,  # half of what a class compiles to, and no kernel is pickled
    "binding": False,  # a kernel is called, not looked into: plain C functions, without signatures and annotations
}
# Nothing here may change a rounding: contraction to fused multiply-add is off, so bits do not depend on the processor.
FLAGS = {"unix": ["-O3", "-g0", "-fno-math-errno", "-ffp-contract=off"], "msvc": ["/O2"]}
CHECKS = runpy.run_path(str(KERNELS / "__init__.py"))  # what refuses a stale extension
RECIPE = hashlib.sha256(Path(__file__).read_bytes() + Cython.__version__.encode()).hexdigest()
PROGRESS = "KERNELS_PROGRESS"
"""The variable that holds the number of the open file to which a build tells how far it is."""


class BuildKernels(build_ext):
    """Compile what is stale, in parallel, and record what each extension was made from."""

    def finalize_options(self):
        super().finalize_options()
        self.parallel = self.parallel or os.cpu_count()

    def run(self):
        every, inplace = self.extensions, self.inplace
        folder = KERNELS if inplace else Path(self.build_lib, *PACKAGE.split("."))
        made_from = {file_name(self, extension): (digest(extension), RECIPE) for extension in every}
        remove_orphans(folder)
        if not inplace and not self.force:
            take_over(folder, made_from)
        self.fresh = {
            name: made
            for name, made in read_digests(folder).items()
            if (folder / name).exists() and made == made_from.get(name, made) and not (self.force and name in made_from)
        }
        stale = [extension for extension in every if file_name(self, extension) not in self.fresh]
        if stale:
            self.progress = Progress(len(stale))
            translate(stale, self.parallel, self.force)
            self.extensions = sorted(stale, key=lambda one: -translation(one).stat().st_size)  # the longest first
            try:
                super().run()
            finally:
                self.extensions, self.inplace = every, inplace
        write_digests(folder, {**self.fresh, **made_from})

    def build_extension(self, ext):
        Path(self.get_ext_fullpath(ext.name)).unlink(missing_ok=True)  # setuptools would trust its date
        compiled = copy.copy(ext)
        compiled.sources = [str(translation(ext))]
        compiled.extra_compile_args = FLAGS.get(self.compiler.compiler_type, [])
        super().build_extension(compiled)
        self.progress.one_more()

    def copy_extensions_to_source(self):
        """Replace each file in one step: a running process keeps the extension it has loaded."""
        # Forget the old ones first: an interrupted build must not leave a digest beside another extension.
        write_digests(KERNELS, self.fresh)
        for extension in self.extensions:
            name = file_name(self, extension)
            beside = KERNELS / f"{name}.new"
            shutil.copy(Path(self.build_lib, self.get_ext_filename(extension.name)), beside)
            beside.replace(KERNELS / name)


class BuildPython(build_py):
    """Ship the compiled kernels without their sources: a source can then never stand in for a missing extension."""

    def find_package_modules(self, package, package_dir):
        modules = super().find_package_modules(package, package_dir)
        kernels = package == PACKAGE or package.startswith(f"{PACKAGE}.")
        return [module for module in modules if not kernels or module[1] == "__init__"]


class Progress:
    """Tells how many kernels are compiled, a line each, where the environment names an open file for it."""

    def __init__(self, kernels):
        self.kernels, self.compiled, self.lock = kernels, 0, threading.Lock()
        self.file = os.environ.get(PROGRESS)
        self.tell(f"translating {kernels} kernels to C")

    def one_more(self):
        with self.lock:
            self.compiled += 1
            self.tell(f"compiling kernels: {self.compiled} of {self.kernels}")

    def tell(self, what):
        if self.file:
            os.write(int(self.file), f"{what}\n".encode())


def extensions():
    """One per kernel, and Cython's own."""
    shared = f"{PACKAGE}.{CHECKS['SHARED']}"
    named = {f"{PACKAGE}.{name.replace('/', '.')}": f"{name}.py" for name in CHECKS["kernels_in"](str(KERNELS))}
    sources = {**named, shared: f"{CHECKS['SHARED']}.c"}
    return [Extension(name, [(KERNELS / source).as_posix()]) for name, source in sources.items()]


def digest(extension):
    """What `bayesfold.kernels` will compare."""
    return CHECKS["made_from"](str(KERNELS), extension.name.removeprefix(f"{PACKAGE}.").replace(".", "/"))


def translation(extension):
    """The C file of an extension, named for all that it is made from."""
    made_from = hashlib.sha256(f"{digest(extension)} {RECIPE}".encode()).hexdigest()
    return TRANSLATED / f"{extension.name}-{made_from[:16]}.c"


def translate(stale, processes, force):
    """Write the C files of `stale` that are not there yet, in several processes, and remove older ones."""
    new = [extension for extension in stale if force or not translation(extension).exists()]
    written = cythonize(
        [copy.copy(extension) for extension in new],
        build_dir=str(TRANSLATED / "new"),
        compiler_directives=DIRECTIVES,
        force=True,
        include_path=["src"],
        nthreads=processes,
        quiet=True,
        shared_utility_qualified_name=f"{PACKAGE}.{CHECKS['SHARED']}",
    )
    for extension, made in zip(new, written, strict=True):
        for older in TRANSLATED.glob(f"{extension.name}-*.c"):
            older.unlink()
        Path(made.sources[0]).replace(translation(extension))
    shutil.rmtree(TRANSLATED / "new", ignore_errors=True)


def file_name(command, extension):
    """An extension's file, below the folder of the kernels."""
    return Path(command.get_ext_filename(extension.name)).relative_to(Path(*PACKAGE.split("."))).as_posix()


def read_digests(folder):
    """{extension file: (digest of its source, digest of its recipe)}"""
    file = folder / "digests.txt"
    lines = file.read_text().splitlines() if file.exists() else []
    return {name: (source, recipe) for source, recipe, name in map(str.split, lines)}


def write_digests(folder, digests):
    folder.mkdir(parents=True, exist_ok=True)
    lines = [f"{source} {recipe} {name}\n" for name, (source, recipe) in sorted(digests.items())]
    beside = folder / f"digests.{os.getpid()}"
    beside.write_text("".join(lines))
    beside.replace(folder / "digests.txt")


def take_over(folder, made_from):
    """Copy to `folder` what already stands compiled beside the sources, made from the same."""
    beside = read_digests(KERNELS)
    same = {name: made for name, made in made_from.items() if made == beside.get(name) and (KERNELS / name).exists()}
    for name in same:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(KERNELS / name, folder / name)
    write_digests(folder, {**read_digests(folder), **same})


def remove_orphans(folder):
    """Delete extensions whose source is gone, of every Python version that shares this folder."""
    for extension in [*folder.rglob("*.so"), *folder.rglob("*.pyd")]:
        kernel = extension.relative_to(folder).with_name(extension.name.partition(".")[0])
        if kernel.name != CHECKS["SHARED"] and not (KERNELS / kernel.with_suffix(".py")).exists():
            extension.unlink()


if __name__ == "__main__":  # the processes that translate may read this file again
    setup(ext_modules=extensions(), cmdclass={"build_ext": BuildKernels, "build_py": BuildPython})
