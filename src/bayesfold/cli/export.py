"""Write a model for another system: ONNX, SQL, JSON, JavaScript or BIF, with the same answers."""

import click

from bayesfold.cli import _options as options


@click.command(epilog=options.EXAMPLES["export"])
@click.argument("language", metavar="FORMAT", type=options.Word("bayesfold.export"))
@options.model
@click.option("-o", "--output", metavar="FILE", help="By default named after the model.")
@click.option(
    "--set", "others", multiple=True, metavar="NAME=VALUE", help="An option of the format, e.g. table=patients."
)
def export(language: str, model: str, output: str | None, others: tuple[str, ...]) -> None:
    """Write MODEL as onnx (a graph for onnxruntime), sql (a query for DuckDB and PostgreSQL), json (plain tables), js
    (the same with a scorer for Node and browsers) or bif (a Bayesian network).

    What is written answers as the model does, for missing and unseen values too, or it is refused with the reason.
    """
    from bayesfold.cli import _exporting, _models, _words
    from bayesfold.cli._files import refuse_input

    trained = _models.load_model(model)
    out = output or _exporting.default_name(language, model)
    refuse_input(out, [model])
    _exporting.write(language, trained, out, others)
    _words.remark(f"wrote {out}")


COMMAND = export
