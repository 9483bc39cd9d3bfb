"""The two verbs that every row times, as functions of a module, so that a process of its own can repeat them."""

from typing import Any

from benchmarks.memory import extra_peak
from benchmarks.table import Agreement, Line, Target
from benchmarks.timing import Task, alternate


def fit(make: Task, X: Any, y: Any) -> Any:
    """Make an estimator and fit it."""
    return make().fit(X, y)


def predict_proba(model: Any, X: Any) -> Any:
    """Probabilities of every row."""
    return model.predict_proba(X)


def side_by_side(
    work: str,
    peer_name: str,
    ours: Task,
    peer: Task,
    target: Target | None = None,
    agreement: Agreement | None = None,
    *,
    scale: float = 1.0,
    whole: Task | None = None,
    peer_repeats: int | None = None,
    note: str = "",
) -> Line:
    """Time and weigh both sides; a peer that does a part is scaled up, and weighed by the whole where that is given."""
    ours_time, peer_time = alternate(ours, peer, peer_repeats=peer_repeats)
    memory = extra_peak(whole or peer), extra_peak(ours)
    return Line(work, peer_name, ours_time, peer_time.times(scale), target, agreement, memory, note)
