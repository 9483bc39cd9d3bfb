"""Our own format, in JSON: states keep their kind (text, whole numbers, truth values).

{"format": "bayesfold network", "version": 1, "name": "garden", "variables": [
  {"name": "rain", "states": ["yes", "no"], "parents": [], "table": [0.2, 0.8]},
  {"name": "wet", "states": [true, false], "parents": ["rain"], "table": [[0.9, 0.1], [0.2, 0.8]]}]}
"""

import json
from math import isfinite
from typing import Any, NoReturn

import numpy as np

from bayesfold.networks.declared import Declared, FormatError
from bayesfold.networks.network import BayesianNetwork
from bayesfold.networks.scanner import decoded

SUFFIXES = (".json",)
FORMAT = "bayesfold network"


def read(data: bytes, file: str = "") -> BayesianNetwork:
    """The network of a JSON file."""
    text = decoded(data)
    try:
        whole = json.loads(text, parse_constant=refuse_constant)
    except json.JSONDecodeError as error:
        raise FormatError(error.msg, error.lineno, error.colno) from None
    except (RecursionError, ValueError) as error:
        raise FormatError(f"this JSON cannot be read: {error}", 1, 1) from None
    declared = Declared(file)
    where = ""  # JSON's parser keeps no lines for what it has read: say which entry
    try:
        if not isinstance(whole, dict) or whole.get("format") != FORMAT or whole.get("version") != 1:
            raise ValueError(f'expected {{"format": "{FORMAT}", "version": 1, ...}}')
        declared.name = member(whole, "name", str)
        variables = member(whole, "variables", list)
        for i, entry in enumerate(variables):
            where = f"variables[{i}]"
            declared.variable(member(entry, "name", str), checked_states(member(entry, "states", list)))
        for i, entry in enumerate(variables):
            where = f"variables[{i}]"
            child, parents = entry["name"], member(entry, "parents", list)
            if not all(isinstance(p, str) for p in parents):
                raise ValueError("parents must be names")
            shape = declared.shape(child, parents)
            declared.put(child, np.array(nested(member(entry, "table", list), shape), np.float64))
        where = ""
        return declared.network()
    except ValueError as error:
        raise FormatError(f"{where}: {error}" if where else str(error), 1, 1) from None


def refuse_constant(name: str) -> NoReturn:
    """NaN and infinities are no probabilities."""
    raise ValueError(f"{name} is no number of JSON")


def member(entry: Any, key: str, kind: type) -> Any:
    """A member that must be there, of this kind."""
    if not isinstance(entry, dict) or not isinstance(entry.get(key), kind):
        raise ValueError(f"expected an object with {key!r}, a {'list' if kind is list else 'text'}")
    return entry[key]


def checked_states(states: list[Any]) -> list[Any]:
    """States are text, numbers or truth values, told apart also as they are written."""
    if not all(isinstance(s, str | int | float | bool) for s in states):
        raise ValueError("states must be text, numbers or truth values")
    if len({str(s) for s in states}) < len(states):
        raise ValueError("two states are written alike")
    return states


def nested(values: Any, shape: tuple[int, ...]) -> Any:
    """Lists in lists of this shape, with a finite number in each place."""
    if not shape:
        if isinstance(values, bool) or not isinstance(values, int | float) or not isfinite(values):
            raise ValueError(f"expected a number in the table, found {str(values)[:40]!r}")
        return values
    if not isinstance(values, list) or len(values) != shape[0]:
        raise ValueError(f"the table must be lists in lists of the lengths {' x '.join(map(str, shape))}")
    return [nested(part, shape[1:]) for part in values]


def write(network: BayesianNetwork) -> str:
    """The network as a JSON file; every digit is written."""
    lines = []
    for v in network.nodes:
        states, parents = list(network.states(v)), list(network.parents(v))
        entry = {"name": v, "states": states, "parents": parents, "table": network.table(v).values.tolist()}
        lines.append("  " + json.dumps(entry, ensure_ascii=False, allow_nan=False))
    head = json.dumps({"format": FORMAT, "version": 1, "name": network.name}, ensure_ascii=False)
    return head[:-1] + ', "variables": [\n' + ",\n".join(lines) + "\n]}\n"
