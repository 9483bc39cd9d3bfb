"""What one process of a hunt does; it stands apart from the command, whose own functions no other process can load."""

from multiprocessing import current_process

from tests.mutants.hunt import SOUND, Verdict, copy_tree, hunt, hunt_last, load_libraries, read_lines
from tests.mutants.plant import Mutant
from tests.mutants.results import OPEN, UNNOTICED

_state: dict = {}


def begin(tests: tuple[str, ...] = ()) -> None:
    """What one worker needs: the libraries, its copy of the tree, and which tests run which line (or `tests`)."""
    load_libraries()
    number = int(current_process().name.rpartition("-")[2])
    _state.update(folder=copy_tree(number), known=read_lines(), tests=tests)
    SOUND.update({test: test not in _state["known"]["bad"] for test in _state["known"]["seconds"]})


def work(task: tuple[str, Mutant]) -> dict:
    """The verdict on one mutant, as a line of results; that of one which was not noticed is not the last."""
    identity, mutant = task
    verdict = hunt(mutant, _state["known"], _state["folder"], _state["tests"])
    found = as_line(identity, verdict)
    return found if _state["tests"] or verdict.fate not in UNNOTICED else found | {"fate": OPEN}


def work_last(seconds: float, task: tuple[str, Mutant]) -> dict:
    """The last verdict on a mutant, of every case that reaches it."""
    identity, mutant = task
    return as_line(identity, hunt_last(mutant, _state["known"], _state["folder"], seconds))


def as_line(identity: str, verdict: Verdict) -> dict:
    """A verdict as a line of results."""
    mutant = verdict.mutant
    return {
        "identity": identity,
        "path": mutant.path,
        "line": mutant.line,
        "what": mutant.what,
        "fate": verdict.fate,
        "tests": verdict.tests,
        "seconds": round(verdict.seconds, 2),
        "by": verdict.noticed_by,
    }
