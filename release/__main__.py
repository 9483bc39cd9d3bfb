"""Build the source archive and a wheel for every Python given, and try each wheel in an empty environment.

`python -m release PYTHON...`: archives and wheels go to dist/, environments to build/wheels/.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
DIST = ROOT / "dist"
WORK = ROOT / "build" / "wheels"


def run(*words: str | Path, cwd: Path = ROOT) -> str:
    """What a command prints; its whole output, where it fails."""
    quiet = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    done = subprocess.run([str(word) for word in words], cwd=cwd, env=quiet, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, words))}\n{done.stdout}{done.stderr}")
    return done.stdout


def environment(python: str, name: str) -> Path:
    """A new environment of this Python; the path of its python."""
    folder = WORK / name
    shutil.rmtree(folder, ignore_errors=True)
    run(python, "-m", "venv", folder)
    return folder / ("Scripts" if os.name == "nt" else "bin") / "python"


def source_archive(python: Path) -> Path:
    """The source archive; wheels are built from it, so that what it lacks is noticed."""
    run(python, "-m", "build", "--sdist", "--no-isolation", "--outdir", DIST)
    return newest("*.tar.gz")


def wheel(python: Path, archive: Path) -> Path:
    """A wheel of the archive, for any Linux where auditwheel can vouch for it."""
    with tempfile.TemporaryDirectory() as folder:
        run(python, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", folder, archive)
        made = next(Path(folder).glob("*.whl"))
        if sys.platform != "linux":
            return Path(shutil.copy(made, DIST))
        scripts = python.parent
        path = f"{scripts}{os.pathsep}{os.environ['PATH']}"
        repaired = subprocess.run(
            [python, "-m", "auditwheel", "repair", "--wheel-dir", DIST, made],
            env={**os.environ, "PATH": path},
            capture_output=True,
            text=True,
        )
        if repaired.returncode:
            print(f"auditwheel cannot vouch for it: {repaired.stderr.strip().splitlines()[-1]}", file=sys.stderr)
            return Path(shutil.copy(made, DIST))
    return newest("*.whl")


def newest(pattern: str) -> Path:
    return max(DIST.glob(pattern), key=lambda file: file.stat().st_mtime_ns)


def tried(python: str, name: str, made: Path) -> str:
    """What the trial prints in an environment that has nothing but the wheel and what it needs."""
    empty = environment(python, f"{name}-empty")
    run(empty, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", made)
    return run(empty, "-I", ROOT / "release" / "trial.py", cwd=WORK).strip()


def main(pythons: list[str]) -> None:
    DIST.mkdir(exist_ok=True)
    archive: Path | None = None
    for python in pythons:
        name = run(python, "-c", "import sys; print('%d.%d' % sys.version_info[:2])").strip()
        builder = environment(python, f"{name}-build")
        run(builder, "-m", "pip", "install", "--quiet", "--require-hashes", "-r", ROOT / "requirements" / "release.txt")
        archive = archive or source_archive(builder)
        made = wheel(builder, archive)
        print(
            f"Python {name}: {made.name}, {made.stat().st_size / 2**20:.1f} MB; {tried(python, name, made)}", flush=True
        )


if __name__ == "__main__":
    main(sys.argv[1:] or [sys.executable])
