"""Every command of docs/page.md is run against the server that it names, and prints what the page says."""

import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.cli.test_pages import ROOT, agrees, steps
from tests.web.server.serving import running, saved

ROWS = """\
age,pulse,oxygen,temperature,awake,arrival,pain
71,104,93,,confused,by ambulance,
30,70,98,36.6,alert,on foot,2
"""


@pytest.mark.skipif(shutil.which("curl") is None, reason="no curl here")
def test_what_the_page_says_is_what_the_server_answers(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("new.csv").write_text(ROWS, encoding="utf-8")
    (serve, _), *every = steps(ROOT / "docs" / "page.md")
    assert serve == "bayesfold serve patients.bayes smoking"
    assert len(every) > 8
    with running(saved(tmp_path), "smoking") as client:
        for command, expected in every:
            told = shlex.split(command.replace("localhost:8420", f"localhost:{client.base_url.port}"))
            assert told[0] in ("curl", "cat"), command
            said = subprocess.run(told, capture_output=True, text=True, check=True).stdout
            assert agrees(expected, said), f"$ {command}\n--- the page says\n{expected}\n--- it prints\n{said}"
