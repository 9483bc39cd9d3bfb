"""What `learn` is told and what it reads: arcs and tiers in words, whole rows of columns with few values."""

from collections.abc import Iterable, Sequence
from typing import Any

from bayesfold.cli._networks import split_names
from bayesfold.cli._words import warn
from bayesfold.data.frame import Frame
from bayesfold.io.packed import pack_columns
from bayesfold.io.source import Source
from bayesfold.networks.factor_states import check_name
from bayesfold.networks.learning.counts import find_whole_rows, shows_value
from bayesfold.networks.learning.equivalence import find_pattern
from bayesfold.networks.learning.result import LearnedNetwork
from bayesfold.networks.mixed.network import MixedNetwork
from bayesfold.networks.network import BayesianNetwork
from bayesfold.runtime.messages import listed
from bayesfold.runtime.progress import Watcher


def read_arcs(texts: Iterable[str], names: Sequence[str]) -> list[tuple[str, str]]:
    """Arcs as people write them.

    >>> read_arcs(["a->b", "b -> c"], ["a", "b", "c"])
    [('a', 'b'), ('b', 'c')]
    """
    pairs = []
    for text in texts:
        parent, sign, child = text.partition("->")
        if not (sign and parent.strip() and child.strip()):
            raise ValueError(f"an arc is written parent->child, not {text!r}")
        pairs.append((check_name("column", parent.strip(), names), check_name("column", child.strip(), names)))
    return pairs


def read_tiers(text: str | None, names: Sequence[str]) -> list[list[str]]:
    """Tiers, the earliest first, with semicolons between them and commas between names.

    >>> read_tiers("age, sex; cancer", ["age", "sex", "cancer"])
    [['age', 'sex'], ['cancer']]
    """
    return [split_names(part.strip(), names) for part in text.split(";")] if text else []


def read_rows(
    source: Source,
    names: Sequence[str],
    cut: int | None,
    em: bool,
    numbers: str = "states",
    watcher: Watcher | None = None,
) -> tuple[Frame, dict[str, tuple[str, ...]]]:
    """The rows, numbers cut into intervals if that is wanted, and the states of those that were, in order.

    Rows that lack a value are told of unless EM is asked for: arcs are looked for without them.
    """
    rows, states = pack_columns(source, names, cut, watcher, numbers)
    whole = find_whole_rows(rows, names)
    if whole.all() or em:
        return rows, states
    despite = numbers == "states"  # EM is of states
    if not whole.any():
        lacking = [name for name in names if not shows_value(rows, name).all()]
        more = ", or learn despite them with --em" if despite else ""
        raise ValueError(f"{source.name} has no complete row: leave out {listed(lacking)} with --drop{more}")
    more = "; --em uses them for arcs too" if despite else ""
    warn(
        f"{int((~whole).sum()):,} of {len(whole):,} rows have missing values: arcs are learned from the others, "
        f"and each table from the rows that have all of its columns{more}"
    )
    return rows, states


def draw_pictures(
    learned: LearnedNetwork,
    other: BayesianNetwork | MixedNetwork | None,
    picture: str | None,
    path_plot: str | None,
    compare_plot: str | None,
) -> None:
    """Draw the pictures that were asked for."""
    from bayesfold.plots import arc_strengths, network, save, search_path, two_networks

    if picture is not None and (learned.strengths or learned.posterior):
        save(arc_strengths.draw(arc_strengths.data(learned)), picture)
    elif picture is not None:
        save(network.draw(network.data(learned)), picture)
    if path_plot is not None:
        save(search_path.draw(search_path.data(learned)), path_plot)
    if compare_plot is not None and other is not None:
        save(two_networks.draw(two_networks.data(learned, other, ("learned", other.name or "the other"))), compare_plot)


def learned_as_json(learned: LearnedNetwork, other: BayesianNetwork | MixedNetwork | None = None) -> dict[str, Any]:
    """A learned network, and how another one differs, for print as JSON."""
    said = find_pattern(learned.dag)
    arcs = [
        {"parent": u, "child": v, "gain": gain, "directed": (u, v) in said.arrows or (u, v) in learned.one_way}
        for (u, v), gain in sorted(learned.gains.items(), key=lambda pair: -pair[1])
    ]
    answer = {
        "score": learned.kind,
        "value": learned.score,
        "rows": learned.rows,
        "optimal": learned.optimal,
        "arcs": arcs,
    }
    for key, sure in (("strengths", learned.strengths), ("posterior", learned.posterior)):
        if sure is not None:
            answer["threshold"] = sure.threshold
            answer[key] = [
                {"parent": a, "child": b, "strength": strength, "direction": direction}
                for a, b, strength, direction in sure.pairs()
            ]
    if other is not None:
        answer["compared"] = vars(learned.compare(other))
    return answer
