"""Learn a Bayesian network from a table: which column depends on which, and how strongly."""

from typing import Any

import click

from bayesfold.cli import _options as options

SCORES = ("bic", "aic", "bdeu", "k2", "left_out")
SEARCHES = ("climb", "tree", "exact", "pc", "hybrid")
NUMBERS = ("states", "gaussian")
ARC = "PARENT->CHILD"


@click.command(epilog=options.EXAMPLES["learn"])
@options.tables_argument
@click.option("-o", "--output", metavar="FILE", help="The network: .bif, .xmlbif, .net, .xdsl, .uai or .json.")
@click.option("--score", type=click.Choice(SCORES), default="bic", show_default=True, help="The score to maximise.")
@click.option("--search", type=click.Choice(SEARCHES), default="climb", show_default=True, help="The search algorithm.")
@click.option("--exact", is_flag=True, help="The global optimum, for up to 25 columns: --search exact.")
@click.option("--require", multiple=True, metavar=ARC, help="An arc that must be there; may be repeated.")
@click.option("--forbid", multiple=True, metavar=ARC, help="An arc that must not be there; may be repeated.")
@click.option("--tiers", metavar="NAMES;NAMES", help="Columns in temporal order: no arc runs back.")
@click.option("--max-parents", type=click.IntRange(1), metavar="N", help="The most parents that a column may have.")
@click.option("--drop", multiple=True, metavar="NAMES", help="Columns to leave out; several with commas or repeated.")
@click.option("--cut", type=click.IntRange(2, 100), metavar="N", help="Discretise numbers into N intervals.")
@click.option(
    "--numbers",
    type=click.Choice(NUMBERS),
    default="states",
    show_default=True,
    help="Columns of more than 12 distinct numbers: each value is a state, or the column is linear Gaussian.",
)
@click.option(
    "--bootstrap", type=click.IntRange(0), default=0, metavar="N", help="Strengths of arcs from N bootstrap samples."
)
@click.option("--posterior", is_flag=True, help="Print P(arc | rows) for each arc.")
@click.option("--em", is_flag=True, help="Structural EM, to use rows with missing values.")
@click.option("--averaged", is_flag=True, help="Write the network of the strong arcs; with --bootstrap.")
@click.option("--compare", metavar="NETWORK", help="List the differences from the network in this file.")
@click.option("--plot", "picture", metavar="FILE", help="Plot (.html): strengths of arcs, or else the network.")
@click.option("--path-plot", metavar="FILE", help="Plot (.html): the score during the search.")
@click.option("--compare-plot", metavar="FILE", help="Plot (.html): both networks side by side; with --compare.")
@options.reading_options
@options.json_option
def learn(
    tables: tuple[str, ...],
    output: str | None,
    drop: tuple[str, ...],
    cut: int | None,
    averaged: bool,
    compare: str | None,
    picture: str | None,
    path_plot: str | None,
    compare_plot: str | None,
    encoding: str | None,
    decimal: str | None,
    json: bool,
    **how: Any,
) -> None:
    """Learn the structure and the tables of a Bayesian network from TABLES, and write it to a file.

    Without --em, arcs are learned from complete rows, and each table is estimated from the rows that have all of its
    columns. Arcs are listed by what each adds to the score; an arc whose direction the data cannot determine is written
    a - b.
    """
    from bayesfold.cli import _networks, _structures, _tables, _words
    from bayesfold.cli._files import refuse_input
    from bayesfold.networks.files import write_network
    from bayesfold.networks.learning.structure import learn_network
    from bayesfold.runtime.waiting import waiting

    if averaged and not how["bootstrap"]:
        raise click.UsageError("--averaged writes the arcs that bootstrap samples agree on: add --bootstrap 200")
    if compare_plot and not compare:
        raise click.UsageError("--compare-plot shows two networks: add --compare NETWORK")
    if how["numbers"] == "gaussian":
        refuse_for_numbers(cut, output)
    written = (output, picture, path_plot, compare_plot)
    for out in written:
        refuse_input(out, (*tables, *filter(None, [compare])))
    other = None if compare is None else _networks.read_any_network(compare)
    with _tables.open_tables(tables, encoding, decimal) as source:
        gone = _networks.split_names(",".join(drop), source.names)
        names = [name for name in source.names if name not in gone]
        how |= {key: _structures.read_arcs(how[key], names) for key in ("require", "forbid")}
        how["tiers"] = _structures.read_tiers(how["tiers"], names)
        with waiting("reading") as watcher:
            rows, how["states"] = _structures.read_rows(source, names, cut, how["em"], how["numbers"], watcher)
    if how.pop("exact"):
        how["search"] = "exact"
    with waiting("learning"):
        learned = learn_network(rows, holes="leave_out", **how)
    if output is not None:
        write_network(learned.averaged if averaged and learned.averaged is not None else learned.network, output)
    _structures.draw_pictures(learned, other, picture, path_plot, compare_plot)
    if json:
        _words.print_json(_structures.learned_as_json(learned, other))
    else:
        lines = learned.network if how["numbers"] == "gaussian" else None
        for part in (learned, lines, learned.strengths, learned.posterior, other and learned.compare(other)):
            if part is not None:
                _words.say(str(part) if part is learned else f"\n{part}")
    for out in written:
        if out is not None:
            _words.remark(f"wrote {out}")
    if output is None and not json:  # a program has what it asked for
        _words.warn("the network was written nowhere; -o FILE keeps it, for example -o net.json")


def refuse_for_numbers(cut: int | None, output: str | None) -> None:
    """Say before anything is learned what does not go with numbers as nodes."""
    if cut is not None:
        raise click.UsageError("--cut makes states of numbers, and --numbers gaussian leaves them numbers: choose one")
    if output is not None and not output.lower().removesuffix(".gz").endswith(".json"):
        raise click.UsageError(f"numbers as nodes are written as .json, not as {output}: choose -o net.json")


COMMAND = learn
