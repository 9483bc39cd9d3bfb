"""A server of this process at a port of its own, and what it serves."""

from contextlib import contextmanager
from functools import cache
from threading import Thread
from time import sleep

import httpx
import uvicorn

from bayesfold.demo.triage import triage
from bayesfold.learning.kinds import find
from bayesfold.learning.trained import train
from bayesfold.store import save
from bayesfold.web.server import run
from bayesfold.web.server.app import application
from bayesfold.web.server.settings import Settings

PERSON = {"age": 71, "pulse": 104, "oxygen": 93.0, "awake": "confused", "arrival": "by ambulance"}
COSTS = {
    "home": {"ward": 6, "intensive care": 60},
    "ward": {"home": 2, "intensive care": 15},
    "intensive care": {"home": 8, "ward": 4},
}


@cache
def patients(kind="naive", rows=400, seed=0, **settings):
    """A model of generated patients."""
    from bayesfold.data.tables import frame

    table, place = triage(rows, seed)
    return train(find(kind)(**settings), frame(table), place.tolist(), "place")


def saved(folder, name="patients", kind="naive", **more):
    """The path of such a model's file."""
    path = folder / f"{name}.bayes"
    save(patients(kind, **more), path)
    return path


@contextmanager
def running(*paths, **told):
    """A client of a server of these files; at the end the server has stopped."""
    listening = run.bind_socket("127.0.0.1", 0)
    settings = Settings(tuple(map(str, paths)), port=listening.getsockname()[1], **told)
    server = uvicorn.Server(uvicorn.Config(application(settings), **run.uvicorn_options(settings)))
    thread = Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    while not server.started:
        sleep(0.01)
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{settings.port}", timeout=60) as client:
            yield client
    finally:
        server.should_exit = True
        thread.join(20)
        listening.close()


def ask(client, path, body=None, **more):
    """The answer to a question; an error fails the test with what the server says."""
    url = f"/api/v1/{path}"
    response = client.get(url, **more) if body is None else client.post(url, json=body, **more)
    assert response.status_code in (200, 201, 202), response.text
    return response.json()


def problem(response):
    """(status, type) of a refusal, whose shape is checked."""
    assert response.headers["content-type"] == "application/problem+json"
    told = response.json()
    assert told.keys() == {"type", "title", "status", "detail"}
    assert told["status"] == response.status_code
    return response.status_code, told["type"]
