"""The process of a command, which is ours, and a call of it, which is not."""

import gc
import signal
import subprocess
import sys

from tests.cli.process import ENVIRONMENT

from bayesfold.cli._main import SELDOM, main
from bayesfold.cli._serving import serve_until_stopped
from bayesfold.web.server import run
from bayesfold.web.server.settings import Settings


def test_a_command_looks_for_cycles_seldom(tmp_path):
    script = (
        "import gc, sys; sys.argv = ['bayesfold', 'query', 'smoking', 'cancer']; "
        "from bayesfold.cli._main import main; code = main(); print(gc.get_threshold()); sys.exit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, env=ENVIRONMENT, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == str(SELDOM)


def test_whoever_calls_it_keeps_the_rule_they_had(capsys):
    before = gc.get_threshold()
    assert main(["query", "smoking", "cancer"]) == 0
    assert "cancer=yes" in capsys.readouterr().out
    assert gc.get_threshold() == before


def test_a_server_looks_for_them_as_python_does(monkeypatch):
    before, seen = gc.get_threshold(), []
    monkeypatch.setattr(run, "serve", lambda settings, ready: seen.append(gc.get_threshold()))
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    gc.set_threshold(*SELDOM)
    try:
        serve_until_stopped(Settings(), browse=False)
    finally:
        gc.set_threshold(*before)
    assert seen == [before]
