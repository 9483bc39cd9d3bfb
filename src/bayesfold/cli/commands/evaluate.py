"""Score models on rows whose class is known, with confidence intervals and paired differences between models."""

import click

from bayesfold.cli import _options as options


@click.command(epilog=options.EXAMPLES["evaluate"])
@click.argument(
    "files", nargs=-1, required=True, type=options.File(options.MODEL + options.TABLE), metavar="MODELS... TABLES..."
)
@click.option("--loss", metavar="FILE", help="Costs of mistakes, if not those of the models.")
@click.option("--leave-out", is_flag=True, help="The model was fitted on these rows: cross-validate.")
@options.target_option
@options.weight_option
@options.groups_option
@options.allow_missing_option
@options.reading_options
@options.json_option
def evaluate(
    files: tuple[str, ...],
    loss: str | None,
    leave_out: bool,
    target: str | None,
    weight: str | None,
    groups: str | None,
    allow_missing: bool,
    encoding: str | None,
    decimal: str | None,
    json: bool,
) -> None:
    """Score MODELS (files that end in .bayes) on TABLES that have the target.

    The rows must be new to the models, or the scores are optimistic. If a model may have been fitted on them, a note
    says so; use --leave-out then: it cross-validates, repeating the choice of column types, densities, structure and
    weights without each fold. Those are the scores that `fit` prints.
    """
    from bayesfold.cli import _judging, _models, _rows, _tables, _words
    from bayesfold.io import judging
    from bayesfold.runtime.waiting import waiting

    names = [f for f in files if f.endswith(_models.ENDING)]
    tables = [f for f in files if not f.endswith(_models.ENDING)]
    if not names or not tables:
        lacking = "a model (a file that ends in .bayes)" if not names else "a table with rows to score"
        raise click.UsageError(f"name {lacking} too")
    models = _judging.shorten_names({name: _models.load_model(name, target) for name in names})
    first = next(iter(models.values()))
    _judging.check_targets(models)
    for model in models.values() if leave_out else ():
        _rows.warn_of_weights(model, weight)
    with _tables.open_tables(tables, encoding, decimal, allow_missing) as source:
        rows = {
            name: _rows.read_labelled(model, source, weight, leave_out, groups)[1].heavy()
            for name, model in models.items()
        }
    costs = None
    if loss is not None:
        from bayesfold.cli._choices import read_costs

        costs = read_costs(loss, first.model_.classes)
    with waiting("scoring"):
        said = {name: judging.score_rows(models[name], rows[name], leave_out, name) for name in models}
        said, common = judging.restrict_to_common_rows(said, next(iter(rows.values())))
        judgement = judging.judge_models(models, said, common, costs)
        suspects = [] if leave_out else [n for n in models if judging.may_have_learned(models[n], rows[n])]
    how = "; ".join(dict.fromkeys(one.how for one in said.values()))
    if json:
        _words.print_json(_judging.judgement_as_json(judgement, suspects, how))
        return
    _judging.show_judgement(judgement, common, source.name, how)
    for name in suspects:
        _words.warn(judging.warning_of_learned_rows(models[name], name))


COMMAND = evaluate
