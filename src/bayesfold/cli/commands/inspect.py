"""Show what is in a model file: rows, classes, columns, structure, parameters, history."""

import click

from bayesfold.cli import _options as options


@click.command(epilog=options.EXAMPLES["inspect"])
@options.model_argument
@options.json_option
def inspect(model: str, json: bool) -> None:
    """Show what MODEL is, its parameters, and where its rows came from.

    A model contains counts and sums; one with a 'parzen' part also contains up to 8,192 rows.
    """
    from bayesfold.cli import _inside, _models, _words

    trained = _models.load_model(model)
    if json:
        _words.print_json(_inside.model_as_json(model, trained))
    else:
        _inside.show_model(model, trained)


COMMAND = inspect
