"""What is shown while waiting never keeps a process from ending."""

import subprocess
import sys

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
