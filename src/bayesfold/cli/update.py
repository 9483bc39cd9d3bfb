"""Learn more rows: the model becomes what it would be had it learned them all at once."""

import click

from bayesfold.cli import _options as options


@click.command(epilog=options.EXAMPLES["update"])
@options.model
@options.tables
@click.option("-o", "--output", metavar="FILE", help="The new model; without it MODEL itself is replaced.")
@options.weight
@options.json
def update(model: str, tables: tuple[str, ...], output: str | None, weight: str | None, json: bool) -> None:
    """MODEL learns the rows of TABLES too; new values and new classes are welcome.

    What was found out once stays as it is: how columns are read, structure, weights between the models of a pool.
    """
    from bayesfold.cli import _changing, _models, _rows, _words
    from bayesfold.cli._files import refuse_input
    from bayesfold.cli._progress import waiting

    out = output or model
    refuse_input(out, tables)
    trained = _models.load_model(model)
    table = _rows.read_like(trained, tables)
    rows = _rows.known_to(trained, table, weight)
    before = _changing.counts(trained)
    with waiting("learning"), _rows.located(table, rows):
        trained.learn(rows.frame, rows.labels, rows.weight)
    _models.save_model(trained, out, _models.step("learned", rows.frame.rows, ", ".join(tables)))
    if json:
        _words.as_json(_changing.as_json(out, before, trained, rows))
        return
    _words.say(f"learned {_words.counted(rows.frame.rows, 'row')}{_changing.aside(rows)}\n")
    _changing.show_counts(before, trained)
    _words.say(f"\nwrote {out}")


COMMAND = update
