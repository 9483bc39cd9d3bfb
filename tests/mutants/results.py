"""What became of mutants, a line for each in build/mutants/: a hunt that was cut off goes on where it was."""

import json
from collections import Counter
from pathlib import Path

from tests.mutants.lines import KEPT

NOTICED = ("killed", "hung")
UNNOTICED = ("survived", "not reached")
OPEN = "open"
"""Of a mutant that the first tests have not noticed, while those that reach it have not all been asked."""


def results_of(seed: int) -> Path:
    """The file of the hunts with this seed."""
    return KEPT / f"results-{seed}.jsonl"


def read_results(file: Path) -> dict[str, dict]:
    """The last verdict on each mutant, by what identifies it."""
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    return {verdict["identity"]: verdict for verdict in map(json.loads, lines)}


def append_result(file: Path, verdict: dict) -> None:
    """Keep one more verdict."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("a", encoding="utf-8") as out:
        out.write(json.dumps(verdict) + "\n")


def summarise(verdicts: list[dict]) -> str:
    """What became of mutants, room by room and of all; one that this program broke, or no compiler took, is none.

    Nor is one on which there is no last verdict yet.

    >>> fates = ["killed", "survived", "killed"]
    >>> print(summarise([{"path": "src/bayesfold/tally/a.py", "fate": fate} for fate in fates]))
    tally: 2 of 3 noticed
    all: 2 of 3 noticed (66.7 %)
    """
    noticed, tried = Counter[str](), Counter[str]()
    for verdict in verdicts:
        if verdict["fate"] in (*NOTICED, *UNNOTICED):
            for room in (verdict["path"].split("/")[2], "all"):
                tried[room] += 1
                noticed[room] += verdict["fate"] in NOTICED
    rooms = [*sorted(room for room in tried if room != "all")]
    said = [f"{room}: {noticed[room]} of {tried[room]} noticed" for room in rooms]
    share = 100 * noticed["all"] / max(1, tried["all"])
    return "\n".join([*said, f"all: {noticed['all']} of {tried['all']} noticed ({share:.1f} %)"])
