"""What is worth asking for is the same to the command as in Python."""

import json

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
