"""Draw a plot of a model, or of its predictions, as a self-contained HTML page."""

import ast
from importlib.util import find_spec
from pathlib import Path

import click
from click.core import ParameterSource

from bayesfold.cli import _options as options

FOLDER = "bayesfold.plots"


def describe_pictures() -> list[tuple[str, str]]:
    """Each picture and what it shows: the first sentence of its file, for which nothing is imported."""
    spec = find_spec(FOLDER)
    folders = [Path(folder) for folder in (spec and spec.submodule_search_locations) or ()]
    lines = []
    for name in options.plug_words(FOLDER):
        texts = [(folder / f"{name}.py").read_text("utf-8") for folder in folders if (folder / f"{name}.py").is_file()]
        says = (ast.get_docstring(ast.parse(texts[0])) if texts else None) or ""
        lines.append((name, says.split("\n\n")[0].replace("\n", " ").removesuffix(".")))
    return lines


class PlotCommand(click.Command):
    """The command, whose help ends with a line on each picture."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The examples, and the pictures."""
        super().format_epilog(ctx, formatter)
        with formatter.section("Pictures"):
            formatter.write_dl(describe_pictures())


@click.command(cls=PlotCommand, epilog=options.EXAMPLES["plot"])
@click.argument("words", nargs=-1, required=True, type=options.Picture(), metavar="[PICTURE] MODEL [TABLES...]")
@click.option("-o", "--output", metavar="FILE", help="A .html page; .png, .svg or .pdf where kaleido is installed.")
@click.option(
    "--row", type=click.IntRange(1), default=1, show_default=True, metavar="N", help="The row of a waterfall."
)
@click.option("--of", "decision", metavar="CLASS", help="The class of a nomogram or a waterfall ...")
@click.option("--against", metavar="CLASS", help="... and the one it is set against.")
@options.target_option
@options.weight_option
@click.option("--leave-out", is_flag=True, help="The model was fitted on these rows: leave each one out.")
@options.reading_options
@click.option("--dark", is_flag=True, help="Dark background.")
def plot(
    words: tuple[str, ...],
    output: str | None,
    row: int,
    decision: str | None,
    against: str | None,
    target: str | None,
    weight: str | None,
    leave_out: bool,
    encoding: str | None,
    decimal: str | None,
    dark: bool,
) -> None:
    """Draw PICTURE of MODEL, or of its predictions for TABLES; without PICTURE, the one that FILE is named after.

    Some plots need the model alone (nomogram, densities, network; the last also takes a Bayesian network file), one
    needs a row (waterfall), the others need rows with their classes.
    """
    from bayesfold.cli import _models, _pictures, _words
    from bayesfold.cli._files import refuse_input
    from bayesfold.plots import save

    picture, model, tables = _pictures.split_words(words, output)
    by_default = click.get_current_context().get_parameter_source("row") is ParameterSource.DEFAULT
    given = {"--row": not by_default, "--of": decision, "--against": against, "--leave-out": leave_out}
    _pictures.refuse_idle(picture, [option for option, value in given.items() if value])
    out = output or f"{picture}.html"
    refuse_input(out, [model, *tables])
    if _pictures.is_network(picture, model):
        numbers = _pictures.network_numbers(picture, model, tables)
    else:
        trained = _models.load_model(model, target)
        chosen = (encoding, decimal), row, decision, against, leave_out, weight
        numbers = _pictures.picture_numbers(picture, trained, tables, *chosen)
    figure = _pictures.draw_picture(picture, numbers, dark)
    save(figure, out)
    _words.remark(f"wrote {out}")


COMMAND = plot
