"""The server as a process: uvicorn, one worker or several, stopped gracefully. uvicorn is here."""

import gc
import inspect
import logging
import os
import socket
from collections.abc import Callable
from typing import Any

import uvicorn
from uvicorn.supervisors.multiprocess import Multiprocess

from bayesfold.web.server.app import application
from bayesfold.web.server.safety import App
from bayesfold.web.server.settings import ENVIRONMENT, Settings

GRACE = 20
"""Seconds that requests in progress have to end once the server is told to stop."""


def serve(settings: Settings, ready: Callable[[int], None]) -> None:
    """Answer until told to stop (SIGINT, SIGTERM); then end what is in progress and return.

    `ready` hears the port, once the models are read and requests find somebody.
    """
    logging.basicConfig(level=logging.WARNING, format="bayesfold: %(message)s")
    if settings.workers > 1:
        os.environ[ENVIRONMENT] = settings.to_json()
        config = uvicorn.Config(
            f"{__name__}:worker", factory=True, workers=settings.workers, **uvicorn_options(settings)
        )
        with bind_socket(settings.host, settings.port) as listening:
            ready(listening.getsockname()[1])
            start: Any = Multiprocess  # older versions of uvicorn want to be told what each process runs
            target_option = (
                {"target": uvicorn.Server(config).run} if "target" in inspect.signature(start).parameters else {}
            )
            start(config, sockets=[listening], **target_option).run()
        return
    app = make_ready(settings)
    with bind_socket(settings.host, settings.port) as listening:
        ready(listening.getsockname()[1])
        uvicorn.Server(uvicorn.Config(app, **uvicorn_options(settings))).run(sockets=[listening])


def worker() -> App:
    """The application of a worker process, by the settings that the first process left for it."""
    return make_ready(Settings.from_json(os.environ[ENVIRONMENT]))


def make_ready(settings: Settings) -> App:
    """The application, its models read; what lives as long as the process is not searched for garbage again.

    A search through all of it would hold up every request that comes meanwhile, for as long as a hundred answers take.
    """
    app = application(settings)
    gc.collect()
    gc.freeze()
    return app


def uvicorn_options(settings: Settings) -> dict[str, Any]:
    """What uvicorn is told."""
    return {
        "host": settings.host,
        "port": settings.port,
        "log_level": "warning",
        "access_log": False,
        "server_header": False,
        "proxy_headers": False,
        "limit_concurrency": settings.limits.connections,
        "timeout_graceful_shutdown": GRACE,
        "timeout_keep_alive": 30,
        "h11_max_incomplete_event_size": 1 << 16,
        "ws": "none",
    }


def bind_socket(host: str, port: int) -> socket.socket:
    """A socket that listens there; port 0 is any that is free."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio answers at once only where the protocol is named; else each answer waits 40 ms for the last one's receipt
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen(socket.SOMAXCONN)
    except OSError as error:
        listening.close()
        raise OSError(f"cannot listen at {host}:{port}: {error.strerror}; --port takes another, 0 any") from None
    return listening
