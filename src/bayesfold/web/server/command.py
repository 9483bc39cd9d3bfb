"""The command as a process: what takes long is done beside the server, as in a terminal, and can be stopped.

So a table that is learned on the page gives the file that `bayesfold fit` writes.
"""

import os
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Thread

from bayesfold.web.server.problems import Problem

COLOURS = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
PREFIX = "bayesfold: "


class Command:
    """A running command; `hear` hears each line that it says beside its result, progress too."""

    def __init__(self, arguments: Sequence[str], folder: Path, hear: Callable[[str], None]) -> None:
        self._hear, self._said = hear, [""]
        reader, writer = terminal()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "bayesfold.cli", *arguments],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=writer,
            env={**os.environ, "OMP_NUM_THREADS": os.environ.get("OMP_NUM_THREADS", "2")},
        )
        os.close(writer)
        self._listener = Thread(target=self._listen, args=(reader,), daemon=True)
        self._listener.start()

    def _listen(self, reader: int) -> None:
        with open(reader, "rb", buffering=0) as stream:
            while True:
                try:
                    piece = stream.read(4096)
                except OSError:  # how a terminal ends
                    piece = b""
                if not piece:
                    return
                for line in re.split(r"[\r\n]+", COLOURS.sub("", piece.decode("utf-8", "replace"))):
                    if line.strip():
                        self._said.append(line.strip())
                        self._hear(line.strip())

    def result(self) -> str:
        """What it prints, once it has ended; what it says instead, as a problem."""
        out, _ = self._process.communicate()
        self._listener.join(5)
        if self._process.returncode:
            last = next((s for s in reversed(self._said) if s.startswith(PREFIX)), self._said[-1])
            raise Problem("not-possible", last.removeprefix(PREFIX) or "it was stopped")
        return out.decode()

    def stop(self) -> None:
        """End it."""
        if self._process.poll() is None:
            self._process.kill()


def terminal() -> tuple[int, int]:
    """Both ends of something that the command takes for a terminal, so that it tells how far it has come."""
    try:
        import pty
    except ImportError:  # a system without: it works, and says less
        return os.pipe()
    return pty.openpty()
