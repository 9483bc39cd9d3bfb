"""Compile every `src/bayesfold/kernels/*.py` into an extension of the same name.

The kernels are Cython in pure-Python mode: the file that is compiled is the file that the tests also run uncompiled.
Beside the extensions goes `digests.txt`, with a line for each: the digest of the source that it was made from, the
digest of the recipe (this file and the Cython version), and its file name. `bayesfold.kernels` reads it to refuse a
stale build, and the next build reads it to compile only what changed. The sources themselves are left out of wheels.
"""

import copy
import hashlib
import os
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import Cython
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py
from setuptools.errors import CompileError

KERNELS = Path("src/bayesfold/kernels")
DIRECTIVES = {
    "language_level": "3",
    "boundscheck": "False",
    "wraparound": "False",
    "cdivision": "True",
    "initializedcheck": "False",
}
# Nothing here may change a rounding: contraction to fused multiply-add is off, so bits do not depend on the processor.
FLAGS = {"unix": ["-O3", "-g0", "-fno-math-errno", "-ffp-contract=off"], "msvc": ["/O2"]}
DIGEST = runpy.run_path(str(KERNELS / "__init__.py"))["made_from"]  # the one that refuses a stale extension
RECIPE = hashlib.sha256(Path(__file__).read_bytes() + Cython.__version__.encode()).hexdigest()


class BuildKernels(build_ext):
    """Compile what is stale, in parallel, and record what each extension was made from."""

    def finalize_options(self):
        super().finalize_options()
        self.parallel = self.parallel or os.cpu_count()

    def run(self):
        every, inplace = self.extensions, self.inplace
        folder = KERNELS if inplace else Path(self.build_lib, "bayesfold", "kernels")
        made_from = {
            file_name(self, extension): (DIGEST(str(KERNELS), Path(extension.sources[0]).stem), RECIPE)
            for extension in every
        }
        remove_orphans(folder)
        self.fresh = {
            name: made
            for name, made in read_digests(folder).items()
            if (folder / name).exists() and made == made_from.get(name, made) and not (self.force and name in made_from)
        }
        stale = [extension for extension in every if file_name(self, extension) not in self.fresh]
        if stale:
            self.extensions = stale
            try:
                super().run()
            finally:
                self.extensions, self.inplace = every, inplace
        write_digests(folder, {**self.fresh, **made_from})

    def build_extension(self, ext):
        """Translate to C in a process of its own (so kernels translate in parallel), then compile."""
        source = Path(ext.sources[0])
        translated = Path(self.build_temp, source.with_suffix(".c").name)
        translated.parent.mkdir(parents=True, exist_ok=True)
        directives = ",".join(f"{name}={value}" for name, value in DIRECTIVES.items())
        command = [sys.executable, "-m", "cython", "-X", directives, "--module-name", ext.name, "-I", "src"]
        if subprocess.run([*command, "-o", str(translated), str(source)]).returncode:
            raise CompileError(f"Cython refused {source}")
        Path(self.get_ext_fullpath(ext.name)).unlink(missing_ok=True)  # setuptools would trust its date
        compiled = copy.copy(ext)
        compiled.sources = [str(translated)]
        compiled.extra_compile_args = FLAGS.get(self.compiler.compiler_type, [])
        super().build_extension(compiled)

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
        return [module for module in modules if package != "bayesfold.kernels" or module[1] == "__init__"]


def file_name(command, extension):
    return Path(command.get_ext_filename(extension.name)).name


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


def remove_orphans(folder):
    """Delete extensions whose source is gone, of every Python version that shares this folder."""
    for extension in [*folder.glob("*.so"), *folder.glob("*.pyd")]:
        if not (KERNELS / f"{extension.name.partition('.')[0]}.py").exists():
            extension.unlink()


setup(
    ext_modules=[
        Extension(f"bayesfold.kernels.{source.stem}", [source.as_posix()])
        for source in sorted(KERNELS.glob("*.py"))
        if source.stem != "__init__"
    ],
    cmdclass={"build_ext": BuildKernels, "build_py": BuildPython},
)
