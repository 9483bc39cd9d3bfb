"""Explain predictions: what each column adds to the log-odds."""

import click

from bayesfold.cli import _options as options

FIRST = 5
"""Rows that are explained where none are chosen."""


@click.command(epilog=options.EXAMPLES["explain"])
@options.model_argument
@options.tables_argument
@click.option(
    "--row", "picked", type=click.IntRange(1), multiple=True, metavar="N", help="A row, from 1. May be repeated."
)
@click.option(
    "--first", type=click.IntRange(1), show_default=str(FIRST), metavar="N", help="This many rows from the top."
)
@click.option("--of", "decision", metavar="CLASS", help="Explain this class instead of the decision ...")
@click.option("--against", metavar="CLASS", help="... against this one instead of the runner-up.")
@click.option("--change", is_flag=True, help="Also: the fewest changes that would change the decision.")
@click.option("--ask", is_flag=True, help="Also: which missing value is most worth asking for.")
@click.option("--summary", is_flag=True, help="Instead: mean absolute contribution of each column over all rows.")
@options.allow_missing_option
@options.reading_options
@options.json_option
def explain(
    model: str,
    tables: tuple[str, ...],
    picked: tuple[int, ...],
    first: int | None,
    decision: str | None,
    against: str | None,
    change: bool,
    ask: bool,
    summary: bool,
    allow_missing: bool,
    encoding: str | None,
    decimal: str | None,
    json: bool,
) -> None:
    """Explain the predictions of MODEL for rows of TABLES.

    Prints what the prior and each column add to the log-odds between the decision and the runner-up class. The
    contributions sum to the log-odds of the probabilities that 'predict' gives.
    """
    from bayesfold.cli import _models, _reasons, _rows, _tables, _words

    if summary and (picked or first or change or ask):
        raise click.UsageError("--summary is of all rows; leave out --row, --first, --change and --ask")
    if picked and first:
        raise click.UsageError("--row chooses rows, and --first takes those at the top; give one of them")
    trained = _models.load_model(model)
    with _tables.open_tables(tables, encoding, decimal, allow_missing) as source:
        table = _tables.read_all(trained, source)
        place = None if summary else _reasons.pick_rows(table, picked, first or FIRST)
        chosen = table if place is None else table.taken(place)
        frame = _reasons.read_frame(trained, table, chosen)
    with _rows.located(chosen):
        why = _reasons.explain_rows(trained, frame, decision, against)
    if summary:
        _words.print_json(dict(why.importance())) if json else _reasons.show_importance(why)
        return
    explained = [
        _reasons.ExplainedRow(n, one, *_reasons.answer_further(trained, frame, i, change, ask))
        for i, (n, one) in enumerate(zip(_reasons.row_numbers(place), why, strict=True))
    ]
    if json:
        _words.print_json([_reasons.row_as_json(one) for one in explained])
        return
    for one in explained:
        _reasons.show_row(one)
    _reasons.show_notes(explained)
    if not picked and table.rows > len(explained):
        _words.remark(
            f"{_words.count_things(table.rows - len(explained), 'more row')}; choose with --row N or --first N"
        )


COMMAND = explain
