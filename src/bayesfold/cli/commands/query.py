"""Query a Bayesian network: P(targets | evidence), in textbook notation."""

import click

from bayesfold.cli import _options as options


@click.command(epilog=options.EXAMPLES["query"])
@click.argument("network", type=options.File(options.NETWORK))
@click.argument("question")
@click.option("--steps", is_flag=True, help="Show variable elimination step by step, table by table.")
@click.option("--most-probable", is_flag=True, help="The most probable joint state instead of a distribution.")
@options.json_option
def query(network: str, question: str, steps: bool, most_probable: bool, json: bool) -> None:
    """Query NETWORK (a .bif, .xmlbif, .net, .xdsl, .uai or .json file, a .bayes model, or a built-in example).

    QUESTION is 'targets | evidence', for example "lung | smoke=yes, xray=no"; a state may be asked about ("lung=yes |
    smoke=yes"), and do(x=1) sets a variable instead of observing it. Of a number the answer is its mean and standard
    deviation, or a mixture of normals.
    """
    from bayesfold.cli import _networks, _words

    if steps and (most_probable or json):
        raise click.UsageError("--steps shows a derivation as text; leave --most-probable and --json out")
    net = _networks.read_any_network(network)
    if most_probable:
        named = _networks.has_targets(net, question)
        most_likely = (
            net.map(question)
            if named
            else _networks.require_states(net, "--most-probable without a target").mpe(question)
        )
        if json:
            _words.print_json({"states": most_likely.states, "probability": most_likely.probability})
        else:
            _words.print_table(("variable", "state"), [(v, str(s)) for v, s in most_likely.states.items()], left=2)
            _words.say(f"together with probability {most_likely.probability:.6g}")
        return
    if steps:
        _words.say(str(_networks.require_states(net, "--steps").derivation(question)))
        return
    answer = net.query(question)
    if json:
        _words.print_json(_networks.answer_as_json(answer))
    else:
        _words.say(str(answer))


COMMAND = query
