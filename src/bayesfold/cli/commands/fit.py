"""Learn a table: kinds of columns, a model and its held-out scores, all by itself."""

from typing import Any

import click

from bayesfold.cli import _options as options


@click.command(epilog=options.EXAMPLES["fit"])
@options.tables
@click.option("-t", "--target", metavar="COLUMN", help="The column to predict.")
@click.option("-o", "--output", metavar="FILE", help="The model file; by default named after the table.")
@options.choosing
@click.option("--weight", metavar="COLUMN", help="A column that says how much each row counts.")
@click.option("--weight-counts", is_flag=True, help="A weight of n stands for n equal rows, held out one by one.")
@click.option("--loss", metavar="FILE", help="What mistakes cost, loss[decision][truth]: a JSON or CSV file.")
@click.option(
    "--reject-cost", type=float, metavar="COST", help="What it costs not to decide; then rows may be rejected."
)
@click.option(
    "--like", "--schema", "like", metavar="MODEL", help="Read columns as this model or schema does, so that all add up."
)
@click.option("--min-cell", type=int, metavar="ROWS", help="With --schema: withhold cells of fewer rows.")
@click.option("--epsilon", type=float, help="With --schema: noise in every count, for differential privacy.")
@click.option("--engine", type=click.Choice(["spark"]), help="TABLES is one of Spark's: its rows stay there.")
@click.option("--master", metavar="ADDRESS", help="With --engine spark: spark://..., sc://..., yarn or local[4].")
@click.option("--checkpoint", metavar="FILE", help="Keep a long count here; the same command goes on after a kill.")
@options.reading
@options.json
def fit(
    tables: tuple[str, ...],
    target: str | None,
    output: str | None,
    weight: str | None,
    weight_counts: bool,
    loss: str | None,
    reject_cost: float | None,
    like: str | None,
    min_cell: int | None,
    epsilon: float | None,
    engine: str | None,
    master: str | None,
    checkpoint: str | None,
    encoding: str | None,
    decimal: str | None,
    json: bool,
    **others: Any,
) -> None:
    """Learn the rows of TABLES, and write a model.

    Nothing else needs to be said: what each column is, which of them say something, and how much each model of the pool
    is to be believed are found out on rows held out for that; no row is lost to a test set.
    """
    from bayesfold.cli import _cluster, _learning, _lesson, _models, _sharing, _tables, _words
    from bayesfold.cli._choices import Asked
    from bayesfold.cli._files import refuse_input, refuse_one_for_both

    if weight_counts and weight is None:
        raise click.UsageError("--weight-counts says what the column of --weight COLUMN is; name it too")
    if like is not None and (weight_counts or loss or reject_cost is not None or any(others.values())):
        raise click.UsageError("--like takes everything from that model; leave the other choices out")
    if like is not None and checkpoint is not None:
        raise click.UsageError("--checkpoint keeps a count for which choices were made; with --like there are none")
    if like is None and (min_cell is not None or epsilon is not None):
        raise click.UsageError(
            "--min-cell and --epsilon hide rows in counts, and choices tell of rows too: choose on other rows "
            "('bayesfold schema'), and give that with --schema FILE"
        )
    if min_cell is not None and epsilon is not None:
        raise click.UsageError("--epsilon puts noise into every cell, so that none is to be withheld; leave one out")
    if master is not None and engine is None:
        raise click.UsageError("--master says where Spark is; add --engine spark")
    if engine is not None and (checkpoint or encoding or decimal):
        raise click.UsageError(f"--engine {engine} leaves --checkpoint, --encoding and --decimal no work")
    out = _models.model_file(output or _models.default_name(list(tables)))
    refuse_input(out, [*([] if engine else tables), like, loss])
    if checkpoint is not None:
        refuse_input(checkpoint, [*tables, loss], "--checkpoint")
        refuse_one_for_both(out, checkpoint)
    kept = None
    with _cluster.opened(tables, master) if engine else _tables.opened(tables, encoding, decimal) as source:
        if like is not None:
            pattern = _models.load_model(like)
            told = pattern, source, target or pattern.target, weight
            rows = None
            if engine is not None:
                trained, unlabelled = _cluster.taught_like(*told)
            else:
                trained, rows = _learning.taught_like(*told)
                unlabelled = rows.unlabelled
            if epsilon is not None:
                trained = _sharing.with_noise(trained, pattern, epsilon)
            elif min_cell is not None:
                trained = _sharing.without_small_cells(trained, min_cell)
            elif rows is not None:
                trained = _learning.with_scores_like(trained, rows, pattern, like)
            if not json:
                aside = f" ({_words.counted(unlabelled, 'row')} without a class put aside)" * bool(unlabelled)
                _words.say(f"{source.name}: {_words.counted(trained.rows, 'row')}{aside}, read as {like} reads them\n")
        else:
            if target is None:
                raise click.UsageError(_lesson.which_target(source))
            asked = Asked(
                target=target, weight=weight, weight_counts=weight_counts, loss=loss, reject_cost=reject_cost, **others
            )
            if engine is not None:
                trained, account = _cluster.chosen(asked, source, json)
            else:
                trained, rows, account = _learning.chosen(asked, source, json, checkpoint)
                trained = _learning.with_scores(trained, rows)
            kept, unlabelled = account.checkpoint, account.unlabelled
    replaced = _models.save_model(trained, out, _models.step("learned", trained.rows, source.name))
    if kept is not None:
        kept.discard()  # the model is safe
    if json:
        _words.as_json(_learning.as_json(trained, unlabelled, out))
        return
    if trained.report is None:
        _learning.show_columns(trained.columns)
    _learning.show_scores(trained)
    _words.say(f"\n{'replaced' if replaced else 'wrote'} {out}")


COMMAND = fit
