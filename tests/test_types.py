"""To a type checker public names are what they are, and not Any."""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import bayesfold

ROOT = Path(__file__).parents[1]
PROGRAM = """
import bayesfold as bf

clf = bf.NaiveBayes(alpha=1.0).fit({"a": [1.0]}, ["p"])
reveal_type(clf)
reveal_type(clf.explain({"a": 1.0}))
reveal_type(bf.load("m.bayes"))
reveal_type(bf.BayesianNetwork.from_edges([("a", "b")]))
reveal_type(bf.plots.save)
bf.NaiveBays
"""


@pytest.mark.skipif(find_spec("mypy") is None, reason="mypy is not installed")
def test_a_program_of_a_user_is_checked(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    command = [sys.executable, "-m", "mypy", "--config-file", "pyproject.toml", str(tmp_path / "program.py")]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout
    for words in (
        'Revealed type is "bayesfold.estimators.naive.NaiveBayes"',
        'Revealed type is "bayesfold.explanations.explanation.Explanations"',
        'Revealed type is "bayesfold.estimators.base.Classifier"',
        'Revealed type is "bayesfold.networks.network.BayesianNetwork"',
        "-> pathlib.Path",
        'Module has no attribute "NaiveBays"',
    ):
        assert words in said, said


def test_a_type_checker_is_told_every_public_name() -> None:
    source = Path(bayesfold.__file__).read_text()
    told = source[source.index("if TYPE_CHECKING") : source.index("\n__version__")]
    for name, home in bayesfold._HOME.items():
        module = "bayesfold" if home == f"bayesfold.{name}" else home
        assert f"from {module} import {name} as {name}\n" in told
    assert told.count(" import ") == len(bayesfold._HOME)
