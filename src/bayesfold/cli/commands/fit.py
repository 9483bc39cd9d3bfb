"""Learn a table: kinds of columns, a model and its held-out scores, all by itself."""

import click

from bayesfold.cli import _options as options


@click.command(epilog=options.EXAMPLES["fit"])
@options.tables
@click.option("-t", "--target", metavar="COLUMN", help="The column to predict.")
@click.option("-o", "--output", metavar="FILE", help="The model file; by default named after the table.")
@click.option("-m", "--model", type=options.Word("bayesfold.learning.kinds"), metavar="KIND", help=options.kinds())
@click.option(
    "--as", "families", multiple=True, metavar="COLUMN=FAMILY", help="What a column is, e.g. Age=categorical."
)
@click.option("--text", multiple=True, metavar="COLUMN", help="A column of prose, read word by word. May be repeated.")
@click.option("--missing", multiple=True, metavar="MARKS", help="What means missing, e.g. '?,Glucose=0'.")
@click.option("--drop", multiple=True, metavar="COLUMN", help="A column to leave out. May be repeated.")
@click.option("--weight", metavar="COLUMN", help="A column that says how much each row counts.")
@click.option("--weight-counts", is_flag=True, help="Weights are numbers of equal rows; one is held out, not all.")
@click.option("--loss", metavar="FILE", help="What mistakes cost, loss[decision][truth]: a JSON or CSV file.")
@click.option(
    "--reject-cost", type=float, metavar="COST", help="What it costs not to decide; then rows may be rejected."
)
@click.option("--set", "others", multiple=True, metavar="NAME=VALUE", help="Any other setting of the model.")
@click.option("--like", metavar="MODEL", help="Read columns as this model does, so that both can be merged.")
@click.option("--checkpoint", metavar="FILE", help="Keep a long count here; the same command goes on after a kill.")
@options.reading
@options.json
def fit(
    tables: tuple[str, ...],
    target: str | None,
    output: str | None,
    model: str | None,
    families: tuple[str, ...],
    text: tuple[str, ...],
    missing: tuple[str, ...],
    drop: tuple[str, ...],
    weight: str | None,
    weight_counts: bool,
    loss: str | None,
    reject_cost: float | None,
    others: tuple[str, ...],
    like: str | None,
    checkpoint: str | None,
    encoding: str | None,
    decimal: str | None,
    json: bool,
) -> None:
    """Learn the rows of TABLES, and write a model.

    Nothing else needs to be said: what each column is, which of them say something, and how much each model of the pool
    is to be believed are found out on rows held out for that; no row is lost to a test set.
    """
    from dataclasses import replace
    from functools import partial

    from bayesfold.cli import _choices, _learning, _lesson, _models, _tables, _words
    from bayesfold.cli._files import refuse_input, refuse_one_for_both
    from bayesfold.learning.kinds import COUNTS

    if weight_counts and weight is None:
        raise click.UsageError("--weight-counts says what the column of --weight COLUMN is; name it too")
    chosen = weight_counts or model or families or text or missing or others or drop or loss or reject_cost is not None
    if like is not None and chosen:
        raise click.UsageError("--like takes everything from that model; leave the other choices out")
    if like is not None and checkpoint is not None:
        raise click.UsageError("--checkpoint keeps a count for which choices were made; with --like there are none")
    out = _models.named(output or _models.default_name(list(tables)))
    refuse_input(out, [*tables, like, loss])
    if checkpoint is not None:
        refuse_input(checkpoint, [*tables, loss], "--checkpoint")
        refuse_one_for_both(out, checkpoint)
    kept = None
    with _tables.opened(tables, encoding, decimal) as source:
        if like is not None:
            pattern = _models.load_model(like)
            trained, rows = _learning.taught_like(pattern, source, target or pattern.target, weight)
            trained = _learning.with_scores_like(trained, rows, pattern, like)
            if not json:
                aside = f" ({_words.counted(rows.unlabelled, 'row')} without a class put aside)" * bool(rows.unlabelled)
                _words.say(f"{source.name}: {_words.counted(trained.rows, 'row')}{aside}, read as {like} reads them\n")
        else:
            if target is None:
                raise click.UsageError(_lesson.which_target(source))
            marks, text = _choices.missing(missing), _lesson.named(source, text, target)
            given, declared = _choices.apart(families, text, target)
            guess = partial(_choices.guess, source, model, given, text, marks)
            lesson = _lesson.Lesson.of(source, target, weight, drop, declared, marks, guess)
            rows = lesson.rows
            if not json:
                lesson.greet()
            lesson.remarks([*text, *(one.rpartition("=")[0] for one in given)])
            told = _choices.settings(
                model, lesson.wanted, given, text, lesson.missing, others, loss, reject_cost, rows.classes
            )
            if weight_counts:
                told = replace(told, weights_are=COUNTS)
            trained, account = _learning.taught(told, lesson, quiet=json, checkpoint=checkpoint)
            rows, kept = replace(rows, unlabelled=account.unlabelled), account.checkpoint
            trained = _learning.with_scores(trained, rows)
    replaced = _models.save_model(trained, out, _models.step("learned", trained.rows, source.name))
    if kept is not None:
        kept.discard()  # the model is safe
    if json:
        _words.as_json(_learning.as_json(trained, rows, out))
        return
    if trained.report is None:
        _learning.show_columns(trained.columns)
    _learning.show_scores(trained)
    _words.say(f"\n{'replaced' if replaced else 'wrote'} {out}")


COMMAND = fit
