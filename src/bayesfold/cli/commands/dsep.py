"""Test whether two variables of a network are d-separated, and explain it path by path."""

import click

from bayesfold.cli import _options as options


@click.command(epilog=options.EXAMPLES["dsep"])
@click.argument("network", type=options.File(options.NETWORK))
@click.argument("a")
@click.argument("b")
@click.option(
    "-g", "--given", multiple=True, metavar="NAMES", help="What is observed; several with commas or repeated."
)
@options.json_option
def dsep(network: str, a: str, b: str, given: tuple[str, ...], json: bool) -> None:
    """Whether A and B (names, several with commas) are d-separated (independent) in NETWORK given --given.

    Every path is listed with the node that blocks it, or why it is open.
    """
    from bayesfold.cli import _networks, _words

    net = _networks.read_any_network(network)
    left, right, seen = (_networks.split_names(side, net.nodes) for side in (a, b, ",".join(given)))
    separation = net.explain_separation(left, right, seen)
    if not json:
        _words.say(str(separation))
        return
    paths = [
        {"path": p.text, "open": p.open, "steps": [{"node": s.node, "rule": s.rule, "open": s.open} for s in p.steps]}
        for p in separation.paths
    ]
    _words.print_json(
        {
            "a": separation.a,
            "b": separation.b,
            "given": separation.given,
            "independent": separation.separated,
            "paths": paths,
        }
        | {"every_path_listed": separation.complete}
    )


COMMAND = dsep
