"""Learn more rows: the model becomes what it would be had it learned them all at once."""

import click

from bayesfold.cli import _options as options


@click.command(epilog=options.EXAMPLES["update"])
@options.model
@options.tables
@click.option("-o", "--output", metavar="FILE", help="The new model; without it MODEL itself is replaced.")
@options.target
@options.weight
@options.reading
@options.no_wait
@options.json
def update(
    model: str,
    tables: tuple[str, ...],
    output: str | None,
    target: str | None,
    weight: str | None,
    encoding: str | None,
    decimal: str | None,
    no_wait: bool,
    json: bool,
) -> None:
    """MODEL learns the rows of TABLES too; new values and new classes are welcome.

    What was found out once stays as it is: how columns are read, structure, weights between the models of a pool.
    """
    from bayesfold.cli import _changing, _models, _tables, _words
    from bayesfold.cli._files import refuse_input

    out = _models.model_file(output or model)
    refuse_input(out, tables)
    with (
        _models.changing_model(model, out, target, not no_wait) as (trained, save),
        _tables.opened(tables, encoding, decimal) as source,
    ):
        before = _models.counts(trained)
        done = _changing.learn(trained, source, weight)
        save(trained, _models.step("learned", done.rows, source.name))
    if json:
        _words.as_json(_changing.as_json(out, before, trained, done))
        return
    _words.say(f"learned {done}\n")
    _changing.show_counts(before, trained)
    _words.say(f"\nwrote {out}")


COMMAND = update
