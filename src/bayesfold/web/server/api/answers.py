"""What a classifier answers: for one row, for many in JSON, CSV or Arrow, and under costs given with the question."""

import io
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

import numpy as np
import pyarrow as pa
import pyarrow.ipc as ipc
from pydantic import Field

from bayesfold.data.frame import Floats
from bayesfold.decisions.decide import decide_places, label_decisions, takes_the_mode
from bayesfold.decisions.loss import loss_matrix
from bayesfold.decisions.risk import REJECT, risk
from bayesfold.decisions.unseen_class import dearest, whole_risk
from bayesfold.io.open import open_source
from bayesfold.io.predict import frame_of, kinds_of, predict_from, types_of
from bayesfold.io.source import Source
from bayesfold.learning.trained import Trained
from bayesfold.models.posterior import log_posterior
from bayesfold.web.server.cells import checked_row, with_costs
from bayesfold.web.server.endpoint import ARROW, CSV, JSON, Answer, Ask, Name, Reply, Row, Upload, Word, post
from bayesfold.web.server.limits import Limits
from bayesfold.web.server.problems import Problem
from bayesfold.web.server.room import Room
from bayesfold.web.server.spreadsheet import defuse_formulas
from bayesfold.web.server.strict_json import read_json

Cost = Annotated[float, Field(allow_inf_nan=False)]
Loss = Annotated[dict[Word, dict[Word, Cost]], Field(max_length=1000, description="loss[decision][truth], by name")]


class Question(Ask):
    """One row; what is not known is left out, or null."""

    row: Row


class Case(Question):
    """One row, and what decisions cost: the model's own costs where they are left out."""

    loss: Loss | None = None
    reject_cost: Cost | None = None


class Prediction(Answer):
    """The decision, and P(class | row) in the order of `classes`, given that the class is one of these.

    `unseen_share` is the probability that it is not, where the model leaves something to classes never seen.
    """

    decision: Any
    rejected: bool
    classes: list[Any]
    probabilities: list[float]
    unseen_share: float | None = None


class Decision(Prediction):
    """The same, with what each decision is expected to cost, and the costs that it was taken by."""

    risks: list[float]
    risk: float
    loss: list[list[float]]
    reject_cost: float | None


def predict(room: Room, model: Name, ask: Question) -> dict[str, Any]:
    """P(class | row) and the decision for one row."""
    entry = room.shelf.find(model)
    with entry.lock:
        return predict_row(entry.classifier(), ask.row)


def predict_row(trained: Trained, row: dict[str, Any]) -> dict[str, Any]:
    """The answer for a row."""
    log_p = log_posterior(trained.model_.row_log_joint(checked_row(trained, row)))
    decisions, rejected = decide_rows(trained, log_p)
    return {
        "decision": decisions[0],
        "rejected": rejected[0],
        "classes": trained.classes_.tolist(),
        "probabilities": np.exp(log_p[0]).tolist(),
        **name_unseen_share(trained),
    }


def decide_rows(trained: Trained, log_p: Floats) -> tuple[list[Any], list[bool]]:
    """The decision for each row, and whether it is rejected."""
    places = log_p.argmax(axis=1) if takes_the_mode(trained) else decide_places(trained, log_p)
    return label_decisions(trained, places).tolist(), (places == REJECT).tolist()


def name_unseen_share(trained: Trained) -> dict[str, float]:
    """The share that is left to classes never seen, if there is one."""
    return {"unseen_share": share} if (share := trained.unseen_share_) else {}


def decide(room: Room, model: Name, ask: Case) -> dict[str, Any]:
    """The decision of least expected cost, and what each decision is expected to cost."""
    entry = room.shelf.find(model)
    with entry.lock:
        trained = with_costs(entry.classifier(), ask.loss, ask.reject_cost)
        prediction = predict_row(trained, ask.row)
        classes = trained.classes_.tolist()
        costs, dear = loss_matrix(trained.loss, classes), dearest(trained.loss, classes)
        risks = whole_risk(risk(np.array([prediction["probabilities"]]), costs)[0], trained.unseen_share_, dear)
    least = float(risks.min()) if not prediction["rejected"] else float(trained.reject_cost)
    more = {"risks": risks.tolist(), "risk": least, "loss": costs.tolist(), "reject_cost": trained.reject_cost}
    return prediction | more


# ------------------------------------------------------------------------------------------------------------ many rows


def batch(
    room: Room,
    model: Name,
    upload: Upload,
    spreadsheet: Annotated[bool, Field(description="CSV in which no cell is a formula")] = False,
    prefix: Annotated[Word, Field(description="how the names of new columns of CSV and Arrow begin")] = "",
) -> Any:
    """The rows with the decision and P(class | row) appended; JSON is {"rows": [{...}, ...]}. CSV and Arrow streams are
    answered in kind, or as the header Accept says."""
    entry = room.shelf.find(model)
    trained: Any = entry.classifier()
    media = choose_format(upload)
    with open_source(open_upload(trained, upload, room.settings.limits)) as source:
        if len(source.names) > room.settings.limits.columns:
            raise Problem("too-large", f"a table may have {room.settings.limits.columns:,} columns here")
        with entry.lock, TemporaryDirectory(prefix="bayesfold-") as folder:
            if media == JSON:
                return list_answers(trained, source)
            if media == CSV:
                out = io.BytesIO()
                predict_from(trained, source, out, prefix=prefix)
                body = out.getvalue()
                return Reply(defuse_formulas(body.decode()).encode() if spreadsheet else body, f"{CSV}; charset=utf-8")
            path = Path(folder) / "answers.arrow"
            predict_from(trained, source, path, prefix=prefix)
            return Reply(write_stream(ipc.open_file(path.read_bytes()).read_all()), ARROW)


def choose_format(upload: Upload) -> str:
    """The format of the answer: what is accepted, else what was sent."""
    for media in (JSON, CSV, ARROW):
        if media in upload.accept:
            return media
    if upload.accept and "*/*" not in upload.accept:
        raise Problem("not-acceptable", f"answers come as {JSON}, {CSV} or {ARROW}")
    return upload.media


def open_upload(trained: Trained, upload: Upload, limits: Limits) -> Any:
    """What was sent, as something that can be opened."""
    if upload.media == CSV:
        if upload.body[:2] == b"\x1f\x8b":
            raise Problem("wrong-format", "the rows are sent as they are, not packed")
        if upload.body.count(b"\n") > limits.rows + 1:
            raise too_many_rows(limits)
        return io.BytesIO(upload.body)
    if upload.media == ARROW:
        try:
            table = ipc.open_stream(upload.body).read_all()
            table.validate(full=True)
        except (pa.ArrowException, OSError) as error:
            raise Problem("not-understood", f"the body is no Arrow stream: {error}") from None
    elif upload.media == JSON:
        table = read_json_rows(trained, read_json(upload.body), limits)
    else:
        raise Problem("wrong-format", f"rows are sent as {JSON}, {CSV} or {ARROW}")
    if table.num_rows > limits.rows:
        raise too_many_rows(limits)
    return table


def read_json_rows(trained: Trained, body: Any, limits: Limits) -> pa.Table:
    """Rows of JSON as a table that has every column that the model reads."""
    rows = body.get("rows") if isinstance(body, dict) else None
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows) or body.keys() != {"rows"}:
        raise Problem("not-understood", 'send {"rows": [{"column": value, ...}, ...]}')
    if len(rows) > limits.rows:
        raise too_many_rows(limits)
    checked = []
    for k, row in enumerate(rows):
        if any(isinstance(value, dict | list) for value in row.values()):
            raise Problem("not-understood", f"rows.{k}: a value is text, a number, true, false or null")
        try:
            checked.append(checked_row(trained, row))
        except Problem as problem:
            raise Problem(problem.kind, f"rows.{k}: {problem.detail}") from None
    names = trained.model_.schema.sources or trained.names[:1]  # without a column there would be no rows
    columns = [column_of(name, [row.get(name) for row in checked]) for name in names]
    return pa.Table.from_arrays(columns, list(names))


def column_of(name: str, values: list[Any]) -> pa.Array:
    """The values of a column; numbers that no integer type holds together are floats, as each is alone."""
    try:
        return pa.array(values)
    except (pa.ArrowException, OverflowError, UnicodeEncodeError) as error:
        if all(isinstance(value, int | float | None) for value in values):
            return pa.array([None if value is None else float(value) for value in values])
        raise Problem("not-possible", f"column {name!r} holds values that do not go together: {error}") from None


def list_answers(trained: Trained, source: Source) -> dict[str, Any]:
    """The answers alone, one entry for each row: no column of the rows stands in their way."""
    schema, classes = trained.model_.schema, trained.classes_.tolist()
    source.require_features(schema.sources, trained.target)
    kinds = kinds_of(schema) if source.is_text else {}
    frames = (frame_of(source, table, schema, kinds, k) for k, table in source.blocks(types_of(source, kinds), {}))
    log_p = np.concatenate([np.zeros((0, len(classes))), *(trained.log_proba(frame) for frame in frames)])
    decisions, rejected = decide_rows(trained, log_p)
    return {
        "classes": classes,
        "decisions": decisions,
        "probabilities": np.exp(log_p).tolist(),
        "rejected": rejected,
        **name_unseen_share(trained),
    }


def write_stream(table: pa.Table) -> bytes:
    """A table as an Arrow stream."""
    out = io.BytesIO()
    with ipc.new_stream(out, table.schema) as writer:
        writer.write_table(table)
    return out.getvalue()


def too_many_rows(limits: Limits) -> Problem:
    """More rows than the server takes."""
    return Problem("too-large", f"a request may have {limits.rows:,} rows here")


class Batch(Answer):
    """One decision and one list of probabilities, in the order of `classes`, for each row; as for one row."""

    classes: list[Any]
    decisions: list[Any]
    probabilities: list[list[float]]
    rejected: list[bool]
    unseen_share: float | None = None


ENDPOINTS = (
    post("/models/{model}/predict", predict, Prediction, quick=True),
    post("/models/{model}/predict/batch", batch, Batch, takes=(JSON, CSV, ARROW), gives=(CSV, ARROW)),
    post("/models/{model}/decide", decide, Decision, quick=True),
)
