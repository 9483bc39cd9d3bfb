"""Answers over HTTP are the library's own, whatever the format."""

import io

import numpy as np
import pyarrow as pa
import pyarrow.ipc as ipc
import pytest
from tests.web.server.serving import COSTS, PERSON, ask, patients, problem, running, saved

from bayesfold import NaiveBayes
from bayesfold.data.tables import frame
from bayesfold.decisions.risk import conditional_risk
from bayesfold.learning.kinds import find
from bayesfold.learning.trained import train
from bayesfold.store import save

BATCH = "/api/v1/models/patients/predict/batch"
ARROW = "application/vnd.apache.arrow.stream"


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")
    others = saved(folder, "pool", "bayes"), saved(folder, "tan", "tan"), saved(folder, "open", unseen_class=0.2)
    with running(saved(folder), *others, "smoking") as client:
        yield client


@pytest.mark.parametrize(("name", "kind"), [("patients", "naive"), ("pool", "bayes"), ("tan", "tan")])
@pytest.mark.parametrize("row", [PERSON, {}, {"awake": None, "age": 3}, {"arrival": "never seen"}])
def test_one_row_is_answered_as_by_the_library(server, name, kind, row):
    found = ask(server, f"models/{name}/predict", {"row": row})
    expected = np.exp(patients(kind).log_proba([{"age": None, **row}])[0])
    assert np.allclose(found["probabilities"], expected, rtol=0, atol=1e-12)
    assert found["classes"] == patients(kind).classes_.tolist()
    assert found["decision"] == found["classes"][int(expected.argmax())]


def test_costs_that_come_with_a_question_decide_it(server):
    plain = ask(server, "models/patients/decide", {"row": PERSON})
    dear = ask(server, "models/patients/decide", {"row": PERSON, "loss": COSTS})
    assert (plain["decision"], dear["decision"]) == ("ward", "intensive care")
    risks = conditional_risk([dear["probabilities"]], COSTS, classes=dear["classes"])[0]
    assert np.allclose(dear["risks"], risks)
    rejected = ask(server, "models/patients/decide", {"row": PERSON, "loss": COSTS, "reject_cost": 0.1})
    assert rejected["rejected"]
    assert rejected["risk"] == 0.1
    assert ask(server, "models/patients/decide", {"row": PERSON})["decision"] == "ward"  # the model has not changed


def test_what_is_left_to_classes_never_seen_is_told_and_weighed(server):
    plain, found = (
        ask(server, f"models/{name}/decide", {"row": PERSON, "loss": COSTS}) for name in ("patients", "open")
    )
    assert found["probabilities"] == plain["probabilities"]
    assert (found["unseen_share"], "unseen_share" in plain) == (0.2, False)
    assert np.allclose(found["risks"], 0.8 * np.array(plain["risks"]) + 0.2 * 60)
    for cost, rejected in ((found["risk"] - 0.01, True), (found["risk"] + 0.01, False)):
        case = {"row": PERSON, "loss": COSTS, "reject_cost": cost}
        assert ask(server, "models/open/decide", case)["rejected"] == rejected
    many = server.post(BATCH.replace("patients", "open"), json={"rows": [PERSON]}).json()
    assert many["unseen_share"] == 0.2
    assert np.allclose(many["probabilities"][0], plain["probabilities"], rtol=0, atol=1e-12)


def rows():
    """Some rows, one with holes, and what the library says of them."""
    every = [PERSON, {"age": 20, "pain": 3, "arrival": "on foot"}, {}]
    names = patients().names
    table = {name: [row.get(name) for row in every] for name in names}
    return every, table, np.exp(patients().log_proba([dict.fromkeys(names) | row for row in every]))


def test_many_rows_of_json_are_answered_in_json(server):
    every, _, expected = rows()
    found = server.post(BATCH, json={"rows": every}).json()
    assert np.allclose(found["probabilities"], expected, rtol=0, atol=1e-12)
    assert found["rejected"] == [False] * 3


def test_csv_is_answered_in_csv_and_arrow_in_arrow(server):
    _, table, expected = rows()
    cells = zip(*table.values(), strict=True)
    lines = [",".join(table), *(",".join("" if v is None else str(v) for v in row) for row in cells)]
    text = server.post(BATCH, content="\n".join(lines) + "\n", headers={"content-type": "text/csv"}).text
    header, *body = [line.split(",") for line in text.splitlines()]
    assert header[:7] == list(table)
    place = [header.index(f"P({c})") for c in patients().classes_]
    assert np.allclose([[float(line[k]) for k in place] for line in body], expected, rtol=0, atol=1e-12)
    out = io.BytesIO()
    arrow = pa.table(table)
    with ipc.new_stream(out, arrow.schema) as writer:
        writer.write_table(arrow)
    response = server.post(BATCH, content=out.getvalue(), headers={"content-type": ARROW})
    assert response.headers["content-type"] == ARROW
    answers = ipc.open_stream(response.content).read_all()
    found = np.stack([answers.column(f"P({c})").to_numpy() for c in patients().classes_], 1)
    assert np.allclose(found, expected, rtol=0, atol=1e-12)
    json = server.post(BATCH, content=out.getvalue(), headers={"content-type": ARROW, "accept": "application/json"})
    assert np.allclose(json.json()["probabilities"], expected, rtol=0, atol=1e-12)


def test_a_spreadsheet_runs_no_formula(server):
    table = f"{','.join(patients().names)},note\n71,,,,,,,=1+1\n"
    kind = {"content-type": "text/csv"}
    assert "'=1+1" in server.post(f"{BATCH}?spreadsheet=true", content=table, headers=kind).text
    assert ",=1+1" in server.post(BATCH, content=table, headers=kind).text


@pytest.mark.parametrize(
    ("body", "kind", "expected"),
    [
        (b"\x00\x01", ARROW, (400, "not-understood")),
        (b'{"rows": [{"age": [1]}]}', "application/json", (400, "not-understood")),
        (b'{"rows": [{"age": "x"}]}', "application/json", (400, "not-possible")),
        (b'{"rows": 7}', "application/json", (400, "not-understood")),
        (b"ag\n1\n", "text/csv", (400, "not-possible")),
        (b"x", "image/png", (415, "wrong-format")),
    ],
)
def test_rows_that_cannot_be_read_are_refused(server, body, kind, expected):
    assert problem(server.post(BATCH, content=body, headers={"content-type": kind})) == expected


def test_a_format_that_there_is_not_is_refused(server):
    response = server.post(BATCH, json={"rows": []}, headers={"accept": "image/png"})
    assert problem(response) == (406, "not-acceptable")


def test_a_network_is_no_classifier(server):
    assert problem(server.post("/api/v1/models/smoking/predict", json={"row": {}})) == (400, "not-possible")
    response = server.post("/api/v1/models/patient/predict", json={"row": {}})
    assert problem(response) == (404, "not-found")
    assert "did you mean 'patients'?" in response.json()["detail"]


def made(folder, name, table, labels, **settings):
    """The path of a model of these columns."""
    trained = train(find("naive")(**settings), frame(table), labels, "y")
    save(trained, folder / f"{name}.bayes")
    return folder / f"{name}.bayes"


@pytest.mark.slow
def test_answers_alone_meet_no_column_of_the_rows(tmp_path):
    table = {"predicted": ["u", "v"] * 20, "P(n)": ["a", "a", "b", "b"] * 10}
    batch = "/api/v1/models/m/predict/batch"
    with running(made(tmp_path, "m", table, ["n", "p"] * 20)) as server:
        row = {"predicted": "v", "P(n)": "a"}
        one = ask(server, "models/m/predict", {"row": row})
        assert ask(server, "models/m/predict/batch", {"rows": [row]})["probabilities"] == [one["probabilities"]]
        csv = {"content": b"predicted,P(n)\nv,a\n", "headers": {"content-type": "text/csv", "accept": "text/csv"}}
        refused = server.post(batch, **csv)
        assert "already has a column 'predicted'" in refused.json()["detail"]
        assert server.post(f"{batch}?prefix=our_", **csv).text.startswith("predicted,P(n),our_predicted,our_P(n)")
        csv["headers"]["accept"] = "application/json"
        assert server.post(batch, **csv).json()["decisions"] == [one["decision"]]


def test_a_model_that_reads_no_column_answers_every_row(tmp_path):
    with running(made(tmp_path, "m", {"a": ["x"] * 40}, ["n", "p", "p", "p"] * 10)) as server:
        found = ask(server, "models/m/predict/batch", {"rows": [{"a": "x"}, {}, {"a": None}]})
        assert found["decisions"] == ["p"] * 3
        one = ask(server, "models/m/predict", {"row": {"a": "x"}})
        assert found["probabilities"] == [one["probabilities"]] * 3


@pytest.mark.parametrize(("classes", "label"), [([False, True], "reject"), ([0, 1], "reject"), ([2**53 + 1, 7], -1)])
def test_decisions_of_many_rows_are_those_of_each(tmp_path, classes, label):
    table, labels = {"a": ["x", "y"] * 20}, classes * 20
    path = made(tmp_path, "m", table, labels, reject_cost=0.1, reject_label=label)
    rows = [{"a": "x"}, {"a": "y"}, {}]
    with running(path) as server:
        each = [ask(server, "models/m/predict", {"row": row}) for row in rows]
        many = ask(server, "models/m/predict/batch", {"rows": rows})
    for told in ("decision", "rejected"):
        assert many["decisions" if told == "decision" else told] == [one[told] for one in each]
    assert [type(d) for d in many["decisions"]] == [type(one["decision"]) for one in each]
    assert many["decisions"] == [*classes, label]


def test_whole_numbers_beyond_doubles_are_levels_as_numbers_and_as_text(tmp_path):
    long = [2**53 + 1, 2**53 + 3]
    clf = NaiveBayes(families={"id": "categorical"}).fit({"id": long * 9, "word": ["a", "b", "c"] * 6}, long * 9)
    clf.save(tmp_path / "m.bayes")
    with running(tmp_path / "m.bayes") as client:
        for level in (*long, str(long[1])):
            found = client.post("/api/v1/models/m/predict", json={"row": {"id": level}}).json()
            assert found["probabilities"] == pytest.approx(clf.predict_proba({"id": level})[0].tolist(), abs=1e-12)
            assert found["decision"] == int(level)
        assert client.post("/api/v1/models/m/ask", json={"row": {"id": long[0]}}).status_code == 200
        for row in ({"id": 1.5}, {"id": True}, {"word": long[0]}):
            assert client.post("/api/v1/models/m/predict", json={"row": row}).status_code == 400


def test_large_numbers_of_many_rows_are_those_of_each(server):
    ages = [2**63, 2**63 - 1, 2**70, 1.5, None]
    many = server.post(BATCH, json={"rows": [{"age": age} for age in ages]}).json()
    each = [ask(server, "models/patients/predict", {"row": {"age": age}}) for age in ages]
    assert np.allclose(many["probabilities"], [one["probabilities"] for one in each], rtol=0, atol=1e-12)


@pytest.mark.parametrize("number", ["1e999", "-1e999", "9" * 400])
def test_a_number_beyond_all_is_refused_in_one_row_and_in_many(server, number):
    one = f'{{"row": {{"age": {number}}}}}'
    for path, body in (("/api/v1/models/patients/predict", one), (BATCH, one.replace('"row":', '"rows": [') + "]}")):
        refused = server.post(path, content=body.replace("}}]}", "}]}"), headers={"content-type": "application/json"})
        assert problem(refused) == (400, "not-understood")
        assert "is beyond the largest number" in refused.json()["detail"]


def test_classes_that_tie_but_for_the_last_bit_are_decided_as_by_the_library(tmp_path):
    draw = np.random.default_rng(815)
    first = draw.choice([*"xy"], (int(draw.integers(8, 30)), 2), p=[0.7, 0.3])
    values = np.r_[first, np.where(first == "x", "y", "x")[:, ::-1]]  # one class is the other's mirror image
    rows = {"a": values[:, 0].tolist(), "b": values[:, 1].tolist()}
    clf = NaiveBayes(calibration="temperature").fit(rows, np.repeat(["p", "q"], len(first)))
    clf.save(tmp_path / "mirror.bayes")
    turned = [{"a": "x", "b": "y"}, {"a": "y", "b": "x"}]
    with running(str(tmp_path / "mirror.bayes")) as client:
        served = [ask(client, "models/mirror/predict", {"row": row})["decision"] for row in turned]
    assert served == clf.predict(turned).tolist() == [clf.predict(row)[0] for row in turned]


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b'{"row": {"age": ' + b"9" * 5_000 + b"}}", "99999999999999999999... is beyond the largest number there is"),
        (b'{"row": {"age": [71]}}', "ask.row.age: '[71]' has no place here; missing is null"),
        (b'{"row": {"age": {"of": 71}}}', "has no place here; missing is null"),
    ],
)
def test_a_cell_that_is_none_is_refused_in_words_that_are_true(server, body, said):
    told = server.post("/api/v1/models/patients/predict", content=body, headers={"content-type": "application/json"})
    assert told.status_code == 400
    assert said in told.json()["detail"]
