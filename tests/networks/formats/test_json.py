"""Networks in JSON: what is wrong is said with the entry that it is in, and what is right is read as it was."""

import json

import numpy as np
import pytest

from bayesfold.networks.declared import FormatError
from bayesfold.networks.formats.json import read, write

RAIN = {"name": "rain", "states": ["yes", "no"], "parents": [], "table": [0.2, 0.8]}
WET = {"name": "wet", "states": [True, False], "parents": ["rain"], "table": [[0.9, 0.1], [0.2, 0.8]]}
FLOW = {"name": "flow", "parents": [], "intercept": 1.5, "slopes": [], "sd": 0.5}
LEVEL = {
    "name": "level",
    "parents": ["rain", "flow"],
    "intercept": [4.0, 2.5],
    "slopes": [[0.3], [0.2]],
    "sd": [0.5, 0.4],
}
DEEP = {
    "name": "deep",
    "parents": ["flow", "wet", "rain"],
    "intercept": [[1, 2], [3, 4]],
    "slopes": [[[1], [2]], [[3], [4]]],
    "sd": [[1, 2], [3, 4]],
}


def text(*variables, version=1, **more):
    return json.dumps(
        {"format": "bayesfold network", "version": version, "name": "n", "variables": variables} | more
    ).encode()


def test_what_is_written_is_what_was_read():
    network = read(text(RAIN, WET))
    assert network.name == "n"
    assert network.states("wet") == (True, False)
    np.testing.assert_array_equal(network.tables["wet"], WET["table"])
    assert json.loads(write(network))["version"] == 1
    assert write(read(write(network).encode())) == write(network)
    mixed = read(text(WET, RAIN, DEEP, FLOW, LEVEL, version=2))
    assert mixed.nodes == ("wet", "rain", "deep", "flow", "level")
    assert mixed.parents("level") == ("rain", "flow")
    assert mixed.tables["level"].slopes.tolist() == LEVEL["slopes"]
    assert mixed.tables["deep"].slopes.tolist() == DEEP["slopes"]
    assert mixed.tables["deep"].sd.tolist() == DEEP["sd"]
    assert mixed.tables["flow"].intercept.tolist() == 1.5
    written = json.loads(write(mixed))
    assert (written["version"], [v["name"] for v in written["variables"]]) == (2, list(mixed.nodes))
    assert write(read(write(mixed).encode())) == write(mixed)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"[]", "expected .*bayesfold network"),
        (text(RAIN, version=3), "expected .*version"),
        (text(RAIN, format="other"), "expected .*format"),
        (text(RAIN, name=7), "expected an object with 'name', a text"),
        (text(RAIN, variables={}), "expected an object with 'variables', a list"),
        (text(RAIN, 7), r"variables\[1\]: expected an object with 'name'"),
        (text(RAIN, RAIN), r"variables\[1\]: the variable 'rain' is declared twice"),
        (text(RAIN, FLOW, FLOW, version=2), r"variables\[2\]: the variable 'flow' is declared twice"),
        (text(FLOW, RAIN | {"name": "flow"}, version=2), r"variables\[1\]: the variable 'flow' is declared twice"),
        (text(RAIN | {"name": "flow"}, FLOW, version=2), r"variables\[1\]: the variable 'flow' is declared twice"),
        (text(RAIN, FLOW), r"variables\[1\]: expected an object with 'states'"),
        (text(RAIN | {"states": ["yes", None]}), "states must be text, numbers or truth values"),
        (text(RAIN | {"states": ["1", 1]}), "two states are written alike"),
        (text(RAIN, WET | {"parents": [1]}), r"variables\[1\]: parents must be a list of names"),
        (text(RAIN, WET | {"parents": "rain"}), "expected an object with 'parents', a list"),
        (
            text(FLOW, WET | {"parents": ["flow"]}, version=2),
            "'wet' is a category and cannot depend on the number 'flow'",
        ),
        (text(RAIN | {"table": [0.2, "0.8"]}), "expected a number in the table, found '0.8'"),
        (text(RAIN | {"table": [True, 0.0]}), "expected a number in the table, found 'True'"),
        (text(RAIN | {"table": [10**400, 0.0]}), "expected a number in the table"),
        (text(RAIN | {"table": [0.2]}), "must be lists in lists of the lengths 2"),
        (text(RAIN, WET | {"table": [[0.9, 0.1], 0.5]}), "must be lists in lists of the lengths 2"),
        (text(RAIN, WET | {"table": [[0.9, 0.1]]}), "must be lists in lists of the lengths 2 x 2"),
        (text(FLOW, LEVEL, version=2), r"variables\[1\]: .*'rain'"),
        (
            text(RAIN, FLOW, LEVEL | {"parents": ["rain", "flow", "flow"]}, version=2),
            "'level' names a parent twice, or itself",
        ),
        (
            text(RAIN, FLOW, LEVEL | {"parents": ["rain", "level"]}, version=2),
            "'level' names a parent twice, or itself",
        ),
        (text(RAIN, FLOW, LEVEL | {"sd": [0.5]}, version=2), "lists in lists of the lengths 2"),
        (text(RAIN, FLOW, LEVEL | {"slopes": [0.3, 0.2]}, version=2), "lists in lists of the lengths 1"),
        (b'{"format": NaN}', "NaN is not a JSON number"),
        (b'{"format":\n "a", }', "line 2, column"),
        (b'{"name": 1, "name": 2}', "name"),
        (b"[" * 100_000, "cannot be read"),
    ],
)
def test_what_is_no_network_is_refused_with_its_entry(data, said):
    with pytest.raises(FormatError, match=said):
        read(data)
