"""A report on a model and labelled rows."""

from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from bayesfold.cli._judging import judged, log_proba
from bayesfold.cli._rows import Rows
from bayesfold.learning.trained import Trained
from bayesfold.web import report


def page(trained: Trained, model: str, rows: Rows, table: str, leave_out: bool) -> bytes:
    """The page."""
    name = Path(model).name
    log_p = log_proba(trained, rows, leave_out, name)
    found = judged({name: trained}, {name: log_p}, rows)
    places = np.arange(rows.frame.rows) if rows.places is None else rows.places
    date = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    return report.page(
        report.Subject(trained, name, rows.frame, rows.labels, log_p, found, table, leave_out, places, date)
    )
