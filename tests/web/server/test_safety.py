"""Requests that are not meant well, or not meant for this server: each is refused, and the server goes on."""

import socket
from concurrent.futures import ThreadPoolExecutor

import pytest
from tests.web.server.serving import PERSON, ask, problem, running, saved

from bayesfold.web.server.limits import Limits

TOKEN = "a-token-that-is-long-enough"
JSON = {"content-type": "application/json"}
BYTES = {"content-type": "application/octet-stream"}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    limits = Limits(body=100_000, upload=200_000, rows=1_000, columns=50, slow=0.5)
    with running(saved(tmp_path_factory.mktemp("models")), limits=limits) as client:
        yield client
        assert ask(client, "models/patients/predict", {"row": PERSON})["decision"] == "ward"  # after all that it lives


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "", "localhost@evil"])
def test_a_request_for_another_host_is_refused(server, host):
    assert problem(server.get("/api/v1/health", headers={"host": host})) == (421, "wrong-host")
    assert problem(server.get("/", headers={"host": host})) == (421, "wrong-host")


@pytest.mark.parametrize(
    "origin",
    ["https://evil.example", "null", "http://127.0.0.1:1", "file://", "http://[", "http://[::1", "//", "x" * 9_000],
)
def test_a_request_of_another_site_is_refused(server, origin):
    response = server.post("/api/v1/models/patients/predict", json={"row": {}}, headers={"origin": origin})
    assert problem(response) == (403, "forbidden")
    assert "access-control-allow-origin" not in response.headers


def test_the_page_itself_may_ask(server):
    own = str(server.base_url).rstrip("/")
    assert server.get("/api/v1/health", headers={"origin": own}).status_code == 200


def test_what_a_browser_sends_for_another_site_without_origin_is_refused(server):
    headers = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors"}
    assert problem(server.get("/api/v1/models", headers=headers)) == (403, "forbidden")


def test_scripts_are_the_pages_own(server):
    policy = server.get("/").headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    assert "unsafe-eval" not in policy


@pytest.mark.parametrize(
    "body",
    [
        b'{"row": {"age": NaN}}',
        b'{"row": {"age": Infinity}}',
        b'{"row": {"age": 1e999}}',
        b'{"row": {"age": ' + b"9" * 400 + b"}}",
        b'{"row": {"age": ' + b"9" * 5_000 + b"}}",
        b'{"row": {"age": {"$gt": 0}}}',
        b'{"row": {"age": "71"}}',
        b'{"row": {"awake": 1}}',
        b'{"row": {"\\u0000": 1}}',
        b'{"row": {"<script>alert(1)</script>": 1}}',
        b'{"row": {"../../etc/passwd": 1}}',
        b'{"row": {}, "roww": {}}',
        b'{"row": [' + b"[" * 30_000,
        b"\xff\xfe",
        b"",
        b"null",
    ],
)
def test_a_row_that_is_none_is_refused_with_a_reason(server, body):
    response = server.post("/api/v1/models/patients/predict", content=body, headers=JSON)
    assert problem(response)[0] == 400
    assert response.json()["detail"]


def test_a_body_of_another_kind_is_refused(server):
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""):
        response = server.post("/api/v1/models/patients/predict", content=b"{}", headers={"content-type": kind})
        assert problem(response) == (415, "wrong-format")
    packed = {"content-type": "text/csv", "content-encoding": "gzip"}
    assert problem(server.post("/api/v1/models/patients/predict/batch", content=b"x", headers=packed))[0] == 415


def test_a_large_body_is_refused_whether_it_says_so_or_not(server):
    path, large = "/api/v1/models/patients/predict", b" " * 100_001
    assert problem(server.post(path, content=large, headers=JSON)) == (413, "too-large")
    pieces = server.post(path, content=(b" " * 10_000 for _ in range(11)), headers=JSON)
    assert problem(pieces) == (413, "too-large")


def test_many_rows_or_columns_are_refused(server):
    path, kind = "/api/v1/models/patients/predict/batch", {"content-type": "text/csv"}
    assert problem(server.post(path, content=b"age\n" + b"1\n" * 2_000, headers=kind)) == (413, "too-large")
    wide = ",".join(f"c{k}" for k in range(20_000)).encode() + b"\n" + b"," * 19_999 + b"\n"
    assert problem(server.post(path, content=wide, headers=kind)) == (413, "too-large")
    assert problem(server.post(path, json={"rows": [{}] * 1_001})) == (413, "too-large")


@pytest.mark.slow
def test_a_million_columns_are_refused(tmp_path):
    """By the limits that every server has."""
    wide = ",".join(f"c{k}" for k in range(1_000_000)).encode() + b"\n" + b"1," * 999_999 + b"1\n"
    row = b'{"row": {' + b",".join(b'"c%d":1' % k for k in range(500_000)) + b"}}"
    with running(saved(tmp_path)) as client:
        assert problem(client.post("/api/v1/tables?name=wide.csv", content=wide, headers=BYTES)) == (413, "too-large")
        path = "/api/v1/models/patients/predict"
        assert problem(client.post(f"{path}/batch", content=wide, headers={"content-type": "text/csv"}))[0] == 413
        assert problem(client.post(path, content=row, headers=JSON)) == (400, "not-understood")
        assert problem(client.post(path, content=row + b" " * (8 << 20), headers=JSON)) == (413, "too-large")
        assert ask(client, "models/patients/predict", {"row": PERSON})["decision"] == "ward"


@pytest.mark.parametrize("name", ["\x00", "\x1b[31m", "a\r\nb: c", "\u202eevil", "<img src=x onerror=alert(1)>"])
def test_control_characters_and_markup_in_names_come_back_as_text(server, name):
    table = f'"{name}",kind\n1,a\n2,b\n'.encode()
    sent = server.post("/api/v1/tables", params={"name": f"{name}.csv"}, content=table, headers=BYTES)
    assert sent.status_code in (201, 400)
    assert sent.headers["content-type"] in ("application/json", "application/problem+json")
    assert problem(server.post("/api/v1/models/patients/predict", json={"row": {name: 1}})) == (400, "not-possible")
    assert "evil" not in str(server.get("/api/v1/health").headers)


def test_a_packed_table_is_not_unpacked(server):
    import gzip

    bomb = gzip.compress(b"age\n" + b"1\n" * 10_000_000)
    response = server.post("/api/v1/models/patients/predict/batch", content=bomb, headers={"content-type": "text/csv"})
    assert problem(response) == (415, "wrong-format")


def test_a_client_that_stops_in_the_middle_is_not_waited_for(server):
    host, port = server.base_url.host, server.base_url.port
    with socket.create_connection((host, port), 10) as line:
        line.sendall(
            b"POST /api/v1/models/patients/predict HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            b"Content-Length: 50\r\n\r\n{"
        )
        assert line.recv(4_000).startswith(b"HTTP/1.1 408 ")


def test_without_the_token_nothing_is_told(tmp_path):
    with running(saved(tmp_path), token=TOKEN) as client:
        for given in ("", "Bearer", "Bearer wrong", f"Basic {TOKEN}", f"Bearer {TOKEN}x", TOKEN):
            response = client.get("/api/v1/models", headers={"authorization": given})
            assert problem(response) == (401, "no-token")
            assert response.headers["www-authenticate"] == "Bearer"
        assert problem(client.get(f"/api/v1/models?token={TOKEN}"))[0] == 401
        assert client.get("/").status_code == 200
        assert client.get("/api/v1/models", headers={"authorization": f"Bearer {TOKEN}"}).status_code == 200


def test_too_many_at_once_are_told_to_come_back(tmp_path):
    limits = Limits(threads=1, waiting=1)
    with running(saved(tmp_path), limits=limits) as client, ThreadPoolExecutor(16) as pool:
        body = {"row": {}}
        path = "/api/v1/models/patients/change"
        every = list(pool.map(lambda _: client.post(path, json=body), range(64)))
        codes = {response.status_code for response in every}
        assert codes == {200, 503}
        busy = next(response for response in every if response.status_code == 503)
        assert problem(busy) == (503, "busy")
        assert busy.headers["retry-after"] == "1"


def test_what_takes_too_long_is_given_up(tmp_path):
    with running(saved(tmp_path), limits=Limits(seconds=0)) as client:
        assert problem(client.post("/api/v1/models/patients/change", json={"row": {}})) == (504, "too-long")
