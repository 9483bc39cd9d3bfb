"""Write a schema (column types, levels, bins) without rows, so that models fitted with it can be merged."""

from typing import Any

import click

from bayesfold.cli import _options as options


@click.command(epilog=options.EXAMPLES["schema"])
@options.tables_argument
@click.option("-t", "--target", required=True, metavar="COLUMN", help="The column to predict.")
@click.option("-o", "--output", required=True, metavar="FILE", help="The schema, a model without rows.")
@options.choosing_options
@options.reading_options
@options.json_option
def schema(
    tables: tuple[str, ...],
    target: str,
    output: str,
    encoding: str | None,
    decimal: str | None,
    json: bool,
    **asked: Any,
) -> None:
    """Choose the schema and the model on TABLES, and write them as a model without rows.

    It contains the columns, their levels, bin edges, densities, structure and weights, but no counts. Each site fits
    its rows with 'bayesfold fit --schema'; 'bayesfold merge' of these models equals one fit of all rows.
    """
    from bayesfold.cli import _learning, _models, _tables, _words
    from bayesfold.cli._choices import FitRequest
    from bayesfold.cli._files import refuse_input

    refuse_input(_models.check_model_name(output), tables)
    with _tables.open_tables(tables, encoding, decimal) as source:
        trained, *_ = _learning.fit_as_asked(FitRequest(target=target, **asked), source, quiet=json)
    blank = trained.blank()
    _models.save_model(blank, output)
    columns = [c for c in blank.columns if c.family]
    if json:
        listed = [{"column": c.name, "family": c.family} for c in columns]
        _words.print_json(
            {"schema": output, "target": target, "classes": list(blank.model_.classes), "columns": listed}
        )
        return
    _words.say(f"wrote {output}: {_words.count_things(len(columns), 'column')}, no rows")


COMMAND = schema
