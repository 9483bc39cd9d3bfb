"""Answer rows: the decision and the probability of each class, as columns behind the table's own."""

import click

from bayesfold.cli import _options as options


@click.command(epilog=options.EXAMPLES["predict"])
@options.model
@options.tables
@click.option(
    "-o", "--output", metavar="FILE", help="Where the table goes; by its ending CSV, TSV, Parquet, Arrow (.gz)."
)
@click.option("--only", is_flag=True, help="Only the new columns, not the table's own.")
@click.option("--priors", metavar="CLASS=P,...", help="Class frequencies among these rows, where they are others.")
@options.json
def predict(
    model: str, tables: tuple[str, ...], output: str | None, only: bool, priors: str | None, json: bool
) -> None:
    """Append the answers of MODEL to TABLES, row by row in their order.

    The columns are: predicted, P(class) for each class, risk (what the decision is expected to cost; without costs, the
    chance that it is wrong) and, where rows may be rejected, reject. Without -o the table goes to standard output.
    """
    from bayesfold.cli import _answers, _models, _rows, _tables, _words
    from bayesfold.cli._files import refuse_input
    from bayesfold.cli._progress import waiting

    refuse_input(output, [model, *tables])
    trained = _models.load_model(model)
    table = _rows.read_like(trained, tables)
    with waiting("predicting"):
        answers = _answers.answers(trained, table, priors)
    if json:
        _words.as_json(answers.as_json())
        return
    whole, renamed = _tables.with_columns(table.arrow.select([]) if only else table.arrow, answers.columns())
    for name, free in renamed.items():
        _words.warn(f"the table has a column {name!r} already; the new one is called {free!r}")
    _tables.write(whole, output)
    if output is not None and output != "-":
        _words.remark(f"wrote {_words.counted(table.rows, 'row')} to {output}: {answers.summary()}")


COMMAND = predict
