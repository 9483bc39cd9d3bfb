"""What is shown while waiting never keeps a process from ending."""

import io
import subprocess
import sys
import time

from bayesfold.runtime import waiting as module

LEFT = """
from bayesfold.runtime.waiting import waiting
shown = waiting("learning", anywhere=True)
shown.__enter__()
raise KeyboardInterrupt  # between the first line of a block and its try
"""


def test_a_process_that_is_interrupted_as_it_begins_to_wait_ends():
    ended = subprocess.run([sys.executable, "-c", LEFT], capture_output=True, text=True, timeout=60)
    assert "KeyboardInterrupt" in ended.stderr
    assert ended.returncode != 0


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_the_line_on_a_terminal_is_taken_away(monkeypatch):
    said = Terminal()
    monkeypatch.setattr(module, "PATIENCE", 0.0)
    monkeypatch.setattr(sys, "stderr", said)
    with module.waiting("learning"):
        until = time.monotonic() + 60
        while "learning" not in said.getvalue() and time.monotonic() < until:
            time.sleep(0.001)
    assert said.getvalue().startswith("\rlearning: ")
    assert said.getvalue().endswith("\r\x1b[K")


def test_who_does_not_wait_is_told_nothing(monkeypatch):
    said = Terminal()
    monkeypatch.setattr(module, "PATIENCE", 3_600.0)
    monkeypatch.setattr(sys, "stderr", said)
    with module.waiting("learning"):
        pass
    assert said.getvalue() == ""
