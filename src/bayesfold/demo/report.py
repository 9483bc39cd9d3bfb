"""Part one: real tables, no settings, and a report for each."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from click import style
from numpy.typing import NDArray
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.model_selection import train_test_split

from bayesfold import NaiveBayes
from bayesfold.data.tables import frame
from bayesfold.demo.screen import indent, put_beside, show, show_heading
from bayesfold.runtime.text_table import text_table

MOST_COLUMNS = 6
NEXT = """\
from sklearn.datasets import load_wine
from bayesfold import NaiveBayes

X, y = load_wine(return_X_y=True)
clf = NaiveBayes().fit(X[20:], y[20:])
(clf.leave_one_out(X[20:], y[20:]).argmax(1) == y[20:]).mean()
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


def show_reports() -> None:
    """Print the reports, one explained prediction, and what to try next."""
    show_heading("1  Real tables, no settings")
    show(
        "NaiveBayes().fit(X, y) on tables that come with scikit-learn; one row in five is held out.\n"
        "Leave-one-out: each learned row scored by a model of all the others, exactly, in one pass.\n"
        "Confusion of the held-out rows: one line per true class, one column per predicted class.\n"
        "Log-odds: how far a column moves the best class from the second, mean over the held-out rows.\n"
    )
    trials = [
        trial("iris", load_iris),
        trial("breast cancer", load_breast_cancer),
        trial("wine", load_wine),
    ]
    for t in trials:
        show_report(t)
    show_reasons(trials[0])
    show(f"{style('To try next', bold=True)}, in Python:\n\n{indent(NEXT)}")


def show_report(t: Trial) -> None:
    """Print how well a model does, where it errs, and what it made of the columns."""
    rows, held_out = len(t.learned_labels), len(t.labels)
    show(
        f"{style(t.name, bold=True)}: {rows} rows learned, {held_out} held out, "
        f"{t.learned.num_columns} columns, {len(t.clf.classes_)} classes\n"
    )
    hidden = len(t.clf.columns_) - MOST_COLUMNS
    more = f"\nand {hidden} more in clf.columns_" if hidden > 0 else ""
    show(indent(f"{put_beside(quality(t), confusion(t))}\n\n{columns(t)}{more}") + "\n")


def quality(t: Trial) -> str:
    """A table of accuracy and log-loss on rows the model has not seen."""
    held_out = scores(t.clf, t.clf.predict_log_proba(t.held_out), t.labels)
    left_out = scores(t.clf, t.clf.leave_one_out(t.learned, t.learned_labels), t.learned_labels)
    return text_table(("", "accuracy", "log-loss"), [("held-out rows", *held_out), ("leave-one-out", *left_out)])


def scores(clf: Any, log_proba: NDArray[np.float64], labels: NDArray[Any]) -> tuple[str, str]:
    """Accuracy and log-loss, in print."""
    truth = np.searchsorted(clf.classes_, labels)
    accuracy = (log_proba.argmax(1) == truth).mean()
    return f"{accuracy:.1%}", f"{-log_proba[np.arange(len(truth)), truth].mean():.3f}"


def confusion(t: Trial) -> str:
    """A table of the held-out rows: one line per true class, one column per predicted class."""
    predicted = t.clf.predict(t.held_out)
    classes = t.clf.classes_
    counts = [[((t.labels == truth) & (predicted == guess)).sum() for guess in classes] for truth in classes]
    lines = [(str(truth), *(str(n or "·") for n in line)) for truth, line in zip(classes, counts, strict=True)]
    return text_table(("truth", *map(str, classes)), lines)


def columns(t: Trial) -> str:
    """A table of each column's density, why it has it, and how much it moves the decision; the loudest first."""
    weight = dict(zip(t.clf.model_.names, loudness(t), strict=True))
    loudest = sorted(t.clf.columns_, key=lambda line: -weight.get(line.name, 0.0))[:MOST_COLUMNS]
    most = max(weight.values())
    whys = [f"best held-out of {line.why.count(',') + 1}" if "held-out" in line.why else line.why for line in loudest]
    lines = [
        (line.name[:24], bar(weight.get(line.name, 0.0), most), line.family, why)
        for line, why in zip(loudest, whys, strict=True)
    ]
    return text_table(("column", "log-odds", "density", "why"), lines, left=4)


def bar(size: float, most: float) -> str:
    """A number and a bar as long as its share of the largest."""
    return f"{size:5.2f} {'━' * round(8 * size / most)}"


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


def show_reasons(t: Trial) -> None:
    """Print the held-out row that is hardest to decide, and how its log-odds add up."""
    parts, first, second = decided(t)
    rows = np.arange(len(parts))
    margins = parts[rows, :, first] - parts[rows, :, second]
    row = int(margins.sum(1).argmin())
    classes = t.clf.classes_
    one = t.held_out.slice(row, 1)
    sums = margins[row].cumsum().round(3)  # rounded as running sums, so that the printed numbers add up
    parts_shown = np.diff(sums, prepend=0.0)
    most = np.abs(parts_shown).max()
    names = ["before looking (prior)", *t.clf.model_.names]
    values = [f"{one[name][0].as_py():g}" if name in one.column_names else "" for name in names]
    lines = [
        *zip(names, values, (f"{part:+.3f}" for part in parts_shown), strict=True),
        ("sum", "", f"{sums[-1]:+.3f}"),
    ]
    bars = ["━" * round(12 * abs(part) / most) for part in parts_shown]
    odds = f"odds of e^{sums[-1]:.3f} = {np.exp(sums[-1]):.3f} to 1"
    proba = t.clf.predict_proba(one)[0].max()
    a, b = classes[first[row]], classes[second[row]]
    title = style(f"The hardest held-out row of {t.name}", bold=True)
    show(f"{title}: why {a} and not {b} (it is {t.labels[row]})\n")
    show(indent(put_beside(text_table(("", "value", "log-odds"), lines), "\n".join(["", *bars, odds]))))
    show(f"\n  so P({a}) = {1 / (1 + np.exp(-sums[-1])):.3f}; clf.predict_proba says {proba:.3f}\n")
