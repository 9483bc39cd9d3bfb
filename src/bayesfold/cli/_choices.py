"""What a person may choose on the command line, as the settings of a model.

>>> read_markers(["?,Glucose=0"])
{'*': ['?'], 'Glucose': ['0']}
>>> parse_value("2"), parse_value("auto"), parse_value("none")
(2, 'auto', None)
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bayesfold.cli._names import find_file, refuse_repeated, resolve_name
from bayesfold.decisions.loss import lines_of
from bayesfold.io.open import open_source
from bayesfold.io.selection import Selection
from bayesfold.io.source import Source
from bayesfold.learning.kinds import COUNTS, Settings, find
from bayesfold.learning.kinds import names as kind_names
from bayesfold.learning.number_candidates import densities
from bayesfold.runtime.json_members import RepeatedKeyError, members_once
from bayesfold.runtime.messages import suggest

if TYPE_CHECKING:
    from bayesfold.io.speculative import Early

MOST_LINES = 10_000
PROSE = "text"
"""The name of the kind of model, and of the family, that reads prose."""

OWN_OPTION = {
    "families": "--as COLUMN=FAMILY",
    "missing": "--missing",
    "loss": "--loss",
    "reject_cost": "--reject-cost",
    "reject_label": "--reject-cost",
    "schema": "--like",
}
"""Settings that have an option of their own."""


@dataclass(frozen=True)
class FitRequest:
    """What the command line says about the columns and the model."""

    target: str
    model: str | None = None
    families: tuple[str, ...] = ()
    text: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    weight: str | None = None
    weight_counts: bool = False
    groups: str | None = None
    loss: str | None = None
    reject_cost: float | None = None

    def counting(self, settings: Settings) -> Settings:
        """The settings, with what weights mean."""
        return replace(settings, weights_are=COUNTS) if self.weight_counts else settings


def make_settings(
    model: str | None,
    selection: Selection,
    families: Sequence[str] = (),
    text: Sequence[str] = (),
    marks: Mapping[str, list[Any]] | None = None,
    others: Sequence[str] = (),
    loss: str | None = None,
    reject_cost: float | None = None,
    classes: Sequence[Any] = (),
) -> Settings:
    """The settings of a kind of model, from what was chosen."""
    name = kind_named(model, text)
    kind = find(name)
    given: dict[str, Any] = {}
    if families:
        given["families"] = read_families(families, selection.features)
    if marks:
        given["missing"] = dict(marks)
        for column in marks:
            if column != "*":
                resolve_name("column", column, (*selection.features, selection.target), "--missing: ")
    given |= read_settings(kind, others, classes)
    if text or name == PROSE:
        given["families"] = prose_families(name, kind, given, text) | given.get("families", {})
    if loss is not None:
        given["loss"] = read_costs(loss, classes)
    if reject_cost is not None:
        label = next(n for n in ("reject", "rejected", "no decision") if n not in map(str, classes))
        given |= {"reject_cost": reject_cost, "reject_label": label}
    return kind(**given)


def kind_named(model: str | None, text: Sequence[str]) -> str:
    """The kind of model: as named, else the one for prose where there is some, else the recommended one."""
    name: str = resolve_name("model", model or (PROSE if text else "bayes"), kind_names())
    return name


def guess_counts(
    source: Source,
    model: str | None,
    families: Sequence[str],
    text: Sequence[str],
    marks: Mapping[str, list[Any]],
    selection: Selection,
) -> "Early | None":
    """The counter that runs while rows are looked at; None where this kind of model does not allow it."""
    from bayesfold.io.speculative import Early  # only learning counts

    kind = find(kind_named(model, text))
    columns = {one.rpartition("=")[0]: None for one in families} | dict.fromkeys(text)
    return Early(source, selection, marks, columns) if kind.side_by_side else None


def split_families(families: Sequence[str], text: Sequence[str], target: str) -> tuple[list[str], dict[str, str]]:
    """What --as says of features, and which columns of a text file hold text: prose, and a target whose numbers are
    names.

    >>> split_families(["age=kde", "y=categorical"], ["body"], "y")
    (['age=kde'], {'body': 'text', 'y': 'text'})
    """
    named = f"{target}=categorical"
    return [one for one in families if one != named], dict.fromkeys([*text, *([target] * (named in families))], "text")


def prose_families(name: str, kind: type[Settings], given: Mapping[str, Any], text: Sequence[str]) -> dict[str, Any]:
    """--text body: how columns of prose are read."""
    if not text:
        raise ValueError("--model text reads columns of prose: name them with --text COLUMN")
    if name not in (PROSE, "naive"):
        raise ValueError(
            f"--text needs --model text or naive: in {name} columns depend on each other, and words cannot"
        )
    settings: Any = kind(**given)
    return dict.fromkeys(text, settings.texts() if name == PROSE else PROSE)


def read_families(families: Sequence[str], columns: Sequence[str]) -> dict[str, str]:
    """The family of each column, from --as Age=categorical."""
    by_column: dict[str, str] = {}
    for text in families:
        name, _, family = text.rpartition("=")
        if not name:
            raise ValueError(f"--as {text}: write COLUMN=FAMILY, for example --as Age=categorical")
        if family == PROSE:
            raise ValueError(f"--as {text}: write --text {name!r}, for a column of prose")
        column = resolve_name("column", name, columns, "--as: ")
        refuse_repeated("--as", column, by_column)
        by_column[column] = resolve_name("family", family, densities(), "--as: ")
    return by_column


def read_markers(marks: Sequence[str]) -> dict[str, list[Any]]:
    """Markers of missing values by column ("*": all), from --missing '?,Glucose=0'."""
    markers: dict[str, list[Any]] = {}
    for part in ",".join(marks).split(",") if marks else ():
        name, equals, mark = part.strip().rpartition("=")
        markers.setdefault(name if equals else "*", []).append(mark)
    return markers


def read_settings(kind: type[Settings], others: Sequence[str], classes: Sequence[Any]) -> dict[str, Any]:
    """The other settings of a kind of model by name, from --set k=2."""
    free = [f.name for f in fields(kind) if f.name not in OWN_OPTION]
    chosen: dict[str, Any] = {}
    for text in others:
        name, equals, given = text.partition("=")
        if not equals:
            raise ValueError(f"--set {text}: write NAME=VALUE, for example --set {free[0]}=1")
        if name in OWN_OPTION:
            raise ValueError(f"--set {name}: use {OWN_OPTION[name]}")
        if name not in free:
            raise ValueError(f"--set: a {kind.estimator} has no setting {name!r}; {suggest(name, free)}")
        refuse_repeated("--set", name, chosen)
        read = parse_value(given)
        chosen[name] = keys_to_classes(read, classes) if name in ("priors", "class_weight") else read
    return chosen


def parse_value(text: str) -> Any:
    """A value as JSON has it; a word is itself, and none is None."""
    if text.lower() in ("none", "true", "false"):
        return {"none": None, "true": True, "false": False}[text.lower()]
    try:
        return json.loads(text, object_pairs_hook=members_once)
    except RepeatedKeyError:
        raise
    except ValueError:
        return text


def keys_to_classes(given: Any, classes: Iterable[Any]) -> Any:
    """A dict whose keys, which are text in JSON, are replaced by the classes, which may be numbers."""
    if not isinstance(given, Mapping):
        return given
    every = {str(c): c for c in classes}
    return {every.get(key, key): v for key, v in given.items()}


def read_costs(path: str, classes: Sequence[Any]) -> dict[str, dict[str, float]] | list[Any]:
    """loss[decision][truth], from --loss costs.json or costs.csv."""
    try:
        file = find_file(path, (".json", ".csv"))
    except FileNotFoundError as error:
        raise FileNotFoundError(f"{error}; --loss names a JSON or CSV file of costs, loss[decision][truth]") from None
    if file.suffix == ".json":
        try:
            read = json.loads(file.read_text(encoding="utf-8"), object_pairs_hook=members_once)
        except RepeatedKeyError as error:
            raise ValueError(f"{path}: {error}") from None
        except ValueError as error:
            raise ValueError(f"{path} is not JSON ({error})") from None
    else:
        read = lines_of(read_small_csv(file), classes)
    if isinstance(read, Mapping):
        return {str(d): {str(t): c for t, c in line.items()} for d, line in read.items()}
    return list(read)


def read_small_csv(path: Path) -> Any:
    """A small CSV file as an Arrow table."""
    with open_source(path) as source:
        return source.look(source.names, MOST_LINES, {}, {}).table
