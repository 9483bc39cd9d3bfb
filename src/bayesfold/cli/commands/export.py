"""Export a model to ONNX, SQL, JSON, JavaScript or BIF, with the same predictions."""

import click

from bayesfold.cli import _options as options


@click.command(epilog=options.EXAMPLES["export"])
@options.model_argument
@click.option("-o", "--output", metavar="FILE", help="Its extension says the format. By default named after the model.")
@click.option(
    "--to", "language", metavar="FORMAT", type=options.Word("bayesfold.store.export"), help="The format, by name."
)
@click.option(
    "--set", "others", multiple=True, metavar="NAME=VALUE", help="An option of the format, e.g. table=patients."
)
def export(model: str, output: str | None, language: str | None, others: tuple[str, ...]) -> None:
    """Write MODEL as onnx (a graph for onnxruntime), sql (a query for DuckDB and PostgreSQL), json (plain tables), js
    (the same with a scorer for Node and browsers) or bif (a Bayesian network).

    The export gives the same predictions as the model, for missing and unseen values too; where that is impossible,
    the command fails and says why.
    """
    from bayesfold.cli import _exporting, _models, _words
    from bayesfold.cli._files import refuse_input

    out, form = _exporting.choose_output(model, output, language)
    refuse_input(out, [model])
    _exporting.write_export(form, _models.load_model(model), out, others)
    _words.remark(f"wrote {out}{_exporting.rows_hint(form, others)}")


COMMAND = export
