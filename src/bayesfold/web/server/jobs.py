"""Tables that are being learned: how far, and what became of it."""

import json
import re
import secrets
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock, Thread
from time import monotonic
from typing import Any

from bayesfold.store.file import from_bytes
from bayesfold.web.server.command import Command
from bayesfold.web.server.problems import Problem, problem_of
from bayesfold.web.server.shelf import Entry, Shelf
from bayesfold.web.server.tables import Kept, put_beside

OUT = "model.bayes"
PROGRESS = re.compile(r"learning: (.*)")
SHARE = re.compile(r"(\d+) %")
MOST = 50


@dataclass
class Job:
    """`state` is running, done, failed or cancelled; `said` is what the command says of its progress."""

    id: str
    table: str
    state: str = "running"
    said: str = ""
    share: float | None = None
    notes: list[str] = field(default_factory=list)
    model: str | None = None
    problem: str | None = None
    result: dict[str, Any] | None = None
    began: float = field(default_factory=monotonic)
    ended: float | None = None
    command: Command | None = None

    def hear(self, line: str) -> None:
        """A line of the command."""
        if match := PROGRESS.match(line):
            self.said = match[1]
            share = SHARE.search(line)
            self.share = int(share[1]) / 100 if share else None
        elif line.startswith("note: "):
            self.notes.append(line.removeprefix("note: "))

    def describe(self) -> dict[str, Any]:
        """All of it, for the asker."""
        seconds = (self.ended or monotonic()) - self.began
        names = ("id", "table", "state", "said", "share", "notes", "model", "problem", "result")
        return {name: getattr(self, name) for name in names} | {"seconds": round(seconds, 1)}


@dataclass
class Jobs:
    """Jobs by an id that cannot be guessed; `most` run at once."""

    shelf: Shelf
    most: int
    every: dict[str, Job] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def find(self, id: str) -> Job:
        """The job of that id, or a problem."""
        if id not in self.every:
            raise Problem("not-found", "there is no such job here")
        return self.every[id]

    def start(self, kept: Kept, arguments: list[str]) -> Job:
        """Begin to learn a table as `bayesfold fit` with these arguments does."""
        with self._lock:
            if sum(job.state == "running" for job in self.every.values()) >= self.most:
                raise Problem("not-now", f"{self.most} tables are being learned; wait for one, or cancel it")
            for old in list(self.every)[: max(0, len(self.every) - MOST)]:
                self.every.pop(old)
            job = Job(secrets.token_urlsafe(9), kept.id)
            self.every[job.id] = job
        Thread(target=self._work, args=(job, kept, arguments), daemon=True).start()
        return job

    def _work(self, job: Job, kept: Kept, arguments: list[str]) -> None:
        try:
            with TemporaryDirectory(prefix="bayesfold-fit-") as folder:
                table = put_beside(kept, Path(folder))
                command = ["fit", f"--output={OUT}", "--json", *arguments, "--", table.name]
                job.command = Command(command, Path(folder), job.hear)
                if job.state == "cancelled":  # before there was anything to stop
                    job.command.stop()
                job.result = json.loads(job.command.result())
                trained = from_bytes((Path(folder) / OUT).read_bytes())[0]
            entry = self.shelf.put(Entry(Path(kept.name).stem, trained=trained, made=True, learned=kept.id))
            job.model, job.state = entry.name, "done"
        except Exception as error:  # noqa: BLE001  (whatever it is, the asker is told)
            job.problem = problem_of(error).detail
            job.state = "cancelled" if job.state == "cancelled" else "failed"
        finally:
            job.ended = monotonic()

    def cancel(self, id: str) -> Job:
        """Stop a job."""
        job = self.find(id)
        if job.state == "running":
            job.state = "cancelled"
            if job.command is not None:
                job.command.stop()
        return job

    def close(self) -> None:
        """Stop every job."""
        for id in list(self.every):
            self.cancel(id)
