"""Part one: real tables, no settings, and a report for each."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from rich.console import Console, Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.model_selection import train_test_split

from bayesfold import NaiveBayes, evaluate
from bayesfold.data.tables import frame

MOST_COLUMNS = 6
NEXT = """\
from sklearn.datasets import load_wine
from bayesfold import NaiveBayes, evaluate

X, y = load_wine(return_X_y=True)
clf = NaiveBayes().fit(X[20:], y[20:])
evaluate(NaiveBayes(), X, y)                        # ten folds, all chosen anew
clf.partial_fit(X[:20], y[:20])                     # learns 20 rows more
clf.forget(X[:20], y[:20])                          # and unlearns them
clf.predict_joint_log_proba(X[:1])                  # log P(class, row)
clf.sample(3, random_state=0)                       # three wines of its own
NaiveBayes(numeric="gaussian").fit(X, y).columns_   # textbook densities"""


@dataclass(frozen=True)
class Trial:
    """A table cut in two, and the model of its first part."""

    name: str
    learned: pa.Table
    learned_labels: NDArray[Any]
    held_out: pa.Table
    labels: NDArray[Any]
    clf: Any


def trial(name: str, load: Any) -> Trial:
    """One row in five held out, as many of each class as there are."""
    data = load()
    labels = np.asarray([str(n) for n in data.target_names])[data.target]
    table = pa.table({str(n): data.data[:, j] for j, n in enumerate(data.feature_names)})
    learned, held_out = train_test_split(np.arange(len(labels)), test_size=0.2, random_state=0, stratify=labels)
    clf = NaiveBayes().fit(table.take(learned), labels[learned])
    return Trial(name, table.take(learned), labels[learned], table.take(held_out), labels[held_out], clf)


def show_reports(console: Console) -> None:
    """The reports, one explained prediction, and what to try next."""
    console.print()
    console.rule("[bold]1  Real tables, no settings", align="left", style="cyan")
    console.print(
        "NaiveBayes().fit(X, y) on tables that come with scikit-learn; one row in five is held out.\n"
        "Folds: evaluate(NaiveBayes(), X, y), each tenth of the learned rows scored by a model of the others.\n"
        "Confusion of the held-out rows: a line a true class, a column a predicted one.\n"
        "Log-odds: how far a column moves the best class from the second, mean over the held-out rows.\n"
    )
    trials = [
        trial("iris", load_iris),
        trial("breast cancer", load_breast_cancer),
        trial("wine", load_wine),
    ]
    for t in trials:
        show_report(console, t)
    show_reasons(console, trials[0])
    console.print("[bold]To try next[/], in .venv/bin/python:\n")
    console.print(Padding(Text(NEXT), (0, 0, 1, 2), expand=False))


def grid(*headers: str) -> Table:
    """An empty table without lines."""
    return Table(*headers, box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim")


def show_report(console: Console, t: Trial) -> None:
    """How well a model does, where it errs, and what it made of the columns."""
    rows, held_out = len(t.learned_labels), len(t.labels)
    console.print(
        f"[bold]{t.name}[/]: {rows} rows learned, {held_out} held out, "
        f"{t.learned.num_columns} columns, {len(t.clf.classes_)} classes\n"
    )
    side_by_side = Table.grid(padding=(0, 4, 0, 0))
    side_by_side.add_row(quality(t), confusion(t))
    hidden = len(t.clf.columns_) - MOST_COLUMNS
    more = [f"[dim]and {hidden} more in clf.columns_[/]"] if hidden > 0 else []
    console.print(Padding(Group(side_by_side, "", columns(t), *more), (0, 0, 1, 2), expand=False))


def quality(t: Trial) -> Table:
    """Accuracy and log-loss on rows the model has not seen."""
    table = grid("")
    table.add_column("accuracy", justify="right")
    table.add_column("log-loss", justify="right")
    table.add_row("held-out rows", *scores(t.clf, t.clf.predict_log_proba(t.held_out), t.labels))
    own = evaluate(type(t.clf)(), t.learned, t.learned_labels).scores[type(t.clf).__name__]
    table.add_row("folds of the others", f"{own['accuracy'].value:.1%}", f"{own['log-loss'].value:.3f}")
    return table


def scores(clf: Any, log_proba: NDArray[np.float64], labels: NDArray[Any]) -> tuple[str, str]:
    """Accuracy and log-loss, in print."""
    truth = np.searchsorted(clf.classes_, labels)
    accuracy = (log_proba.argmax(1) == truth).mean()
    return f"{accuracy:.1%}", f"{-log_proba[np.arange(len(truth)), truth].mean():.3f}"


def confusion(t: Trial) -> Table:
    """Held-out rows: a line a true class, a column a predicted one."""
    predicted = t.clf.predict(t.held_out)
    table = grid("truth")
    for guess in t.clf.classes_:
        table.add_column(str(guess), justify="right")
    for truth in t.clf.classes_:
        counts = [((t.labels == truth) & (predicted == guess)).sum() for guess in t.clf.classes_]
        cells = [shade(n, truth == guess) for n, guess in zip(counts, t.clf.classes_, strict=True)]
        table.add_row(str(truth), *cells)
    return table


def shade(count: int, right: bool) -> str:
    """A count, coloured by whether it is what one hopes for."""
    if count == 0:
        return "[dim]·[/]"
    return f"[green]{count}[/]" if right else f"[red]{count}[/]"


def columns(t: Trial) -> Table:
    """Each column's density, why it has it, and how much it moves the decision; the loudest first."""
    weight = dict(zip(t.clf.model_.names, loudness(t), strict=True))
    lines = sorted(t.clf.columns_, key=lambda line: -weight.get(line.name, 0.0))
    most = max(weight.values())
    table = grid("column", "log-odds", "density", "why")
    for line in lines[:MOST_COLUMNS]:
        w = weight.get(line.name, 0.0)
        bar = "━" * round(8 * w / most)
        why = line.why.replace("best held-out density of", "best held-out of")
        table.add_row(line.name[:24], f"{w:5.2f} [cyan]{bar}[/]", line.family, f"[dim]{why}[/]")
    return table


def loudness(t: Trial) -> NDArray[np.float64]:
    """Mean over held-out rows of what each column adds to the log-odds of the best class against the second."""
    parts, first, second = decided(t)
    rows = np.arange(len(parts))
    found: NDArray[np.float64] = np.abs(parts[rows, 1:, first] - parts[rows, 1:, second]).mean(0)
    return found


def decided(t: Trial) -> tuple[NDArray[np.float64], NDArray[np.intp], NDArray[np.intp]]:
    """Contributions [row, prior and columns, class] of the held-out rows, their best and their second-best class."""
    parts: NDArray[np.float64] = t.clf.model_.contributions(t.clf.schema_.encode(frame(t.held_out)))
    order = parts.sum(1).argsort(1)
    return parts, order[:, -1], order[:, -2]


def show_reasons(console: Console, t: Trial) -> None:
    """The held-out row that is hardest to decide, and how its log-odds add up."""
    parts, first, second = decided(t)
    rows = np.arange(len(parts))
    margins = parts[rows, :, first] - parts[rows, :, second]
    row = int(margins.sum(1).argmin())
    classes = t.clf.classes_
    one = t.held_out.slice(row, 1)
    sums = margins[row].cumsum().round(3)  # rounded as running sums, so that the printed numbers add up
    parts_shown = np.diff(sums, prepend=0.0)
    most = np.abs(parts_shown).max()
    table = grid("")
    table.add_column("value", justify="right")
    table.add_column("log-odds", justify="right")
    table.add_column("")
    names = ["before looking (prior)", *t.clf.model_.names]
    for name, part in zip(names, parts_shown, strict=True):
        value = f"{one[name][0].as_py():g}" if name in one.column_names else ""
        bar = "━" * round(12 * abs(part) / most)
        table.add_row(name, value, f"{part:+.3f}", f"[{'green' if part > 0 else 'red'}]{bar}[/]")
    table.add_row("sum", "", f"[bold]{sums[-1]:+.3f}[/]", f"odds of e^{sums[-1]:.3f} = {np.exp(sums[-1]):.3f} to 1")
    proba = t.clf.predict_proba(one)[0].max()
    a, b = classes[first[row]], classes[second[row]]
    console.print(f"[bold]The hardest held-out row of {t.name}[/]: why {a} and not {b} (it is {t.labels[row]})")
    console.print(Padding(table, (1, 2), expand=False))
    console.print(f"  so P({a}) = {1 / (1 + np.exp(-sums[-1])):.3f}; clf.predict_proba says {proba:.3f}\n")
