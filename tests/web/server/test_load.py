"""Many connections at once: every request is answered, and memory does not grow with their number."""

import asyncio
import os

import pytest
from tests.web.server.load import ask_many, resident
from tests.web.server.serving import PERSON, running, saved

REQUESTS = 20_000 if os.environ.get("BAYESFOLD_SOAK") == "1" else 2_000


@pytest.mark.slow
def test_no_request_fails_and_memory_stays_flat(tmp_path):
    with running(saved(tmp_path)) as client:
        where = (client.base_url.host, client.base_url.port, "/api/v1/models/patients/predict", {"row": PERSON})
        asyncio.run(ask_many(*where, REQUESTS // 4, 32))
        before = resident(os.getpid())
        answers, _ = asyncio.run(ask_many(*where, REQUESTS, 32))
        assert {status for status, _ in answers} == {200}
        assert resident(os.getpid()) - before < 30
