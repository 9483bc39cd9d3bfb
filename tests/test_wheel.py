"""A built wheel, used without the sources: everything it needs is in it."""

import csv
import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[1]
PACKED = ("setup.py", "pyproject.toml", "MANIFEST.in", "README.md", "LICENSE")
COMMAND = "import sys; from bayesfold.cli._main import main; sys.exit(main())"
ANSWER = "const model = require('./table.js'); console.log(JSON.stringify(model.proba(JSON.parse(process.argv[1]))))"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The wheel of this source tree, unpacked; kernels that stand compiled are taken over."""
    folder = tmp_path_factory.mktemp("wheel")
    for name in PACKED:
        shutil.copy(ROOT / name, folder)
    shutil.copytree(ROOT / "src", folder / "src", ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
    build = [sys.executable, "setup.py", "--quiet", "bdist_wheel", "--dist-dir", "dist"]
    subprocess.run(build, cwd=folder, check=True, capture_output=True)
    with zipfile.ZipFile(next((folder / "dist").glob("*.whl"))) as wheel:
        wheel.extractall(folder / "site")
    return folder / "site"


def python(site, folder, code, *words):
    """What a Python that finds the unpacked wheel first prints; the editable install must not get in the way."""
    run = [sys.executable, "-c", code, *words]
    environment = {**os.environ, "PYTHONPATH": str(site)}
    return subprocess.run(run, cwd=folder, env=environment, check=True, capture_output=True, text=True).stdout


def test_it_ships_what_is_read_and_no_kernel_sources(site):
    package = site / "bayesfold"
    assert (package / "store" / "export" / "scorer.js").exists()
    assert (package / "py.typed").exists()
    assert list(package.glob("networks/examples/*.bif"))
    kernels = package / "kernels"
    assert {file.name for file in [*kernels.rglob("*.py"), *kernels.rglob("*.pxd")]} == {"__init__.py"}


def test_it_fits_exports_javascript_and_answers(site, tmp_path):
    where = python(site, tmp_path, "import bayesfold; print(bayesfold.__file__)")
    assert Path(where.strip()).is_relative_to(site)
    python(site, tmp_path, COMMAND, "demo", "--table", "table.csv", "--rows", "200")
    python(site, tmp_path, COMMAND, "fit", "table.csv", "--target", "place", "--model", "naive")
    python(site, tmp_path, COMMAND, "predict", "table.bayes", "table.csv", "-o", "answers.csv")
    with (tmp_path / "answers.csv").open() as file:
        answered = list(csv.DictReader(file))
    assert len(answered) == 200
    python(site, tmp_path, COMMAND, "export", "table.bayes", "-o", "table.js")
    if (node := shutil.which("node")) is None:
        pytest.skip("there is no Node on this machine")
    asked = subprocess.run([node, "-e", ANSWER, json.dumps(answered)], cwd=tmp_path, check=True, capture_output=True)
    said = [[float(row[f"P({place})"]) for place in ("home", "intensive care", "ward")] for row in answered]
    np.testing.assert_allclose(json.loads(asked.stdout), said, rtol=1e-9)
