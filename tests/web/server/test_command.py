"""The command beside the server: what it prints, what it says when it cannot, and that it can be stopped."""

import json
from time import sleep

import pytest
from tests.web.server.serving import saved

from bayesfold.web.server.command import Command
from bayesfold.web.server.problems import Problem


def test_what_it_prints_comes_back(tmp_path):
    path = saved(tmp_path)
    found = Command(["inspect", path.name, "--json"], tmp_path, lambda _: None).result()
    assert json.loads(found)


def test_what_it_cannot_do_is_a_problem_in_its_own_words(tmp_path):
    heard = []
    with pytest.raises(Problem, match=r"^there is no file no\.bayes$"):
        Command(["inspect", "no.bayes"], tmp_path, heard.append).result()
    assert any("there is no file" in line for line in heard)


def test_it_is_stopped(tmp_path):
    command = Command(["demo", "--rows", "2000000"], tmp_path, lambda _: None)
    sleep(0.2)
    command.stop()
    with pytest.raises(Problem):
        command.result()
