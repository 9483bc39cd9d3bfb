"""Our side of the rows of the table, alone: what two versions of the project can both do, `rows/` without the peers.

A group yields (what the work is called, the task, how many calls of it to share its seconds among). Only public names
are used, so that an older version can run it too. Processes of their own are timed by what they cost until they end.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

import bayesfold as bf
from benchmarks.sides import fit, predict_proba

Work = tuple[str, Callable[[], Any], int]


def small() -> Iterator[Work]:
    """10 to 10,000 rows of 20 columns."""
    from benchmarks.rows.small import SIZES, inputs

    for rows in SIZES:
        data, y = inputs(rows)
        for what, (name, X) in data.items():
            make = getattr(bf, name)
            yield f"{what} fit {rows:,} x 20", partial(fit, make, X, y), 1
            yield f"{what} predict_proba {rows:,} x 20", partial(predict_proba, make().fit(X, y), X), 1


def wide() -> Iterator[Work]:
    """1,000,000 x 50 numbers and codes."""
    from benchmarks.rows import categorical, gaussian

    codes, y = categorical.table(1_000_000)
    for dtype in (np.uint8, np.int64):
        X = codes.astype(dtype, copy=False)
        yield f"Categorical fit {np.dtype(dtype).name}", partial(fit, bf.CategoricalNB, X, y), 1
        model = bf.CategoricalNB().fit(X, y)
        yield f"Categorical predict_proba {np.dtype(dtype).name}", partial(predict_proba, model, X), 1
    X, y = gaussian.table(1_000_000)
    yield "Gaussian fit", partial(fit, bf.GaussianNB, X, y), 1
    yield "Gaussian predict_proba", partial(predict_proba, bf.GaussianNB().fit(X, y), X), 1


def leave_one_out() -> Iterator[Work]:
    """2,000 x 20."""
    from benchmarks.rows.leave_one_out import ours

    rng = np.random.default_rng(1)
    y = rng.integers(0, 3, 2_000)
    real = rng.normal(0, 1, (2_000, 20)) + 0.3 * y[:, None]
    codes = (rng.integers(0, 8, (2_000, 20)) * (rng.random((2_000, 20)) < 0.8) + y[:, None]) % 8
    yield "Gaussian leave-one-out", partial(ours, bf.GaussianNB, real, y), 1
    yield "Categorical leave-one-out", partial(ours, partial(bf.CategoricalNB, min_categories=8), codes, y), 1


def mixed() -> Iterator[Work]:
    """1,000,000 x 20, from pandas and from Arrow."""
    from benchmarks.mixed_table import arrow_table, pandas_table
    from benchmarks.reference import ours

    table, classes = arrow_table(1_000_000)
    for source, (X, y) in {"pandas": pandas_table(table, classes), "Arrow": (table, classes)}.items():
        yield f"Mixed fit, {source}", partial(fit, ours, X, y), 1
        yield f"Mixed predict_proba, {source}", partial(predict_proba, ours().fit(X, y), X), 1


def trees() -> Iterator[Work]:
    """TAN, AODE and KDB of 50,000 x 20 and 5,000 x 50 codes."""
    from benchmarks.tree_table import as_arrow, tree_table

    for rows, columns in ((50_000, 20), (5_000, 50)):
        X, y = tree_table(rows, columns)
        table = as_arrow(X)
        for name in ("TAN", "AODE", "KDB"):
            make = partial(getattr(bf, name), alpha=0.5, prior_alpha=0.5)
            yield f"{name} fit {rows:,} x {columns}", partial(fit, make, table, y), 1
            yield f"{name} predict_proba {rows:,} x {columns}", partial(predict_proba, make().fit(table, y), table), 1


def stream() -> Iterator[Work]:
    """Dicts one at a time, predicted, then learned."""
    from benchmarks.mixed_table import arrow_table, pandas_table
    from benchmarks.rows.stream import our_stream

    frame, y = pandas_table(*arrow_table(5_000, missing=0.0))
    yield "Stream of dicts, a row", partial(our_stream, frame.to_dict("records"), y.tolist()), 5_000


def text() -> Iterator[Work]:
    """50,000 documents."""
    from benchmarks.corpora import corpora

    def ours(texts: Any, labels: Any, places: int | None) -> Any:
        return bf.TextClassifier(model="multinomial", alpha=1.0, weights=None, hashed=places).fit(texts, labels)

    corpus, y = corpora(50_000)
    for name, docs in corpus.items():
        column = pa.array(docs)
        for how, places in (("words", None), ("hashed", 2**18)):
            yield f"text fit, {name}, {how}", partial(ours, column, y, places), 1
            yield f"text predict, {name}, {how}", partial(ours(column, y, places).predict, column), 1


def networks() -> Iterator[Work]:
    """Twenty questions to each published network of at most 100 nodes; all nodes of those too."""
    from tests.networks.published import NODES, PATHS

    from benchmarks.rows.network_query import QUESTIONS, ours_all, ours_one, questions

    for name in NODES:
        net = bf.read_network(PATHS[name])
        asked = questions(net, QUESTIONS)
        yield f"{name}, one target", partial(ours_one, net, asked), QUESTIONS
        if len(net.nodes) <= 100:
            yield f"{name}, all nodes", partial(ours_all, net, asked), QUESTIONS


def network_rows() -> Iterator[Work]:
    """10,000 rows with holes."""
    from tests.networks.published import PATHS

    from benchmarks.rows.network_rows import NETWORKS, table

    for name in NETWORKS:
        net = bf.read_network(PATHS[name])
        target = net.nodes[-1]
        cells = table(net, 10_000, target)
        yield f"{name} 10,000 rows, all nodes", partial(net.posteriors, cells), 1
        yield f"{name} 10,000 rows, one target", partial(net.predict_proba, cells, target), 1


def pooled() -> Iterator[Work]:
    """Half of letter, half of adult."""
    from benchmarks.public_sets import FOLDER, described, load
    from benchmarks.rows.pooled import halves

    folder = Path(os.environ.get("PUBLIC_SETS", FOLDER))
    for name in ("letter", "adult"):
        data = load(folder, name, described(folder)[name])
        train, test = map(np.flatnonzero, halves(data.folds[:, 0]))
        X, y, new = data.X.iloc[train], data.y[train], data.X.iloc[test]
        yield f"pool fit {name}", partial(fit, bf.BayesClassifier, X, y), 1
        yield f"pool predict_proba {name}", partial(predict_proba, bf.BayesClassifier().fit(X, y), new), 1


def until_end(arguments: list[str], folder: Path) -> float:
    """Processor seconds of a process, from its start to its end."""
    return cost(arguments, folder)[1]


def until_word(arguments: list[str], folder: Path) -> float:
    """Processor seconds of a process until it says something."""
    return cost(arguments, folder)[0]


def cost(arguments: list[str], folder: Path) -> tuple[float, float]:
    """Processor seconds of a process, all its threads: until its first word, and until its end."""
    command = [sys.executable, *arguments]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as running:
        assert running.stdout is not None
        running.stdout.read(1)
        said = time.clock_gettime((~running.pid << 3) | 2)  # Linux: the clock of another process's processor time
        rest = running.stdout.read()
        used = os.wait4(running.pid, 0)[2]
        running.returncode = 0
    if b"Traceback" in rest or b"error" in rest[:200].lower():
        raise RuntimeError(f"{' '.join(arguments)}: {rest.decode()}")
    return said, used.ru_utime + used.ru_stime


def own_folder() -> Path:
    """A folder that stays until this process ends."""
    holder = tempfile.TemporaryDirectory()
    FOLDERS.append(holder)
    return Path(holder.name)


FOLDERS: list[tempfile.TemporaryDirectory[str]] = []


def commands() -> Iterator[Work]:
    """The first word of each command on a small file."""
    from benchmarks.rows.commands import COMMANDS, FIRST

    folder = own_folder()
    for work in FIRST:
        cost(["-m", "bayesfold.cli", *work.split()], folder)
    for work in COMMANDS:
        yield f"bayesfold {work}", Timed(until_word, ["-m", "bayesfold.cli", *work.split()], folder), 1


def imports() -> Iterator[Work]:
    """Import in a fresh process, the interpreter's own start included."""
    for statement in ("import bayesfold", "from bayesfold import NaiveBayes"):
        yield statement, Timed(until_end, ["-c", f"{statement}; print(1)"], Path()), 1


def files(rows: int = 2_000_000) -> Iterator[Work]:
    """A file to a model, and to a model and answers, with the process's start."""
    import pyarrow.csv as arrow_csv
    import pyarrow.parquet as pq

    from benchmarks.mixed_table import arrow_table
    from benchmarks.rows.files import as_text

    folder = own_folder()
    table, y = arrow_table(rows)
    table = table.append_column("y", y)
    plain = pa.table({name: as_text(table.column(name)) for name in table.column_names})
    pq.write_table(plain, folder / "rows.parquet")
    arrow_csv.write_csv(plain, folder / "rows.csv", arrow_csv.WriteOptions(quoting_style="none"))
    for kind in ("parquet", "csv"):
        alone = f"import bayesfold as bf; m = bf.NaiveBayes().fit_from('rows.{kind}', 'y')"
        both = f"{alone}; m.predict_from('rows.{kind}', 'out.{kind}')"
        for what, program in (("fit", alone), ("fit and answers", both)):
            yield f"{kind} {rows:,} x 20, {what}", Timed(until_end, ["-c", f"{program}; print(1)"], folder), 1


def small_files() -> Iterator[Work]:
    """The same of 40,000 rows."""
    yield from files(40_000)


class Timed(partial[float]):
    """A task that says itself what it cost."""


GROUPS: dict[str, Callable[[], Iterator[Work]]] = {
    made.__name__: made
    for made in (
        small, wide, leave_one_out, mixed, trees, stream, text, networks, network_rows, small_files, files, pooled,
        commands, imports,
    )
}  # fmt: skip
