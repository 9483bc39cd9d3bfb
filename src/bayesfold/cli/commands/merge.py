"""Merge models of different rows: the result equals one model fitted on all of them."""

import click

from bayesfold.cli import _options as options


@click.command(epilog=options.EXAMPLES["merge"])
@click.argument("models", nargs=-1, required=True, type=options.File(options.MODEL), metavar="MODELS...")
@click.option("-o", "--output", required=True, metavar="FILE", help="The model of all rows.")
@options.json_option
def merge(models: tuple[str, ...], output: str, json: bool) -> None:
    """Merge MODELS into one, as if it had been fitted on all their rows.

    They must have the same schema: fit the second with 'bayesfold fit --like FIRST.bayes'. Rows that two of them have
    learned count twice.
    """
    from bayesfold.cli import _merging, _models, _words
    from bayesfold.cli._files import refuse_input
    from bayesfold.io.learned_files import describe_shared

    if len(models) < 2:
        raise click.UsageError("name at least two models to merge")
    refuse_input(_models.check_model_name(output), models)
    loaded = [(name, _models.load_model(name)) for name in models]
    whole = _merging.merge_all(loaded)
    histories = {name: one.history for name, one in loaded}
    for said in _merging.twice_named(models) or describe_shared(histories):
        _words.warn(said)
    _models.save_model(whole, output)
    if json:
        parts = [{"model": name, "rows": sum(_models.class_counts(one).values())} for name, one in loaded]
        after = [{"class": c, "rows": n} for c, n in _models.class_counts(whole).items()]
        _words.print_json({"model": output, "merged": parts, "classes": after})
        return
    _merging.show_merged(loaded, whole)
    _words.say(f"\nwrote {output}")


COMMAND = merge
