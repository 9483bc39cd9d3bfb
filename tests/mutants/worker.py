"""What one process of a hunt does; it stands apart from the command, whose own functions no other process can load."""

from multiprocessing import current_process

from tests.mutants.hunt import SOUND, copy_tree, hunt, load_libraries, read_lines
from tests.mutants.plant import Mutant

_state: dict = {}


def begin(tests: tuple[str, ...] = ()) -> None:
    """What one worker needs: the libraries, its copy of the tree, and which tests run which line (or `tests`)."""
    load_libraries()
    number = int(current_process().name.rpartition("-")[2])
    _state.update(folder=copy_tree(number), known=read_lines(), tests=tests)
    SOUND.update({test: test not in _state["known"]["bad"] for test in _state["known"]["seconds"]})


def work(task: tuple[str, Mutant]) -> dict:
    """The verdict on one mutant, as a line of results."""
    identity, mutant = task
    verdict = hunt(mutant, _state["known"], _state["folder"], _state["tests"])
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
