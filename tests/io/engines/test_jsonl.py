"""JSON lines as tables."""

import gzip
import io
import json

import pyarrow as pa
import pytest
from tests.io.engines.test_excel import read

from bayesfold.io.engines import jsonl
from bayesfold.io.open import open_source

TEXT = (
    '{"a": 1, "y": "no"}\n\n'
    '{"y": "yes", "a": 2.5, "b": {"c": [1, null]}}\r\n'
    '{"a": null, "y": "é", "big": 99999999999999999999}\n'
)
ROWS = [
    {"a": 1.0, "y": "no", "b": None, "big": None},
    {"a": 2.5, "y": "yes", "b": '{"c": [1, null]}', "big": None},
    {"a": None, "y": "é", "b": None, "big": "99999999999999999999"},
]


@pytest.mark.parametrize("name", ["t.jsonl", "t.ndjson", "t.jsonl.gz", "t.txt"])
def test_columns_are_what_all_their_values_are_together(tmp_path, name):
    path = tmp_path / name
    path.write_bytes(gzip.compress(TEXT.encode()) if name.endswith("gz") else TEXT.encode())
    assert read(path).to_pylist() == ROWS


def test_a_stream_is_known_by_its_first_line():
    assert open_source(io.BytesIO(b"\xef\xbb\xbf" + TEXT.encode())).names == ("a", "y", "b", "big")


def test_values_of_several_kinds_are_text_wherever_the_kind_changes(tmp_path):
    path = tmp_path / "t.jsonl"
    path.write_text("".join(f'{{"a": {i}}}\n' for i in range(20_000)) + '{"a": "x"}\n{"a": true}\n', "utf-8")
    assert read(path)["a"].to_pylist() == [*map(str, range(20_000)), "x", "true"]


@pytest.mark.parametrize(("line", "words"), [("[1]", "no object"), ('{"a": ', "not JSON")])
def test_a_line_that_is_no_object_is_said_by_its_number(tmp_path, line, words):
    path = tmp_path / "t.jsonl"
    path.write_text(f'{{"a": 1}}\n{line}\n', "utf-8")
    with pytest.raises(ValueError, match=rf"t\.jsonl, line 2: this is {words}"):
        _ = open_source(path).names


def test_a_header_that_begins_with_a_brace_is_text(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("{a},y\n1,2\n", "utf-8")
    assert open_source(path).names == ("{a}", "y")


def test_an_array_of_objects_is_a_table_too(tmp_path):
    rows = [{"a": i, "y": "no" if i % 2 else "yes"} for i in range(6)]
    for name, text in (
        ("t.json", json.dumps(rows)),
        ("t.json", json.dumps(rows, indent=2)),
        ("rows", json.dumps(rows)),
    ):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        assert read(path).to_pylist() == rows


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[{"a": 1}, 2]', r"row 2: this is no object"),
        ('[{"a": 1}', r"t\.json: this is not JSON .*one array of objects"),
        ("[]", r"t\.json has no rows"),
        ('{"a": 1, "a": 2}', r"line 1: 'a' is there twice in one object"),
        ('{\n"a": 1\n}', r"line 1: this is not JSON .*one object per line"),
        ("[" * 100_000, r"t\.json: "),
    ],
)
def test_what_is_no_table_in_json_is_said(tmp_path, text, words):
    path = tmp_path / "t.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=words):
        read(path)


def test_numbers_written_as_text_are_numbers_among_others(tmp_path):
    path = tmp_path / "t.jsonl"
    lines = [{"a": "1" if i % 2 else i, "code": "007", "b": "" if i % 3 else 2.5} for i in range(20_000)]
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    found = read(path)
    assert found.schema.types == [pa.float64(), pa.string(), pa.float64()]
    assert found.column("a").to_pylist()[:3] == [0.0, 1.0, 2.0]
    assert found.column("b").to_pylist()[:3] == [2.5, None, None]


def test_half_a_character_is_said_by_its_line(tmp_path):
    (tmp_path / "t.jsonl").write_text('{"a": "\\ud83d\\udc3e whole", "y": 1}\n{"a": "\\uD83D half", "y": 2}\n')
    with pytest.raises(ValueError, match=r"t.jsonl, line 2: \\ud83d is half of a character"):
        read(tmp_path / "t.jsonl")


def test_a_packed_file_that_breaks_off_is_said_by_its_name(tmp_path):
    whole = gzip.compress("".join(f'{{"a": {i * i}}}\n' for i in range(50_000)).encode())
    (tmp_path / "t.jsonl.gz").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(ValueError, match=r"t\.jsonl\.gz cannot be read as JSON lines"):
        read(tmp_path / "t.jsonl.gz")


def test_blank_lines_alone_are_no_rows(tmp_path):
    (tmp_path / "t.jsonl").write_text("\n \n", "utf-8")
    with pytest.raises(ValueError, match=r"t\.jsonl has no rows"):
        _ = jsonl.JsonLines(tmp_path / "t.jsonl", "t.jsonl").schema


def test_what_only_begins_like_an_object_is_none():
    assert not jsonl.is_object(b'{"a": x}\n')
    assert not jsonl.is_object(b'{"a": 1} 2}\n')
    assert jsonl.is_object(b'{"a": "x"}\n')
