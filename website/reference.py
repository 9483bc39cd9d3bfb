"""Pages of the reference, made from docstrings and from what the command says: everything public, by subject."""

import inspect
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import bayesfold

SUBJECTS = {
    "classifiers": (
        "Classifiers",
        "Naive Bayes and its relatives. :doc:`Methods of all classifiers <methods>` are on their own page.",
        "BayesClassifier NaiveBayes AODE TAN KDB SPODE GaussianBayes TextClassifier NetworkClassifier",
    ),
    "drop-ins": (
        "Drop-in replacements for scikit-learn",
        "The same parameters, attributes and probabilities as in `sklearn.naive_bayes`.",
        "GaussianNB CategoricalNB MultinomialNB BernoulliNB ComplementNB",
    ),
    "decisions": (
        "Decisions and evaluation",
        "Costs of mistakes, decisions of least expected cost, and how good predictions are.",
        "evaluate conditional_risk decide MinimumRisk",
    ),
    "probability": (
        "Probability",
        "Bayes' rule, total probability, odds, and probability tables with named axes (`Factor`).",
        "bayes_rule total_probability joint odds posterior_odds Factor ImpossibleEvidence",
    ),
    "networks": (
        "Bayesian networks",
        "Networks and exact queries; Markov chains and factor graphs; learning tables and structure from data.",
        (
            "BayesianNetwork MixedNetwork LinearGaussian MarkovChain FactorGraph read_network write_network "
            "fit_network fit_network_from learn_network learn_network_from EM"
        ),
    ),
    "files": (
        "Files and other systems",
        "Loading and saving, exports, Spark, and warnings about columns and rows that are left out.",
        "load updating export_model spark_udf Schema ColumnWarning RowWarning",
    ),
    "plots": ("Pictures", "`bayesfold plot` draws the same ones.", "plots"),
    "families": ("Distributions", "What `families=` and `numeric=` take.", "families"),
}
"""Page: its title, what is on it, and its public names."""

SHARED = "BayesClassifier"
"""The classifier whose inherited methods stand for those of all."""

RARELY = ("chooses", "number_copies")
"""Methods that `evaluate` asks for and people seldom do: they close the page."""


def pages() -> list[str]:
    """The pages of the reference, in order, as paths without endings."""
    return ["reference/methods", *(f"reference/{page}" for page in SUBJECTS), "reference/command"]


def write(into: Path) -> None:
    """Write the pages of the reference below `into`."""
    folder = into / "reference"
    folder.mkdir(parents=True, exist_ok=True)
    for page, (title, about, _) in SUBJECTS.items():
        entries = [entry(name) for name in names_of(page)]
        (folder / f"{page}.rst").write_text("\n".join([*heading(title), about, "", *entries]), encoding="utf-8")
    (folder / "methods.rst").write_text(methods(), encoding="utf-8")
    (folder / "command.rst").write_text(command(), encoding="utf-8")


def names_of(page: str) -> list[str]:
    """The public names of a page: those listed, then those listed nowhere whose room it is."""
    listed = {name for _, _, names in SUBJECTS.values() for name in names.split()}
    others = [name for name in bayesfold.__all__ if name not in listed]
    return [*SUBJECTS[page][2].split(), *(name for name in others if page_of(getattr(bayesfold, name)) == page)]


def page_of(thing: Any) -> str:
    """The page of a public name that none lists."""
    room = str(getattr(thing, "__module__", "")).removeprefix("bayesfold.").partition(".")[0]
    return {"estimators": "classifiers", "decisions": "decisions", "networks": "networks"}.get(room, "files")


def heading(title: str, under: str = "=") -> list[str]:
    return [title, under * max(len(title), 4) * 2, ""]


def entry(name: str) -> str:
    """The directive of one public name, with its own public methods."""
    thing = getattr(bayesfold, name)
    if isinstance(thing, ModuleType):
        return module(thing)
    kind = "function"
    if inspect.isclass(thing):
        kind = "exception" if issubclass(thing, Warning | Exception) else "class"
    head = [*heading(name, "-"), f".. auto{kind}:: bayesfold.{name}"]
    if kind == "class" and (own := own_methods(thing)):
        head.append(f"   :members: {', '.join(own)}")
    return "\n".join([*head, ""])


def module(thing: ModuleType) -> str:
    """The docstring of a folder of plug-ins, then that of each file in it."""
    name = thing.__name__
    lines = [f".. automodule:: {name}", ""]
    for file in sorted(Path(str(thing.__file__)).parent.glob("[a-z]*.py")):
        lines += [*heading(file.stem, "-"), f".. automodule:: {name}.{file.stem}", ""]
    return "\n".join(lines)


def own_methods(thing: type[Any]) -> list[str]:
    """The documented methods that a class itself defines, without those that scikit-learn puts there."""
    return [
        name
        for name, value in vars(thing).items()
        if not name.startswith("_") and getattr(getattr(thing, name), "__module__", "").startswith("bayesfold")
        if isinstance(value, property | classmethod | staticmethod) or inspect.isfunction(value)
        if inspect.getdoc(getattr(thing, name))
    ]


def methods() -> str:
    """The methods of all classifiers, from the class that they share."""
    lines = [
        *heading("Methods of all classifiers"),
        "The methods that :doc:`the classifiers <classifiers>` and :doc:`the drop-ins <drop-ins>` have in common.",
        "",
    ]
    found: dict[str, None] = {}
    for base in getattr(bayesfold, SHARED).__mro__[1:]:
        if base.__module__.startswith("bayesfold"):
            found |= dict.fromkeys(own_methods(base))
    lines += [f".. automethod:: bayesfold.{SHARED}.{name}\n" for name in sorted(found, key=RARELY.__contains__)]
    return "\n".join(lines)


def command() -> str:
    """What `bayesfold --help` and the help of each command print."""
    lines = [*heading("The command"), "What `bayesfold --help` and `bayesfold COMMAND --help` print.", ""]
    for name in ("", *commands()):
        lines += [*heading(f"bayesfold {name}".strip(), "-"), ".. code-block:: text", ""]
        lines += [f"   {line}" if line else "" for line in help_of(name).splitlines()]
        lines.append("")
    return "\n".join(lines)


def commands() -> list[str]:
    """The commands, as their folder has them."""
    folder = Path(bayesfold.__file__).parent / "cli" / "commands"
    return sorted(file.stem for file in folder.glob("[a-z]*.py"))


def help_of(name: str) -> str:
    """The help of one command, or of all of them together, 100 letters wide."""
    words = [name] if name else []
    environment = {**os.environ, "COLUMNS": "100", "NO_COLOR": "1", "PYTHONIOENCODING": "utf-8"}
    asked = [sys.executable, "-m", "bayesfold", *words, "--help"]
    return subprocess.run(asked, check=True, capture_output=True, encoding="utf-8", env=environment).stdout
