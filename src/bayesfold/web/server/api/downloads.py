"""What a person takes along: a table with the answers, a report, a model as a file."""

import io
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any, Literal

from pydantic import Field

from bayesfold.io.predict import predict_from
from bayesfold.networks import formats
from bayesfold.store import export
from bayesfold.store.file import to_bytes
from bayesfold.web.server.api.tables import Id
from bayesfold.web.server.command import Command
from bayesfold.web.server.endpoint import BYTES, CSV, Name, Reply, get
from bayesfold.web.server.room import Room
from bayesfold.web.server.spreadsheet import defuse_formulas
from bayesfold.web.server.tables import open_kept, put_beside

Format = Literal["bayes", "sql", "js", "json", "onnx", "bif", "net", "xdsl", "xmlbif", "uai"]


def file(room: Room, model: Name, format: Annotated[Format, Field(description="the kind of file")] = "bayes") -> Reply:
    """A model as a file: .bayes, or in a format of other programs; a network in any format of networks."""
    entry = room.shelf.find(model)
    name = f"{entry.name}.{format}"
    with entry.lock:
        if entry.trained is None or (format in formats.names() and format != "json"):
            return Reply(formats.find(format).write(entry.net()).encode(), BYTES, name)
        if format == "bayes":
            return Reply(to_bytes(entry.trained), BYTES, name)
        made = export.find(format).write(entry.trained)
    return Reply(made.encode() if isinstance(made, str) else made, BYTES, name)


def answers(
    room: Room,
    model: Name,
    table: Id,
    spreadsheet: Annotated[bool, Field(description="CSV in which no cell is a formula")] = True,
) -> Reply:
    """A table that was sent, with the model's answers appended, as a CSV file."""
    entry, kept = room.shelf.find(model), room.tables.find(table)
    trained: Any = entry.classifier()
    out = io.BytesIO()
    with entry.lock, open_kept(kept) as source:
        predict_from(trained, source, out)
    body = defuse_formulas(out.getvalue().decode()).encode() if spreadsheet else out.getvalue()
    return Reply(body, f"{CSV}; charset=utf-8", f"{Path(kept.name).stem}-answers.csv")


def report(room: Room, model: Name, table: Id) -> Reply:
    """A report on the model and its answers for a table: one page that needs nothing else."""
    entry, kept = room.shelf.find(model), room.tables.find(table)
    with TemporaryDirectory(prefix="bayesfold-report-") as name:
        folder = Path(name)
        with entry.lock:
            (folder / "model.bayes").write_bytes(to_bytes(entry.classifier()))
        arguments = ["report", "--output=report.html", "--", "model.bayes", put_beside(kept, folder).name]
        Command(arguments, folder, lambda _: None).result()
        return Reply((folder / "report.html").read_bytes(), BYTES, f"{entry.name}.html")


ENDPOINTS = (
    get("/models/{model}/file", file, None, gives=(BYTES,)),
    get("/models/{model}/answers", answers, None, gives=(CSV,)),
    get("/models/{model}/report", report, None, gives=(BYTES,)),
)
