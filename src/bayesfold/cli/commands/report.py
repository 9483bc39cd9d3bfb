"""Write a report on a model: one page with scores, plots, the most informative columns and the worst mistakes."""

import click

from bayesfold.cli import _options as options


@click.command(epilog=options.EXAMPLES["report"])
@options.model_argument
@options.tables_argument
@click.option("-o", "--output", metavar="FILE", help="The page; by default named after the model.")
@options.target_option
@click.option("--leave-out", is_flag=True, help="The model was fitted on these rows: cross-validate.")
@options.weight_option
@options.reading_options
def report(
    model: str,
    tables: tuple[str, ...],
    output: str | None,
    target: str | None,
    leave_out: bool,
    weight: str | None,
    encoding: str | None,
    decimal: str | None,
) -> None:
    """Evaluate MODEL on TABLES that have the target, and write a self-contained HTML report.

    It opens in any browser without a network, light or dark as the screen is, and prints well.
    """
    from pathlib import Path

    from bayesfold.cli import _models, _reporting, _rows, _tables, _words
    from bayesfold.cli._files import refuse_input
    from bayesfold.io.judging import may_have_learned, warning_of_learned_rows
    from bayesfold.runtime import atomic_file as atomic
    from bayesfold.runtime.waiting import waiting

    out = output or f"{Path(model).stem}.html"
    refuse_input(out, [model, *tables])
    trained = _models.load_model(model, target)
    if leave_out:
        _rows.warn_of_weights(trained, weight)
    with _tables.open_tables(tables, encoding, decimal) as source:
        _, rows = _rows.read_labelled(trained, source, weight, leave_out)
    with waiting("writing the report"):
        page = _reporting.make_page(trained, model, rows.heavy(), source.name, leave_out)
        atomic.write(out, page)
    _words.remark(f"wrote {out}, {len(page) / 2**20:.1f} MiB")
    if not leave_out and may_have_learned(trained, rows):
        _words.warn(warning_of_learned_rows(trained, "the model"))


COMMAND = report
