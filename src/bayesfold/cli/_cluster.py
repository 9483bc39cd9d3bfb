"""Learning where the rows are: the table stays on the machines of a cluster, and statistics come here."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from bayesfold.cli import _choices
from bayesfold.cli._choices import Asked
from bayesfold.cli._lesson import named
from bayesfold.cli._words import say
from bayesfold.io.engines.spark import connected
from bayesfold.io.fit import Account, learn_from
from bayesfold.io.open import of_part
from bayesfold.io.selection import Wanted
from bayesfold.io.source import Source
from bayesfold.learning.trained import Trained
from bayesfold.runtime.waiting import waiting


@contextmanager
def opened(tables: Sequence[str], master: str | None) -> Iterator[Source]:
    """The one table that was named, on a cluster."""
    if len(tables) > 1:
        raise ValueError("Spark reads one table; name a folder of files, a table, or a query that unites several")
    with connected(master, tables[0]) as part:
        yield of_part(part)


def chosen(asked: Asked, source: Source, quiet: bool) -> tuple[Trained, Account]:
    """The model that was asked for, of all rows of a source that stays where it is."""
    (target,), text, drop = (named(source, names) for names in ((asked.target,), asked.text, asked.drop))
    aside = {target, asked.weight, *drop}
    features = tuple(name for name in source.names if name not in aside)
    given, _ = _choices.apart(asked.families, text, target)
    told = _choices.settings(
        asked.model,
        Wanted(features, target, asked.weight),
        given,
        text,
        _choices.missing(asked.missing),
        asked.others,
        asked.loss,
        asked.reject_cost,
    )
    with waiting("learning"):
        trained, account = learn_from(asked.counting(told), source, target, asked.weight, features)
    if not quiet:
        say(f"{account}\n")
    return trained, account
