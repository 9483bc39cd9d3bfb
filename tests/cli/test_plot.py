"""The help of `bayesfold plot`."""

from click.testing import CliRunner

from bayesfold import plots
from bayesfold.cli.commands.plot import COMMAND


def test_the_help_says_what_each_picture_shows():
    """It listed their names alone."""
    shown = " ".join(CliRunner().invoke(COMMAND, ["--help"]).output.split("Pictures:")[1].split())
    for name in plots.names():
        first = " ".join(plots.find(name).__doc__.split("\n\n")[0].split()).removesuffix(".")
        assert f"{name} {first}" in shown
