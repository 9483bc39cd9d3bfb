"""Our own format, in JSON: states keep their kind (text, whole numbers, truth values).

{"format": "bayesfold network", "version": 1, "name": "garden", "variables": [
  {"name": "rain", "states": ["yes", "no"], "parents": [], "table": [0.2, 0.8]},
  {"name": "wet", "states": [true, false], "parents": ["rain"], "table": [[0.9, 0.1], [0.2, 0.8]]}]}

With numbers among the nodes the version is 2. A number has lines instead of states and a table: slopes for the numbers
among its parents, and all three by the states of the categories among them, in the order of the parents.

  {"name": "level", "parents": ["rain", "inflow"], "intercept": [4.0, 2.5], "slopes": [[0.3], [0.2]], "sd": [0.5, 0.4]}
"""

import json
import sys
from math import prod
from typing import Any, NoReturn

import numpy as np

from bayesfold.networks.dag import Dag
from bayesfold.networks.declared import MOST_CELLS, Declared, FormatError
from bayesfold.networks.factor_states import States, check_name
from bayesfold.networks.mixed.lines import Lines
from bayesfold.networks.mixed.network import MixedNetwork
from bayesfold.networks.network import BayesianNetwork
from bayesfold.networks.scanner import decode_text
from bayesfold.runtime.json_members import members_once, refuse_half_characters

SUFFIXES = (".json",)
FORMAT = "bayesfold network"
LARGEST = sys.float_info.max
NUMBERS = True
"""Nodes may be numbers."""


def read(data: bytes, file: str = "") -> BayesianNetwork | MixedNetwork:
    """The network of a JSON file."""
    text = decode_text(data)
    try:
        whole = json.loads(text, object_pairs_hook=members_once, parse_constant=refuse_constant)
        refuse_half_characters(text, whole)
    except json.JSONDecodeError as error:
        raise FormatError(error.msg, error.lineno, error.colno) from None
    except (RecursionError, ValueError) as error:
        raise FormatError(f"this JSON cannot be read: {error}", 1, 1) from None
    declared = Declared(file)
    where = ""  # JSON's parser keeps no lines for what it has read: say which entry
    try:
        if not isinstance(whole, dict) or whole.get("format") != FORMAT or whole.get("version") not in (1, 2):
            raise ValueError(f'expected {{"format": "{FORMAT}", "version": 1 or 2, ...}}')
        declared.name = read_member(whole, "name", str)
        variables = read_member(whole, "variables", list)
        lines: dict[str, Any] = {}
        for i, entry in enumerate(variables):
            where = f"variables[{i}]"
            name = read_member(entry, "name", str)
            if whole["version"] == 2 and "sd" in entry:
                if name in lines or name in declared.axes:
                    raise ValueError(f"the variable {name!r} is declared twice; keep one declaration")
                lines[name] = entry
            else:
                if name in lines:
                    raise ValueError(f"the variable {name!r} is declared twice; keep one declaration")
                declared.variable(name, check_state_kinds(read_member(entry, "states", list)))
        for i, entry in enumerate(variables):
            where = f"variables[{i}]"
            child, parents = entry["name"], read_parents(entry)
            if child in lines:
                lines[child] = parents, read_lines(entry, parents, declared.axes, lines)
            else:
                refuse_numbers_above(child, parents, lines)
                shape = declared.shape(child, parents)
                declared.put(child, np.array(check_nested(read_member(entry, "table", list), shape), np.float64))
        where = ""
        return make_mixed(declared, lines, variables) if lines else declared.network()
    except ValueError as error:
        raise FormatError(f"{where}: {error}" if where else str(error), 1, 1) from None


def read_parents(entry: Any) -> list[str]:
    """The parents of an entry."""
    parents: list[str] = read_member(entry, "parents", list)
    if not all(isinstance(p, str) for p in parents):
        raise ValueError("parents must be a list of names")
    return parents


def refuse_numbers_above(child: str, parents: list[str], numbers: dict[str, Any]) -> None:
    """A category never depends on a number."""
    for p in parents:
        if p in numbers:
            raise ValueError(f"{child!r} is a category and cannot depend on the number {p!r}")


def read_lines(entry: Any, parents: list[str], axes: dict[str, States], numbers: dict[str, Any]) -> Lines:
    """The lines of a number."""
    for p in parents:
        check_name("variable", p, {**axes, **numbers})
    if entry["name"] in parents or len(set(parents)) < len(parents):
        raise ValueError(f"{entry['name']!r} names a parent twice, or itself")
    shape = tuple(len(axes[p]) for p in parents if p in axes)
    slopes = (*shape, sum(p in numbers for p in parents))
    if prod(slopes) > MOST_CELLS or prod(shape) > MOST_CELLS or len(slopes) > 32:
        raise ValueError(f"{entry['name']!r} has {prod(shape)} lines; a file may hold at most {MOST_CELLS}")
    cells = {
        key: check_nested(entry.get(key), of) for key, of in (("intercept", shape), ("slopes", slopes), ("sd", shape))
    }
    return Lines(
        *(
            np.array(part, np.float64).reshape(of)
            for part, of in zip(cells.values(), (shape, slopes, shape), strict=True)
        )
    )


def make_mixed(declared: Declared, lines: dict[str, Any], variables: list[Any]) -> MixedNetwork:
    """The network of what was declared and of numbers, nodes in the order of the file."""
    names = tuple(entry["name"] for entry in variables)
    index = {v: i for i, v in enumerate(names)}
    above = {**declared.parents, **{v: parents for v, (parents, _) in lines.items()}}
    dag = Dag(names, tuple(tuple(index[p] for p in above[v]) for v in names))
    axes = {v: declared.axes.get(v, ()) for v in names}
    tables = {**declared.tables, **{v: own_lines for v, (_, own_lines) in lines.items()}}
    return MixedNetwork(dag, axes, tables, declared.name)


def refuse_constant(name: str) -> NoReturn:
    """NaN and infinities are no probabilities."""
    raise ValueError(f"{name} is not a JSON number; give a finite one")


def read_member(entry: Any, key: str, kind: type) -> Any:
    """A member that must be there, of this kind."""
    if not isinstance(entry, dict) or not isinstance(entry.get(key), kind):
        raise ValueError(f"expected an object with {key!r}, a {'list' if kind is list else 'text'}")
    return entry[key]


def check_state_kinds(states: list[Any]) -> list[Any]:
    """States are text, numbers or truth values, told apart also as they are written."""
    if not all(isinstance(s, str | int | float | bool) for s in states):
        raise ValueError("states must be text, numbers or truth values")
    if len({str(s) for s in states}) < len(states):
        raise ValueError("two states are written alike; rename one")
    return states


def check_nested(values: Any, shape: tuple[int, ...]) -> Any:
    """Lists in lists of this shape, with a finite number in each place."""
    if not shape:
        if isinstance(values, bool) or not isinstance(values, int | float) or not abs(values) <= LARGEST:
            raise ValueError(f"expected a number in the table, found {str(values)[:40]!r}")
        return values
    if not isinstance(values, list) or len(values) != shape[0]:
        raise ValueError(f"the table must be lists in lists of the lengths {' x '.join(map(str, shape))}")
    return [check_nested(part, shape[1:]) for part in values]


def write(network: BayesianNetwork | MixedNetwork) -> str:
    """The network as a JSON file; every digit is written."""
    lines = []
    for v in network.nodes:
        states, parents, table = list(network.states(v)), list(network.parents(v)), network.tables[v]
        entry: dict[str, Any] = {"name": v, "states": states, "parents": parents}
        if isinstance(table, Lines):
            own = {"intercept": table.intercept.tolist(), "slopes": table.slopes.tolist(), "sd": table.sd.tolist()}
            entry = {"name": v, "parents": parents, **own}
        else:
            entry["table"] = table.tolist()
        lines.append("  " + json.dumps(entry, ensure_ascii=False, allow_nan=False))
    version = 2 if any(isinstance(table, Lines) for table in network.tables.values()) else 1
    head = json.dumps({"format": FORMAT, "version": version, "name": network.name}, ensure_ascii=False)
    return head[:-1] + ', "variables": [\n' + ",\n".join(lines) + "\n]}\n"
