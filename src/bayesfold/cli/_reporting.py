"""A report on a model and labelled rows."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from bayesfold.cli._advice import translate_advice
from bayesfold.cli._rows import Rows
from bayesfold.io.judging import judge_models, may_have_learned, restrict_to_common_rows, score_rows
from bayesfold.learning.column_table import ColumnTable
from bayesfold.learning.trained import Trained
from bayesfold.web import report


def make_page(trained: Trained, model: str, rows: Rows, table: str, leave_out: bool) -> bytes:
    """The bytes of the page."""
    name = Path(model).name
    trained = replace(trained, columns=ColumnTable(replace(c, why=translate_advice(c.why)) for c in trained.columns))
    said, rows = restrict_to_common_rows({name: score_rows(trained, rows, leave_out, name)}, rows)
    judgement = judge_models({name: trained}, said, rows)
    log_p, how = said[name].log_proba, said[name].how
    learned = not leave_out and may_have_learned(trained, rows)
    places = np.arange(rows.frame.rows) if rows.places is None else rows.places
    date = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    about = (rows.frame, rows.labels, log_p, judgement, table, how, learned, places, date)
    return report.page(report.Subject(trained, name, *about, fold=said[name].fold))
