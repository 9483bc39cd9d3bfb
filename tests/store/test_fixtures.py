"""Files of every released format load, and answer what they answered then."""

import json

import numpy as np
import pytest

import bayesfold as bf
from bayesfold import store
from bayesfold.store.file import FORMAT

from .fixtures import HOME, answers, folder
from .models import NAMES

FILES = sorted(HOME.glob("format-*/*.bayes"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_an_old_file_answers_as_it_did(path):
    recorded = json.loads((path.parent / "answers.json").read_text())[path.stem]
    said = answers(store.load(path), path.stem)
    assert said.keys() == recorded.keys()
    assert (said["rows"], said["classes"]) == (recorded["rows"], recorded["classes"])
    for name in ("log_proba", "after"):
        np.testing.assert_allclose(said.get(name, 0), recorded.get(name, 0), rtol=1e-9, atol=1e-9)
    assert bf.load(path).classes_.tolist() == recorded["classes"]


@pytest.mark.parametrize("name", NAMES)
def test_every_kind_has_a_file_of_the_present_format(name):
    assert (folder(FORMAT) / f"{name}.bayes").exists(), "python -m tests.store.fixtures writes it"
    assert [folder(number).is_dir() for number in range(1, FORMAT + 1)] == [True] * FORMAT
