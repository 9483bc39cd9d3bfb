"""Tables that are sent: what they hold is told, what is too large or no table is refused."""

import gzip
import io

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.web.server.serving import problem, running

import bayesfold as bf
from bayesfold.web.server.limits import Limits

PETS = b"""\
coat,mass,born,pet
short,4.2,2020-01-01,cat
long,5.1,2020-02-01,cat
short,30,2020-01-03,dog
,22.5,2020-05-01,dog
"""
ANY = {"content-type": "application/octet-stream"}


@pytest.fixture(scope="module")
def server():
    limits = Limits(upload=200_000, rows=1_000, columns=50, tables=3)
    with running("smoking", limits=limits) as client:
        yield client


def send(server, body, name="pets.csv"):
    """The response to a table."""
    return server.post("/api/v1/tables", params={"name": name}, content=body, headers=ANY)


def parquet(**columns):
    """A Parquet file."""
    out = io.BytesIO()
    pq.write_table(pa.table(columns), out)
    return out.getvalue()


@pytest.mark.parametrize("body", [PETS, gzip.compress(PETS)], ids=["plain", "packed"])
def test_a_table_is_told(server, body):
    response = send(server, body)
    assert response.status_code == 201
    told = response.json()
    assert (told["name"], told["rows"], told["target"]) == ("pets.csv", 4, "pet")
    kinds = {c["name"]: (c["kind"], c["distinct"], c["missing"]) for c in told["columns"]}
    assert kinds["mass"] == ("number", 4, 0)
    assert kinds["coat"] == ("text", 2, 0.25)


def test_parquet_and_names_that_are_paths(server):
    told = send(server, parquet(a=[1, 2], b=["x", "y"]), "../../../etc/passwd").json()
    assert told["name"] == "passwd.parquet"
    assert told["rows"] == 2


def test_columns_are_taken_for_something_and_that_can_be_said_otherwise(server):
    id = send(server, PETS).json()["id"]
    body = {"target": "pet", "families": {"mass": "categorical"}, "drop": ["born"]}
    found = server.post(f"/api/v1/tables/{id}/columns", json=body).json()
    assert {c["name"]: c["why"] for c in found["columns"]}["mass"] == "declared"
    assert found["classes"] == [{"label": "cat", "rows": 2}, {"label": "dog", "rows": 2}]
    for wrong in ({"target": "pett"}, {"target": "pet", "drop": ["x"]}, {"target": "pet", "families": {"mass": "odd"}}):
        assert problem(server.post(f"/api/v1/tables/{id}/columns", json=wrong)) == (400, "not-possible")


def test_columns_are_taken_for_what_the_recommended_model_takes_them_for(server):
    """Naive Bayes chooses densities that are best together, a pool those that are best one by one."""
    draw = np.random.default_rng(3)
    y = draw.integers(0, 2, 300)
    table = {
        "a": draw.normal(y),
        "b": np.exp(draw.normal(y)),
        "c": draw.integers(0, 4, 300) + y,
        "d": draw.gamma(1 + y),
    }
    id = send(server, parquet(**table, y=y.astype(str)), "t.parquet").json()["id"]
    shown = server.post(f"/api/v1/tables/{id}/columns", json={"target": "y"}).json()["columns"]
    learned = bf.BayesClassifier().fit(table, y.astype(str)).columns_
    assert {c["name"]: c["family"] for c in shown} == {c.name: c.family for c in learned}


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400),
        (b"PAR1 and nothing else", 400),
        (b"ARROW1 and nothing else", 400),
        (gzip.compress(b"a,b\n" + b"1,2\n" * 100_000), 413),
        (gzip.compress(PETS)[:-9], 400),
        (b"a\n" + b"1\n" * 2_000, 413),
        (",".join(f"c{k}" for k in range(1_000)).encode() + b"\n", 413),
    ],
    ids=range(7),
)
def test_what_is_no_table_or_too_large_is_refused(server, body, status):
    before = len(server.get("/api/v1/tables").json()["tables"])
    name = "pets.parquet" if body.startswith(b"PAR1") else "pets.arrow" if body.startswith(b"ARROW1") else "pets.csv"
    assert problem(send(server, body, name))[0] == status
    assert len(server.get("/api/v1/tables").json()["tables"]) == before


def test_a_column_that_repeats_itself_a_billion_times_is_not_unfolded(server):
    bomb = parquet(a=pa.array([1]).take(pa.array([0] * 100_000)))
    assert len(bomb) < 20_000
    assert problem(send(server, bomb, "bomb.parquet")) == (413, "too-large")


def test_the_oldest_of_too_many_goes(server):
    ids = [send(server, PETS + b"\n" * k).json()["id"] for k in range(4)]
    assert problem(server.get(f"/api/v1/tables/{ids[0]}")) == (404, "not-found")
    assert server.delete(f"/api/v1/tables/{ids[3]}").status_code == 200
    assert problem(server.get(f"/api/v1/tables/{ids[3]}")) == (404, "not-found")


def test_a_table_that_the_server_was_started_with_stays(tmp_path):
    """Others that were sent after it put it out, and anyone could remove it."""
    (tmp_path / "own.csv").write_bytes(PETS)
    with running("smoking", tables=(str(tmp_path / "own.csv"),), limits=Limits(tables=2)) as client:
        for k in range(4):
            send(client, PETS + b"\n" * k)
        kept = client.get("/api/v1/tables").json()["tables"]
        assert [table["name"] for table in kept] == ["own.csv", "pets.csv", "pets.csv"]
        assert problem(client.delete(f"/api/v1/tables/{kept[0]['id']}")) == (403, "forbidden")
        assert client.get(f"/api/v1/tables/{kept[0]['id']}").json()["rows"] == 4


def test_a_table_keeps_its_name_in_any_script(server):
    assert send(server, PETS, "患者 2024.csv").json()["name"] == "患者_2024.csv"
    assert send(server, PETS + b"\n", "患" * 250 + ".csv").json()["name"].startswith("患患")


def test_a_spreadsheet_is_called_what_it_is(server):
    """It was taken for CSV, and its reader told to unpack a ZIP archive."""
    refused = send(server, b"PK\x03\x04 and so on", "visits.XLSX")
    assert problem(refused) == (400, "not-understood")
    assert "visits.XLSX is a spreadsheet" in refused.json()["detail"]
    assert send(server, PETS.replace(b",", b"\t"), "pets.TSV").json()["name"] == "pets.tsv"


def test_the_same_table_sent_again_is_the_same(server):
    first = send(server, PETS).json()["id"]
    assert send(server, PETS).json()["id"] == first


def test_several_workers_keep_no_table():
    with running("smoking", workers=2) as client:
        assert problem(send(client, PETS)) == (403, "forbidden")


@pytest.mark.parametrize("head", ["PAR1", "ARROW", "ARROW1", "BZh9"])
def test_a_header_that_begins_as_another_format_does(server, head):
    sent = server.post("/api/v1/tables", params={"name": "t.csv"}, content=f"{head},y\n1,a\n2,b\n", headers=ANY)
    assert sent.status_code == 201, sent.text
    assert sent.json()["name"] == "t.csv"
    assert [column["name"] for column in sent.json()["columns"]] == [head, "y"]
