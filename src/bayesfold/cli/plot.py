"""Draw a picture of a model, or of its answers, as a page that needs nothing else."""

import click

from bayesfold.cli import _options as options


@click.command(
    epilog=options.EXAMPLES["plot"] + "\n\n\b\nPictures:\n  " + "\n  ".join(options.words("bayesfold.plots"))
)
@click.argument("picture", type=options.Word("bayesfold.plots"))
@options.model
@click.argument("tables", nargs=-1, type=options.File(options.TABLE), metavar="[TABLES...]")
@click.option("-o", "--output", metavar="FILE", help="A .html page; .png, .svg or .pdf where kaleido is installed.")
@click.option(
    "--row", type=click.IntRange(1), default=1, show_default=True, metavar="N", help="The row of a waterfall."
)
@click.option("--of", "decision", metavar="CLASS", help="The class of a nomogram or a waterfall ...")
@click.option("--against", metavar="CLASS", help="... and the one it is set against.")
@click.option("--leave-out", is_flag=True, help="The rows were learned: score each by the model of all the others.")
@click.option("--dark", is_flag=True, help="Light on dark.")
def plot(
    picture: str,
    model: str,
    tables: tuple[str, ...],
    output: str | None,
    row: int,
    decision: str | None,
    against: str | None,
    leave_out: bool,
    dark: bool,
) -> None:
    """Draw PICTURE of MODEL, or of its answers for TABLES.

    nomogram and densities are of the model alone; the others need rows, and all but the waterfall need their classes.
    """
    from bayesfold.cli import _models, _pictures, _words
    from bayesfold.cli._files import refuse_input
    from bayesfold.plots import save

    out = output or f"{picture}.html"
    refuse_input(out, [model, *tables])
    trained = _models.load_model(model)
    numbers = _pictures.numbers(picture, trained, tables, row, decision, against, leave_out)
    figure = _pictures.drawn(picture, numbers, dark)
    save(figure, out)
    _words.remark(f"wrote {out}")


COMMAND = plot
