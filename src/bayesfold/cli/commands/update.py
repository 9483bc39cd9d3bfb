"""Learn more rows: the result equals one fit of all of them."""

import click

from bayesfold.cli import _options as options


@click.command(epilog=options.EXAMPLES["update"])
@options.model_argument
@options.tables_argument
@click.option("-o", "--output", metavar="FILE", help="The new model; without it MODEL itself is replaced.")
@options.target_option
@options.weight_option
@options.reading_options
@click.option(
    "--once",
    is_flag=True,
    help="Refuse a file that MODEL has learned already, or that is given twice.",
)
@options.no_wait_option
@options.json_option
def update(
    model: str,
    tables: tuple[str, ...],
    output: str | None,
    target: str | None,
    weight: str | None,
    encoding: str | None,
    decimal: str | None,
    once: bool,
    no_wait: bool,
    json: bool,
) -> None:
    """MODEL learns the rows of TABLES too; new values and new classes are allowed.

    What 'fit' chose stays as it is: column types, structure, weights of the models in the ensemble. Rows that were
    learned before count twice; for a file with the same content as one learned before, a note says so.
    """
    from bayesfold.cli import _changing, _models, _tables, _words
    from bayesfold.cli._files import refuse_input
    from bayesfold.io.learned_files import (
        describe_copies,
        describe_learned_again,
        digest_source,
        refuse_learned_twice,
    )

    out = _models.check_model_name(output or model)
    refuse_input(out, tables)
    with (
        _models.changing_model(model, out, target, not no_wait) as (trained, save),
        _tables.open_tables(tables, encoding, decimal) as source,
    ):
        before = _models.class_counts(trained)
        digests = digest_source(source)
        if once:
            refuse_learned_twice(trained.history, digests)
        for said in (*describe_learned_again(trained.history, digests), *describe_copies(digests)):
            _words.warn(said)
        done = _changing.learn_rows(trained, source, weight)
        save(trained, _models.make_step("learned", done.rows, source.name, [digest for _, digest in digests]))
    if json:
        _words.print_json(_changing.changes_as_json(out, before, trained, done))
        return
    _words.say(f"learned {done}\n")
    _changing.show_counts(before, trained)
    _words.say(f"\nwrote {out}")


COMMAND = update
