"""Rows scored by exported models: in Node, in DuckDB, in onnxruntime."""

import atexit
import json
import os
import shutil
import subprocess
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from typing import Any

import duckdb
import numpy as np
import onnxruntime
import pyarrow as pa
import pytest

from bayesfold.store import export

Columns = dict[str, list[Any]]
Answers = tuple[np.ndarray[Any, Any], list[Any]]

SERVER = """
const bayesfold = require(process.argv[1]);
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { plan, rows } = JSON.parse(line);
  try {
    const model = bayesfold(plan);
    console.log(JSON.stringify({ proba: model.proba(rows), labels: model.predict(rows) }));
  } catch (error) {
    console.log(JSON.stringify({ error: error.message }));
  }
});
"""


@cache
def node() -> subprocess.Popen[str]:
    """One process for all questions; a machine without Node skips, but never where tests are run for everyone."""
    program = shutil.which("node")
    if program is None and "CI" not in os.environ:
        pytest.skip("there is no Node on this machine")
    assert program, "Node is needed to test the JavaScript scorer"
    scorer = str(files("bayesfold.store.export") / "scorer.js")
    pipes: Any = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    process = subprocess.Popen([program, "-e", SERVER, scorer], **pipes, text=True, encoding="utf-8")
    atexit.register(stop, process)
    return process


def stop(process: subprocess.Popen[str]) -> None:
    """End the process and close its pipes."""
    with process:
        process.kill()


def ask_node(classifier: Any, rows: list[dict[str, Any]]) -> Any:
    """What the scorer says of rows as they are."""
    process = node()
    assert process.stdin
    assert process.stdout
    plan = export.find("json").write(classifier).strip()
    process.stdin.write(f'{{"plan": {plan}, "rows": {json.dumps(rows)}}}\n')
    process.stdin.flush()
    return json.loads(process.stdout.readline())


def plain(value: Any) -> Any:
    """A cell as JSON and Arrow have it."""
    value = value.item() if isinstance(value, np.generic) else value
    return None if value is None or value != value else value


def in_node(classifier: Any, columns: Columns) -> Answers:
    """Posteriors and decisions of the JavaScript scorer."""
    rows = [dict(zip(columns, map(plain, cells), strict=True)) for cells in zip(*columns.values(), strict=True)]
    said = ask_node(classifier, rows)
    assert "error" not in said, said
    return np.array(said["proba"]), said["labels"]


def in_duckdb(classifier: Any, columns: Columns) -> Answers:
    """Posteriors and decisions of the query."""
    table = pa.table({name: pa.array(list(map(plain, cells))) for name, cells in columns.items()})
    query = export.find("sql").write(classifier, keep=[])
    with duckdb.connect() as database:
        database.register("arrived", table)
        database.execute("CREATE TABLE rows AS SELECT * FROM arrived")
        found = database.sql(query).fetchall()
    return np.array([p for _, *p in found], np.float64), [label for label, *_ in found]


def in_onnxruntime(classifier: Any, columns: Columns) -> Answers:
    """Posteriors and decisions of the graph."""
    graph = export.find("onnx").write(classifier)
    session = onnxruntime.InferenceSession(graph, providers=["CPUExecutionProvider"])
    fed = {}
    for tensor in session.get_inputs():
        cells = list(map(plain, columns[tensor.name]))
        if tensor.type == "tensor(double)":
            fed[tensor.name] = np.array([np.nan if cell is None else cell for cell in cells], np.float64)
        else:
            fed[tensor.name] = np.array(["" if cell is None else str(cell) for cell in cells], object)
    labels, proba = session.run(["prediction", "probabilities"], fed)
    return proba, labels.tolist()


EVERYWHERE: dict[str, Callable[[Any, Columns], Answers]] = {"js": in_node, "sql": in_duckdb, "onnx": in_onnxruntime}
