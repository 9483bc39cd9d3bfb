"""Many requests over connections that stay open, without a library that would cost more than the server.

`python -m tests.web.server.load` measures a one-row prediction beside a bare FastAPI handler that returns a constant.
"""

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import numpy as np
from tests.web.server.serving import PERSON, saved

BARE = """
import sys, uvicorn
from fastapi import FastAPI
app = FastAPI()
@app.post("/constant")
async def constant():
    return {"decision": "ward", "probabilities": [0.1, 0.2, 0.7]}
uvicorn.run(app, port=int(sys.argv[1]), log_level="error", access_log=False)
"""


async def ask_many(host, port, path, body, requests, connections):
    """(status, seconds) of each request, and the seconds of all."""
    raw = json.dumps(body).encode()
    head = (
        f"POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: {len(raw)}\r\n\r\n"
    )
    message = head.encode() + raw
    answers = []

    async def one(count):
        reader, writer = await asyncio.open_connection(host, port)
        for _ in range(count):
            begin = perf_counter()
            writer.write(message)
            header = await reader.readuntil(b"\r\n\r\n")
            size = int(header.lower().partition(b"content-length:")[2].partition(b"\r\n")[0])
            await reader.readexactly(size)
            answers.append((int(header[9:12]), perf_counter() - begin))
        writer.close()

    begin = perf_counter()
    await asyncio.gather(*(one(requests // connections) for _ in range(connections)))
    return answers, perf_counter() - begin


def resident(pid):
    """The memory of a process in MB, as Linux tells it."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def measure(command, path, port, requests, connections):
    """Start a server, ask it, stop it; a line on how it went."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        for _ in range(200):
            try:
                asyncio.run(ask_many("127.0.0.1", port, path, {"row": PERSON}, 200, 1))
                break
            except OSError:
                asyncio.run(asyncio.sleep(0.1))
        before = resident(process.pid)
        answers, took = asyncio.run(ask_many("127.0.0.1", port, path, {"row": PERSON}, requests, connections))
        after = resident(process.pid)
    finally:
        process.terminate()
        process.wait(30)
    seconds = np.array([s for _, s in answers]) * 1e3
    wrong = sum(status != 200 for status, _ in answers)
    return (
        f"{len(answers) / took:,.0f} requests/s, p50 {np.quantile(seconds, 0.5):.1f} ms, p99 "
        f"{np.quantile(seconds, 0.99):.1f} ms, {wrong} errors, memory {before:.0f} -> {after:.0f} MB"
    )


def main():
    """Both servers, one after the other."""
    requests, connections = 20_000, 32
    with TemporaryDirectory() as folder:
        for kind in ("naive", "bayes"):
            path = saved(Path(folder), kind, kind)
            command = [sys.executable, "-m", "bayesfold.cli", "serve", str(path), "--port", "18421", "--no-open"]
            print(kind, measure(command, f"/api/v1/models/{kind}/predict", 18421, requests, connections))
        bare = [sys.executable, "-c", BARE, "18422"]
        print("bare ", measure(bare, "/constant", 18422, requests, connections))


if __name__ == "__main__":
    main()
