"""The server as a process: it answers at once, several workers answer, and told to stop it ends what is in progress."""

import asyncio
import signal
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest
from tests.web.server.serving import PERSON, saved

from bayesfold.web.server.run import bind_socket


def test_an_answer_does_not_wait_for_the_receipt_of_the_last_one():
    """Without TCP_NODELAY a connection that stays open gets its answers 40 ms late."""

    async def asked():
        seen = []

        def heard(_, writer):
            seen.append(writer.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            writer.close()

        with bind_socket("127.0.0.1", 0) as listening:
            async with await asyncio.start_server(heard, sock=listening):
                reader, writer = await asyncio.open_connection(*listening.getsockname())
                await reader.read()
                writer.close()
        return seen

    assert asyncio.run(asked())[0] != 0


@pytest.fixture(params=[1, 2], ids=["one process", "two workers"])
def process(tmp_path, request):
    """(process, client) of the command that serves a model."""
    told = ["serve", str(saved(tmp_path)), "--port", "0", "--no-open"]
    command = [sys.executable, "-m", "bayesfold.cli", *told, "--workers", str(request.param)]
    started = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    address = started.stdout.readline().strip()
    with httpx.Client(base_url=address, timeout=60) as client:
        yield started, client
    if started.poll() is None:
        started.terminate()
        started.wait(60)
    started.stdout.close()


def test_what_is_in_progress_is_answered_before_it_stops(process):
    started, client = process
    path = "/api/v1/models/patients"
    assert client.post(f"{path}/predict", json={"row": PERSON}).json()["decision"] == "ward"
    with ThreadPoolExecutor(4) as pool:
        asked = [pool.submit(client.post, f"{path}/change", json={"row": PERSON}) for _ in range(4)]
        time.sleep(0.2)
        started.send_signal(signal.SIGTERM)
        codes = [one.result().status_code for one in asked]
    assert codes == [200] * 4
    assert started.wait(60) in (0, -signal.SIGTERM)
    with pytest.raises(httpx.HTTPError):
        client.get("/api/v1/health")
