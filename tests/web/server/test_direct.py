"""Questions that go past the framework: the same answers and refusals, the same names in the metrics."""

import httpx
import pytest
from tests.web.server.serving import PERSON, ask, problem, running, saved

from bayesfold.web.server.app import application
from bayesfold.web.server.settings import Settings


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")
    with running(saved(folder), saved(folder, "late patients (2)")) as client:
        yield client


def test_a_name_may_need_quoting(server):
    expected = ask(server, "models/patients/predict", {"row": PERSON})
    assert ask(server, "models/late%20patients%20(2)/predict", {"row": PERSON}) == expected


def test_they_are_measured_under_their_address(server):
    ask(server, "models/patients/predict", {"row": {}})
    text = server.get("/api/v1/metrics").text
    assert 'bayesfold_requests_total{route="/api/v1/models/{model}/predict",method="POST",status="200"}' in text


@pytest.mark.parametrize(
    ("method", "path", "expected"),
    [
        ("PUT", "/api/v1/models/patients/predict", (405, "wrong-method")),
        ("POST", "/api/v1/models//predict", (405, "wrong-method")),
        ("POST", "/api/v1/models/nobody/predict", (404, "not-found")),
        ("POST", "/api/v1/models/patients/predict/", (405, "wrong-method")),
        ("POST", "/api/v1/models/patients/nothing", (405, "wrong-method")),
        ("POST", "/api/v1/models/patients", (405, "wrong-method")),
    ],
)
def test_what_is_not_there_is_refused_as_elsewhere(server, method, path, expected):
    assert problem(server.request(method, path, json={"row": {}})) == expected


def test_a_body_in_many_pieces_is_one(server):
    pieces = (bytes([b]) for b in b'{"row": {"age": 71}}')
    response = server.post(
        "/api/v1/models/patients/predict", content=pieces, headers={"content-type": "application/json; charset=utf-8"}
    )
    assert response.json() == ask(server, "models/patients/predict", {"row": {"age": 71}})


@pytest.mark.anyio
async def test_the_framework_answers_the_same(tmp_path):
    """What FastAPI would say, were it asked."""
    app = application(Settings((str(saved(tmp_path)),)))
    framework = app.app.app.app
    body = {"row": PERSON}
    answers = []
    for one in (app, framework):
        async with httpx.AsyncClient(transport=httpx.ASGITransport(one), base_url="http://127.0.0.1") as client:
            answers.append((await client.post("/api/v1/models/patients/predict", json=body)).json())
    assert answers[0] == answers[1]


@pytest.fixture
def anyio_backend():
    return "asyncio"


@pytest.mark.parametrize("path", ["predict", "decide", "explain", "predict/batch"])
def test_a_key_that_is_there_twice_is_refused_and_not_the_last_one_taken(server, path):
    row = '{"age": 71, "age": 17}'
    body = f'{{"rows": [{row}]}}' if path == "predict/batch" else f'{{"row": {row}}}'
    headers = {"content-type": "application/json"}
    response = server.post(f"/api/v1/models/patients/{path}", content=body, headers=headers)
    assert problem(response) == (400, "not-understood")
    assert "'age' is there twice" in response.json()["detail"]
