"""Forget learned rows, exactly, and show what that changed."""

import click

from bayesfold.cli import _options as options


@click.command(epilog=options.EXAMPLES["forget"])
@options.model_argument
@options.tables_argument
@click.option("-o", "--output", metavar="FILE", help="The new model; without it MODEL itself is replaced.")
@click.option("--keep-levels", is_flag=True, help="Keep levels, words and classes that have no rows left.")
@options.target_option
@options.weight_option
@options.reading_options
@options.no_wait_option
@options.json_option
def forget(
    model: str,
    tables: tuple[str, ...],
    output: str | None,
    keep_levels: bool,
    target: str | None,
    weight: str | None,
    encoding: str | None,
    decimal: str | None,
    no_wait: bool,
    json: bool,
) -> None:
    """MODEL forgets the rows of TABLES: the result equals a model fitted without them.

    Levels, words and classes that have no rows left are removed too. If a row cannot have been learned, the command
    fails and nothing is forgotten. Copies of the old model file are not changed: delete
    them too if the rows must be gone.
    """
    from bayesfold.cli import _changing, _models, _tables, _words
    from bayesfold.cli._files import refuse_input
    from bayesfold.io.learned_files import digest_source, forget_digests

    out = _models.check_model_name(output or model)
    refuse_input(out, tables)
    with (
        _models.changing_model(model, out, target, not no_wait) as (trained, save),
        _tables.open_tables(tables, encoding, decimal) as source,
    ):
        before = _models.class_counts(trained)
        done, changes = _changing.forget_rows(trained, source, weight, keep_levels)
        trained.history = forget_digests(trained.history, digest_source(source))
        save(trained, _models.make_step("forgot", done.rows, ""))
    if json:
        _words.print_json(_changing.changes_as_json(out, before, trained, done) | {"largest_changes": changes})
        return
    _words.say(f"forgot {done}\n")
    _changing.show_counts(before, trained)
    _changing.show_changes(changes)
    _words.say(f"\nwrote {out}")


COMMAND = forget
