"""Learn a Bayesian network from a table: which column depends on which, and how strongly."""

from typing import Any

import click

from bayesfold.cli import _options as options

SCORES = ("bic", "aic", "bdeu", "k2", "left_out")
SEARCHES = ("climb", "tree", "exact", "pc", "hybrid")
ARC = "PARENT->CHILD"


@click.command(epilog=options.EXAMPLES["learn"])
@options.tables
@click.option("-o", "--output", metavar="FILE", help="The network: .bif, .xmlbif, .net, .xdsl, .uai or .json.")
@click.option("--score", type=click.Choice(SCORES), default="bic", show_default=True, help="What is maximised.")
@click.option("--search", type=click.Choice(SEARCHES), default="climb", show_default=True, help="How arcs are found.")
@click.option("--exact", is_flag=True, help="The best of all networks, for up to 25 columns: --search exact.")
@click.option("--require", multiple=True, metavar=ARC, help="An arc that must be there; may be repeated.")
@click.option("--forbid", multiple=True, metavar=ARC, help="An arc that must not be there; may be repeated.")
@click.option("--tiers", metavar="NAMES;NAMES", help="Columns in their order in time: no arc runs back.")
@click.option("--max-parents", type=click.IntRange(1), metavar="N", help="The most parents that a column may have.")
@click.option("--drop", multiple=True, metavar="NAMES", help="Columns to leave out; several with commas or repeated.")
@click.option("--cut", type=click.IntRange(2, 100), metavar="N", help="Cut numbers with many values into N intervals.")
@click.option(
    "--bootstrap", type=click.IntRange(0), default=0, metavar="N", help="Say how sure arcs are, by N samples."
)
@click.option("--averaged", is_flag=True, help="Write the network of the arcs that are sure; with --bootstrap.")
@click.option("--plot", "picture", metavar="FILE", help="A picture of how sure arcs are (.html); with --bootstrap.")
@options.reading
@options.json
def learn(
    tables: tuple[str, ...],
    output: str | None,
    drop: tuple[str, ...],
    cut: int | None,
    averaged: bool,
    picture: str | None,
    encoding: str | None,
    decimal: str | None,
    json: bool,
    **how: Any,
) -> None:
    """Learn which columns of TABLES depend on which, and write the network with its tables.

    Rows that lack a value are left out. Arcs are listed by what each adds to the score; where the data cannot tell
    which way an arc points, it is written a - b.
    """
    from bayesfold.cli import _networks, _structures, _tables, _words
    from bayesfold.cli._files import refuse_input
    from bayesfold.networks.files import write_network
    from bayesfold.networks.learning.structure import learn_network
    from bayesfold.plots import arc_strengths, save

    if (averaged or picture) and not how["bootstrap"]:
        raise click.UsageError("--averaged and --plot show what samples say of arcs: add --bootstrap 200")
    for out in (output, picture):
        refuse_input(out, tables)
    with _tables.opened(tables, encoding, decimal) as source:
        gone = _networks.split(",".join(drop), source.names)
        names = [name for name in source.names if name not in gone]
        how |= {key: _structures.arcs(how[key], names) for key in ("require", "forbid")}
        how["tiers"] = _structures.tiers(how["tiers"], names)
        rows, how["states"] = _structures.whole_rows(source, names, cut)
    if how.pop("exact"):
        how["search"] = "exact"
    found = learn_network(rows, **how)
    if output is not None:
        write_network(found.averaged if averaged and found.averaged is not None else found.network, output)
    if picture is not None and found.strengths is not None:
        save(arc_strengths.draw(arc_strengths.data(found)), picture)
    if json:
        _words.as_json(_structures.as_json(found))
    else:
        _words.say(str(found))
        if found.strengths is not None:
            _words.say(f"\n{found.strengths}")
    for out in (output, picture):
        if out is not None:
            _words.remark(f"wrote {out}")


COMMAND = learn
