"""Open models and networks in the browser, and answer over HTTP."""

import click

from bayesfold.cli import _options as options


@click.command(epilog=options.EXAMPLES["serve"])
@click.argument("files", nargs=-1, type=options.File((*options.NETWORK, *options.TABLE)), metavar="FILES...")
@click.option(
    "--host", default="127.0.0.1", help="Where to listen; other than this machine alone, a token is asked for."
)
@click.option("--port", type=click.IntRange(0, 65535), default=8420, help="0 is any that is free; 8420 by default.")
@click.option(
    "--allow-host", "hosts", multiple=True, metavar="NAME", help="A name that requests may use for this server."
)
@click.option("--token-file", type=click.Path(), metavar="FILE", help="The token that requests have to know.")
@click.option("--writable", is_flag=True, help="Models may learn and forget rows, and their files are replaced.")
@click.option(
    "--workers", type=click.IntRange(1, 64), default=1, help="Processes that answer; more than one keep nothing."
)
@click.option("--open/--no-open", "browse", default=True, help="Open the page in a browser; on a terminal by default.")
def serve(
    files: tuple[str, ...],
    target: str | None,
    host: str,
    port: int,
    hosts: tuple[str, ...],
    token_file: str | None,
    writable: bool,
    workers: int,
    browse: bool,
) -> None:
    """Serve FILES: .bayes models, networks (.bif and others, or a built-in example), tables to learn.

    The page needs no network. Programs ask the same things under /api/v1; /api/v1/openapi.json describes them.
    """
    from bayesfold.cli import _serving

    _serving.serve(files, target, host, port, hosts, token_file, writable, workers, browse)


COMMAND = serve
