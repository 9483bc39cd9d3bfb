"""Predict rows: appends the decision and the probability of each class to the table."""

import click

from bayesfold.cli import _options as options


@click.command(epilog=options.EXAMPLES["predict"])
@options.model_argument
@options.tables_argument
@click.option("-o", "--output", metavar="FILE", help="CSV, TSV (also .gz), Parquet or Arrow, by its extension.")
@click.option("--priors", metavar="CLASS=P,...", help="Class frequencies among these rows, if not those learned.")
@click.option("--prefix", default="", metavar="TEXT", help="A prefix for the names of the new columns.")
@options.allow_missing_option
@options.reading_options
@options.json_option
def predict(
    model: str,
    tables: tuple[str, ...],
    output: str | None,
    priors: str | None,
    prefix: str,
    allow_missing: bool,
    encoding: str | None,
    decimal: str | None,
    json: bool,
) -> None:
    """Append the predictions of MODEL to TABLES of any size; rows stay in their order.

    The new columns are: predicted, P(class) for each class, risk (the expected cost of the decision) if the model has
    costs, and reject if it may reject rows. All other cells keep their spelling. Without -o the table goes to standard
    output.
    """
    from bayesfold.cli import _answers, _models, _tables, _words
    from bayesfold.cli._files import refuse_input
    from bayesfold.runtime.waiting import waiting

    if json and output not in (None, "-"):
        raise click.UsageError("--json prints the predictions, and -o writes them as a table; give one of them")
    refuse_input(output, [model, *tables])
    if json or output in (None, "-"):
        _words.require_output()
    scorer = _answers.CountingScorer(_models.load_model(model), priors)
    with _tables.open_tables(tables, encoding, decimal, allow_missing) as source, waiting("predicting") as watcher:
        if json:
            _words.print_json(_answers.answers_as_json(scorer, source, prefix))
        else:
            rows = _answers.write_answers(scorer, source, output or "-", watcher, prefix)
    for note in scorer.unseen.notes(few=True):
        _words.warn(note)
    if not json and output is not None and output != "-":
        _words.remark(f"wrote {_words.count_things(rows, 'row')} to {output}: {scorer.summary()}")


COMMAND = predict
