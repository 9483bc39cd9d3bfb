"""Fit a model to a table: infers column types, chooses the model, prints cross-validated scores."""

from typing import Any

import click

from bayesfold.cli import _options as options


@click.command(epilog=options.EXAMPLES["fit"])
@options.tables_argument
@click.option("-t", "--target", metavar="COLUMN", help="The column to predict.")
@click.option("-o", "--output", metavar="FILE", help="The model file; by default named after the table.")
@options.choosing_options
@click.option("--weight", metavar="COLUMN", help="The column of row weights.")
@click.option("--weight-counts", is_flag=True, help="A weight of n stands for n equal rows, held out one by one.")
@options.groups_option
@click.option("--loss", metavar="FILE", help="Costs of mistakes, loss[decision][truth]: a JSON or CSV file.")
@click.option("--reject-cost", type=float, metavar="COST", help="The cost of not deciding; rows may then be rejected.")
@click.option(
    "--like", "--schema", "like", metavar="MODEL", help="Use the schema and choices of this file, to be able to merge."
)
@click.option("--min-cell", type=int, metavar="ROWS", help="With --schema: suppress cells of fewer rows.")
@click.option("--epsilon", type=float, help="With --schema: add noise to every count (differential privacy).")
@click.option("--engine", type=click.Choice(["spark"]), help="TABLES is a table of Spark; rows stay there.")
@click.option("--master", metavar="ADDRESS", help="With --engine spark: spark://..., sc://..., yarn or local[4].")
@click.option("--checkpoint", metavar="FILE", help="Save progress here; the same command resumes after a kill.")
@options.reading_options
@options.json_option
def fit(
    tables: tuple[str, ...],
    target: str | None,
    output: str | None,
    weight: str | None,
    weight_counts: bool,
    groups: str | None,
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
    """Fit a model to the rows of TABLES, and write it to a file.

    Only --target is required. Column types, densities and the weights of the models in the ensemble are chosen by
    held-out score. The printed scores are cross-validated; the model itself is fitted on all rows.
    """
    from bayesfold.cli import _learning, _lesson, _models, _tables, _words
    from bayesfold.cli._choices import FitRequest
    from bayesfold.cli._files import refuse_input, refuse_one_for_both
    from bayesfold.io.learned_files import describe_copies, digest_source

    if engine is not None:
        from bayesfold.cli import _cluster
    if epsilon is not None or min_cell is not None:
        from bayesfold.cli import _sharing
    if weight_counts and weight is None:
        raise click.UsageError("--weight-counts says what the weights mean; add --weight COLUMN")
    if like is not None and (weight_counts or loss or reject_cost is not None or any(others.values())):
        raise click.UsageError("--like takes everything from that model; leave the other choices out")
    if like is not None and checkpoint is not None:
        raise click.UsageError(
            "--checkpoint keeps a count after choices were made, and --like makes none; leave it out"
        )
    if like is None and (min_cell is not None or epsilon is not None):
        raise click.UsageError(
            "--min-cell and --epsilon hide rows in counts, and choices tell of rows too: choose on other rows "
            "('bayesfold schema'), and give that with --schema FILE"
        )
    if min_cell is not None and epsilon is not None:
        raise click.UsageError(
            "--epsilon puts noise into every cell, so --min-cell has none to withhold; give one of the two"
        )
    if master is not None and engine is None:
        raise click.UsageError("--master says where Spark is; add --engine spark")
    if engine is not None and groups is not None:
        raise click.UsageError(
            f"--groups holds out rows that were looked at here, and with --engine {engine} rows stay where they are; "
            "write some of them to a file, or leave it out"
        )
    if groups is not None and (min_cell is not None or epsilon is not None):
        raise click.UsageError(
            "--groups says how rows are held out, and counts with hidden rows have no scores; leave it out"
        )
    if engine is not None and (checkpoint or encoding or decimal):
        raise click.UsageError(
            f"--checkpoint, --encoding and --decimal have no effect with --engine {engine}; leave them out"
        )
    out = _models.check_model_name(output or _models.default_name(list(tables)))
    refuse_input(out, [*([] if engine else tables), like, loss])
    if checkpoint is not None:
        refuse_input(checkpoint, [*tables, loss], "--checkpoint")
        refuse_one_for_both(out, checkpoint)
    kept = None
    with (
        _cluster.open_on_cluster(tables, master) if engine else _tables.open_tables(tables, encoding, decimal) as source
    ):
        digests = digest_source(source)
        for said in describe_copies(digests):
            _words.warn(said)
        if like is not None:
            pattern = _models.load_model(like)
            arguments = pattern, source, target or pattern.target, weight
            rows = None
            if engine is not None:
                trained, unlabelled = _cluster.fit_like(*arguments)
            else:
                trained, rows = _learning.fit_like(*arguments, groups)
                unlabelled = rows.unlabelled
            if epsilon is not None:
                trained = _sharing.with_noise(trained, pattern, epsilon)
            elif min_cell is not None:
                trained = _sharing.without_small_cells(trained, min_cell)
            elif rows is not None:
                trained = _learning.with_scores_like(trained, rows, pattern, like)
            if not json:
                aside = f" ({_words.count_things(unlabelled, 'row')} without a class put aside)" * bool(unlabelled)
                _words.say(
                    f"{source.name}: {_words.count_things(trained.rows, 'row')}{aside}, read as {like} reads them\n"
                )
        else:
            if target is None:
                raise click.UsageError(_lesson.ask_for_target(source))
            asked = FitRequest(
                target=target,
                weight=weight,
                weight_counts=weight_counts,
                groups=groups,
                loss=loss,
                reject_cost=reject_cost,
                **others,
            )
            if engine is not None:
                trained, account = _cluster.fit_as_asked(asked, source, json)
            else:
                trained, rows, account = _learning.fit_as_asked(asked, source, json, checkpoint)
                trained = _learning.with_scores(trained, rows)
            kept, unlabelled = account.checkpoint, account.unlabelled
    if epsilon is not None or min_cell is not None:
        digests = []  # a digest would tell of rows that are hidden in the counts
    step = _models.make_step("learned", trained.rows, source.name, [digest for _, digest in digests])
    replaced = _models.save_model(trained, out, step)
    if kept is not None:
        kept.discard()  # the model is safe
    if json:
        _words.print_json(_learning.fit_as_json(trained, unlabelled, out))
        return
    if trained.report is None:
        _learning.show_columns(trained.columns)
    _learning.show_scores(trained)
    _words.say(f"\n{'replaced' if replaced else 'wrote'} {out}")
    if many := sum(len(column.places) for column in trained.model_.schema.landmarks):
        rows_kept = _words.count_things(many, "row")
        _words.warn(
            f"{out} contains {rows_kept} of the table (its part 'parzen'): do not publish it if rows are confidential "
            "(--model naive, aode, kdb and gaussian keep only counts and sums)"
        )


COMMAND = fit
