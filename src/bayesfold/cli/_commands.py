"""The command itself: finds the file of a command, and turns what goes wrong into one line and an exit code."""

import errno
import os
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any, cast

import click

import bayesfold
from bayesfold.cli.commands import PLUGS
from bayesfold.runtime.messages import nearest

FAILED, MISUSED, UNREAD = 1, 2, 141

EPILOG = """\b
Try it:
  bayesfold demo --table patients.csv             a table to play with
  bayesfold demo --table new.csv --seed 1         and other rows
  bayesfold fit patients.csv --target place       fit a model; writes patients.bayes
  bayesfold predict patients.bayes new.csv        predictions for new rows
  bayesfold explain patients.bayes new.csv        and their explanations

\b
Exit codes:
  0    done
  1    the data, the model or a file does not allow it; one line says why
  2    usage error: unknown command, option or argument
  130  interrupted; files are unchanged, or the line says which was written
  141  broken pipe: the reader of the output has closed it

\b
Tab completion:
  bash   eval "$(_BAYESFOLD_COMPLETE=bash_source bayesfold)"     in ~/.bashrc
  zsh    eval "$(_BAYESFOLD_COMPLETE=zsh_source bayesfold)"      in ~/.zshrc
  fish   _BAYESFOLD_COMPLETE=fish_source bayesfold | source      in config.fish

'bayesfold COMMAND --help' has examples. --debug, anywhere, prints the traceback of an error."""


class Unread(Exception):
    """Nobody reads the output any more."""


class Commands(click.Group):
    """The commands are the files of the folder `commands`; a file is loaded when its command is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Every command, by file name."""
        return PLUGS.names()

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """The command in the file of that name."""
        if name not in self.list_commands(ctx):
            return None
        return cast(click.Command, PLUGS.load(name).COMMAND)

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """The command that was typed; a misspelt one is answered with the nearest."""
        names = self.list_commands(ctx)
        if args and args[0] not in names and not args[0].startswith("-"):
            near = nearest(args[0], names)
            hint = f"there are {', '.join(names)}" if near is None else f"did you mean '{near}'?"
            raise click.UsageError(f"there is no command '{args[0]}'; {hint}", ctx)
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; click would exit with 1 if the reader of the output is gone."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise Unread from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The summaries, read off the files' first lines: nothing is imported for them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary_line(name)) for name in self.list_commands(ctx)])


def summary_line(name: str) -> str:
    """The first line of a command's file."""
    spec = find_spec(f"bayesfold.cli.commands.{name}")
    source: str = spec.loader.get_source(spec.name) if spec is not None else ""  # type: ignore[union-attr]
    return source.partition("\n")[0].strip('"').rstrip(".")


@click.command(cls=Commands, epilog=EPILOG, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(bayesfold.__version__, prog_name="bayesfold")
def commands() -> None:
    """Bayesian classification of tables: learn, predict, explain, forget.

    A table is a CSV, TSV, Parquet, Arrow, Excel or JSON lines file (.gz too), or - for standard input. A model is one
    .bayes file.
    """


UNWRITABLE = (errno.ENOSPC, errno.EBADF)
"""How it is said that standard output cannot be written: the disk is full, or it was closed."""


def run(given: Sequence[str]) -> int:
    """Run the command; returns the exit code."""
    debug = "--debug" in given
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a terminal that cannot show a letter shows a question mark
    try:
        with warnings_as_notes():
            left = commands.main([a for a in given if a != "--debug"], "bayesfold", standalone_mode=False)
        sys.stdout.flush()
        return left if isinstance(left, int) else 0
    except click.Abort:  # what click makes of an interrupt
        raise KeyboardInterrupt from None
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return MISUSED
    except click.UsageError as error:
        if debug:
            raise
        where = error.ctx.command_path if error.ctx is not None else "bayesfold"
        return report_failure(f"{one_line(error.format_message())} (see: {where} --help)", MISUSED)
    except (Unread, BrokenPipeError):
        drop_output()
        return UNREAD
    except Exception as error:
        if debug:
            raise
        from bayesfold.cli._advice import translate_advice

        if isinstance(error, OSError) and error.errno in UNWRITABLE and error.filename is None:
            drop_output()
        return report_failure(translate_advice(in_words(error)), FAILED)


@contextmanager
def warnings_as_notes() -> Iterator[None]:
    """What the library warns programmers of is a note here, without the line of code that it came from."""
    with warnings.catch_warnings():
        warnings.filterwarnings("always", category=UserWarning, module=r"bayesfold\.")
        others = warnings.showwarning

        def show(message: Warning | str, category: type[Warning], filename: str, *place: Any, **more: Any) -> None:
            if not issubclass(category, UserWarning):
                others(message, category, filename, *place, **more)
                return
            from bayesfold.cli._words import warn

            warn(str(message))

        warnings.showwarning = show
        yield


def drop_output() -> None:
    """Let what is still to be printed go nowhere, where it cannot be printed: Python flushes, and fails, at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def report_failure(message: str, code: int) -> int:
    """Print what is wrong, in one line; returns the exit code."""
    click.echo(f"{click.style('bayesfold:', fg='red', bold=True)} {message}", err=True)
    return code


def in_words(error: Exception) -> str:
    """An error as a message for a person; one that was not meant for people is reported as a bug."""
    if isinstance(error, click.ClickException):
        return one_line(error.format_message())
    if isinstance(error, OSError) and error.strerror and (error.filename is not None or error.errno in UNWRITABLE):
        named = "standard output" if error.filename is None else error.filename  # all files are written by name
        return f"{named}: {error.strerror}"
    if isinstance(error, MemoryError) and not str(error):
        return "there is not enough memory for this"
    if isinstance(error, ValueError | TypeError | OSError | RuntimeError | ImportError | MemoryError) and str(error):
        return one_line(str(error))
    return f"a mistake of bayesfold's own ({type(error).__name__}: {one_line(str(error))}); --debug shows where"


def one_line(text: str) -> str:
    """A message without line breaks."""
    return " ".join(text.split())
