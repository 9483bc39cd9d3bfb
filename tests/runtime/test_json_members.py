"""A key that an object of JSON has twice is refused at every door: the last one would win without a word."""

import json

import pytest

from bayesfold.cli._choices import parse_value, read_costs
from bayesfold.networks.declared import FormatError
from bayesfold.networks.formats import find
from bayesfold.runtime.json_members import RepeatedKeyError, members_once
from bayesfold.web.server.problems import Problem
from bayesfold.web.server.strict_json import read_json

TWICE = "'home' is there twice in one object"


def test_objects_within_objects_are_looked_at_too() -> None:
    with pytest.raises(RepeatedKeyError, match=TWICE):
        json.loads('[{"a": {"home": 1, "ward": 2, "home": 3}}]', object_pairs_hook=members_once)


def test_costs_of_one_decision_twice(tmp_path) -> None:
    path = tmp_path / "costs.json"
    path.write_text('{"home": {"home": 0, "ward": 9}, "home": {"home": 0, "ward": 1}}', encoding="utf-8")
    with pytest.raises(ValueError, match=f"costs.json: {TWICE}"):
        read_costs(str(path), ["home", "ward"])


def test_a_setting_of_one_class_twice() -> None:
    with pytest.raises(ValueError, match=TWICE):
        parse_value('{"home": 0.5, "home": 0.1}')
    assert parse_value("{home") == "{home"  # what is no JSON is a word


def test_the_body_of_a_request() -> None:
    with pytest.raises(Problem, match=TWICE):
        read_json(b'{"row": {"home": 1, "home": 2}}')


def test_a_network() -> None:
    with pytest.raises(FormatError, match=TWICE):
        find("json").read(b'{"format": "x", "home": 1, "home": 2}')
