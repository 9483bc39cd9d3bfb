"""What a wheel must do where nothing else of this repository is: learn, answer, export, and be answered by Node."""

import csv
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

COMMAND = Path(sys.executable).parent / ("bayesfold.exe" if sys.platform == "win32" else "bayesfold")
PLACES = ("home", "intensive care", "ward")
ASK = "const m = require('./table.js'); console.log(JSON.stringify(m.proba(JSON.parse(process.argv[1]))))"


def main(folder: str) -> None:
    import bayesfold

    assert "site-packages" in bayesfold.__file__, bayesfold.__file__

    def run(*words: str | Path) -> str:
        return subprocess.run(words, check=True, capture_output=True, text=True, cwd=folder).stdout

    run(COMMAND, "demo", "--table", "table.csv", "--rows", "200")
    run(COMMAND, "fit", "table.csv", "--target", "place", "--model", "naive")
    run(COMMAND, "predict", "table.bayes", "table.csv", "-o", "answers.csv")
    run(COMMAND, "export", "table.bayes", "-o", "table.js")
    with Path(folder, "answers.csv").open(encoding="utf-8", newline="") as file:
        answered = list(csv.DictReader(file))
    assert len(answered) == 200
    said = ["learned, answered, exported"]
    if shutil.which("node"):
        there = json.loads(run("node", "-e", ASK, json.dumps(answered)))
        here = [[float(row[f"P({place})"]) for place in PLACES] for row in answered]
        assert all(abs(a - b) < 1e-9 for x, y in zip(there, here, strict=True) for a, b in zip(x, y, strict=True))
        said.append("Node answers the same")
    assert abs(bayesfold.read_network("smoking").query("cancer | smoking=yes")["yes"] - 0.08) < 1e-12
    print(", ".join([*said, "a network answers"]))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        main(folder)
