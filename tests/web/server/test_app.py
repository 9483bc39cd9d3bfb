"""The interface as a whole: it is described as it is, whatever is sent; a page's files are there and nothing else."""

import pytest
import schemathesis
from schemathesis.checks import (
    content_type_conformance,
    not_a_server_error,
    response_schema_conformance,
    status_code_conformance,
)
from tests.web.server.api.test_judging import ANY, later
from tests.web.server.serving import problem, running, saved

from bayesfold.web.server import static
from bayesfold.web.server.limits import Limits

KNOWN = {}
"""The id of a table that the server has."""
NETWORKS = ("networks", "separation", "editing")


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    limits = Limits(tables=10_000, models=10_000)
    with running(saved(tmp_path_factory.mktemp("models")), "smoking", limits=limits) as client:
        sent = client.post("/api/v1/tables?name=later.csv", content=later()[0], headers=ANY)
        KNOWN["table"] = sent.json()["id"]
        yield client


@pytest.fixture(scope="module")
def interface(server):
    found = schemathesis.openapi.from_dict(server.get("/api/v1/openapi.json").json())
    found.config.base_url = str(server.base_url)
    return found


described = schemathesis.pytest.from_fixture("interface")


@pytest.mark.slow
@described.parametrize()
def test_whatever_is_asked_is_answered_as_described(case):
    if "model" in case.path_parameters:
        case.path_parameters["model"] = "smoking" if case.operation.tags[0] in NETWORKS else "patients"
    for where in (case.path_parameters, case.query, case.body):
        if isinstance(where, dict) and "table" in where:
            where["table"] = KNOWN["table"]
    checks = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
    case.call_and_validate(checks=checks)


def test_every_address_is_described_with_its_problems(server):
    schema = server.get("/api/v1/openapi.json").json()
    for operations in schema["paths"].values():
        for operation in operations.values():
            assert "422" not in operation["responses"]
            assert "400" in operation["responses"]
            assert operation["description"]


def test_the_page_and_its_files_are_served_and_not_sent_twice(server):
    page = server.get("/")
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    for name, file in static.page_files().items():
        response = server.get(f"/{name}")
        assert response.content == file.body
        assert server.get(f"/{name}", headers={"if-none-match": file.mark}).status_code == 304


@pytest.mark.parametrize(
    "path", ["/../pyproject.toml", "/%2e%2e/app.py", "/__init__.py", "/..%2f..%2fserver/app.py", "/api/v1/nothing"]
)
def test_nothing_else_is_served(server, path):
    assert problem(server.get(path)) == (404, "not-found")


def test_a_method_that_an_address_does_not_take_is_a_problem(server):
    response = server.put("/api/v1/health")
    assert problem(response) == (405, "wrong-method")
    assert response.headers["allow"] == "GET"


def test_plotly_comes_from_its_package(server):
    assert server.get("/plotly.min.js").headers["content-type"] == "text/javascript; charset=utf-8"
