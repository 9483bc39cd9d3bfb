"""The published networks that travel inside another library's package; where it is not installed, there are none."""

from importlib.metadata import PackageNotFoundError, files
from pathlib import Path

NODES = {
    "cancer": 5, "earthquake": 5, "survey": 6, "asia": 8, "sachs": 11, "child": 20, "insurance": 27, "water": 32,
    "mildew": 35, "alarm": 37, "barley": 48, "hailfinder": 56, "hepar2": 70, "win95pts": 76, "pathfinder": 109,
    "munin1": 186, "andes": 223, "diabetes": 413, "pigs": 441, "link": 724, "munin2": 1003, "munin4": 1038,
    "munin3": 1041, "munin": 1041,
}  # fmt: skip


def paths() -> dict[str, Path]:
    """Each network's file, by its name."""
    try:
        every = files("pgmpy") or []
    except PackageNotFoundError:
        return {}
    return {Path(f).name.partition(".")[0]: Path(f.locate()) for f in every if str(f).endswith(".bif.gz")}


PATHS = paths()
MISSING = "the published networks are not installed: ./dev test installs them (requirements/networks.txt)"
