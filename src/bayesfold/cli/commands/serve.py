"""Open models and networks in the browser, and answer over HTTP."""

import click

from bayesfold.cli import _options as options

HOST = "The address to listen on; if other machines can reach it, requests need a token."
NAME = "A host name that requests may use for this server. May be repeated."
WORKERS = "Number of processes; with more than one, no tables can be uploaded and no models changed."


@click.command(epilog=options.EXAMPLES["serve"])
@click.argument("files", nargs=-1, type=options.File((*options.NETWORK, *options.TABLE)), metavar="FILES...")
@click.option("-t", "--target", metavar="COLUMN", help="The column to predict, if a file is a table.")
@click.option("--host", default="127.0.0.1", metavar="ADDRESS", help=HOST)
@click.option("--port", type=click.IntRange(0, 65535), default=8420, help="8420 by default; 0 is any free port.")
@click.option("--allow-host", "hosts", multiple=True, metavar="NAME", help=NAME)
@click.option("--token-file", metavar="FILE", help="A file with the token that requests must send.")
@click.option("--writable", is_flag=True, help="Models may learn and forget rows; their files are then replaced.")
@click.option("--workers", type=click.IntRange(1, 64), default=1, metavar="N", help=WORKERS)
@click.option("--open/--no-open", "browse", default=True, help="Open the page in a browser; by default on a terminal.")
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

    The page works offline. Programs use the HTTP API under /api/v1; /api/v1/openapi.json describes it.
    """
    from bayesfold.cli import _serving
    from bayesfold.web.server.settings import Settings

    paths, tables = _serving.split_files(files, target)
    token, made = _serving.choose_token(token_file, host)
    settings = Settings(paths, tables, host, port, hosts, token, writable=writable, workers=workers)
    _serving.serve_until_stopped(settings, browse, target, token if made else "")


COMMAND = serve
