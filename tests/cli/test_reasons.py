"""What is worth asking for is the same to the command as in Python."""

import json
from datetime import date, timedelta

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest
from tests.cli.pets import pets, write
from tests.cli.process import call

import bayesfold as bf


@pytest.fixture(scope="module", params=["naive", "aode", "gaussian", "bayes"])
def folder(tmp_path_factory, request):
    place = tmp_path_factory.mktemp("ask")
    write(place / "pets.csv", pets())
    write(place / "new.csv", [["coat", "mass", "indoor"], ["long", "", "true"], ["", "", ""], ["long", "4", "true"]])
    call(place, "fit", "pets.csv", "-t", "pet", "-m", request.param)
    return place


def test_what_to_ask(folder):
    clf = bf.load(folder / "pets.bayes")
    asked = json.loads(call(folder, "explain", "pets.bayes", "new.csv", "--ask", "--json").stdout)
    for one, row in zip(asked, [{"coat": "long", "indoor": "true"}, {}], strict=False):
        theirs = dict(clf.what_to_ask({name: row.get(name) for name in ("coat", "mass", "indoor")}))
        assert one["ask"] == pytest.approx(theirs)
        assert set(one["ask"]) == {"coat", "mass", "indoor"} - set(row)
    assert asked[2]["ask"] == {}
    said = call(folder, "explain", "pets.bayes", "new.csv", "--ask").stdout
    assert "has no column" not in said
    assert "nothing to ask" in said
    assert str(clf.what_to_ask({"coat": "long", "mass": None, "indoor": "true"})) in said


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_a_date_is_changed_and_asked_for_as_the_file_has_it(tmp_path, suffix):
    days = [date(2023, 1, 1) + timedelta(days=k) for k in range(300)]
    rests = ["rest" if day.weekday() > 4 else "work" for day in days]
    table = pa.table({"day": pa.array(days), "n": ["u", "v", "v"] * 100, "y": rests})
    new = pa.table({"day": pa.array([date(2024, 5, 3), None]), "n": ["u", "u"]})  # a Friday
    for name, rows in (("days", table), ("new", new)):
        path = tmp_path / f"{name}.{suffix}"
        (pq.write_table if suffix == "parquet" else pa.csv.write_csv)(rows, path)
    call(tmp_path, "fit", f"days.{suffix}", "-t", "y", "-m", "naive")
    asked = ("explain", "days.bayes", f"new.{suffix}", "--change", "--ask")
    known, unknown = json.loads(call(tmp_path, *asked, "--json").stdout)
    (change,) = known["change"]["changes"]
    assert (change["column"], change["is"]) == ("day", "2024-05-03")
    assert change["would_be"] in ("2024-05-04", "2024-05-05")
    assert list(unknown["ask"]) == ["day"]
    assert f"day     2024-05-03  {change['would_be']}" in call(tmp_path, *asked).stdout
