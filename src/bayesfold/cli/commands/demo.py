"""Show what bayesfold does, or write a table to play with."""

import click
from click.core import ParameterSource

from bayesfold.cli import _options as options


@click.command(epilog=options.EXAMPLES["demo"])
@click.option("--table", "out", metavar="FILE", help="Write a generated table of patients instead: CSV or Parquet.")
@click.option("--rows", type=click.IntRange(10), metavar="N", help="Rows of the table, 1,000 by default.")
@click.option("--seed", type=int, default=0, help="The random seed of the rows.")
@click.option("--web", is_flag=True, help="Show the page in a browser instead, with built-in models.")
@click.option("--port", type=click.IntRange(0, 65535), default=8420, help="The port of the page, with --web.")
@click.option("--open/--no-open", "browse", default=True, help="Open a browser, with --web.")
def demo(out: str | None, rows: int | None, seed: int, web: bool, port: int, browse: bool) -> int:
    """A tour in the terminal: real tables with default parameters, then a million rows learned and forgotten.

    With --table: write a generated table of emergency patients, with missing values; the target is 'place'.
    """
    from bayesfold.cli import _words

    refuse_idle(out is not None, web)
    if web:
        from bayesfold.cli import _serving

        _serving.demonstrate(port, browse)
        return 0
    if out is None:
        from bayesfold.demo.__main__ import main

        return main([] if rows is None else ["--rows", str(rows)])
    from bayesfold.demo.triage import triage
    from bayesfold.io.writers import Sink
    from bayesfold.runtime.arrow_buffers import arrow_texts

    table, place = triage(rows or 1_000, seed)
    refuse_stranger(out, [*table.column_names, "place"])
    with Sink(out) as sink:
        sink.write(table.append_column("place", arrow_texts(place.tolist())))
    _words.remark(
        f"wrote {_words.count_things(table.num_rows, 'patient')} to {out}; next: bayesfold fit {out} --target place"
    )
    return 0


def refuse_idle(table: bool, web: bool) -> None:
    """Refuse an option that would do nothing, given with what it does not belong to."""
    if table and web:
        raise click.UsageError("--table writes a file, and --web shows the page; give one of them")
    given = click.get_current_context().get_parameter_source
    for name, option, serves, by in (
        ("rows", "--rows", not web, "is of a table, and --web shows none of that size"),
        ("seed", "--seed", table, "draws the rows of a table; add --table FILE"),
        ("port", "--port", web, "is the page's; add --web"),
        ("browse", "--open/--no-open", web, "is about the page; add --web"),
    ):
        if not serves and given(name) is ParameterSource.COMMANDLINE:
            raise click.UsageError(f"{option} {by}")


def refuse_stranger(out: str, names: list[str]) -> None:
    """Refuse to write over a file that is no table of this demonstration: --table may be taken for one to be read."""
    from pathlib import Path

    from bayesfold.io.open import open_source

    if not Path(out).is_file() or not Path(out).stat().st_size:
        return
    try:
        with open_source(out) as source:
            ours = list(source.names) == names
    except ValueError:
        ours = False
    if not ours:
        raise ValueError(f"{out} exists already and is not a table of this demonstration; give another name")


COMMAND = demo
