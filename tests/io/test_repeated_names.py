"""Files that were put together with their first lines."""

import pytest
from tests.cli.process import call

ROWS = "".join(f"{i % 7},{'uvw'[i % 3]},{'pq'[i * i % 5 % 2]}\n" for i in range(40))


def test_a_line_of_names_among_rows_is_told_of(tmp_path):
    (tmp_path / "t.csv").write_text(("a,b,y\n" + ROWS) * 2)
    said = " ".join(call(tmp_path, "fit", "t.csv", "-t", "y", "-m", "naive").stderr.split())
    assert "there is a row that has the names of the columns as values, and so a class 'y'; remove it" in said
    (tmp_path / "t.csv").write_text(("a,b,y\n" + ROWS) * 3)
    said = " ".join(call(tmp_path, "fit", "t.csv", "-t", "y", "-m", "naive").stderr.split())
    assert "there are 2 rows that have the names of the columns as values" in said


def test_a_class_that_is_called_like_its_column_is_a_class(tmp_path):
    rows = "".join(f"{'uvw'[i % 3]},{('spam', 'ham')[i * i % 5 % 2]}\n" for i in range(40))
    (tmp_path / "t.csv").write_text("word,spam\n" + rows)
    assert "names of the columns" not in call(tmp_path, "fit", "t.csv", "-t", "spam", "-m", "naive").stderr


def test_a_byte_order_mark_between_files_that_were_put_together_hides_no_names(tmp_path):
    (tmp_path / "t.csv").write_bytes(("a,b,y\n" + ROWS).encode() + ("a,b,y\n" + ROWS).encode("utf-8-sig"))
    said = " ".join(call(tmp_path, "fit", "t.csv", "-t", "y", "-m", "naive").stderr.split())
    assert "there is a row that has the names of the columns as values, and so a class 'y'; remove it" in said


@pytest.mark.parametrize(
    ("rows", "target"),
    [
        (ROWS, "p"),
        (ROWS.replace(",p", ",1").replace(",q", ",0"), "1"),
        ("".join(f"{i * i % 83}.25,{i % 2}.0\n" for i in range(40)), "0.0"),
    ],
)
def test_a_file_without_names_is_told_of(rows, target, tmp_path):
    """Its first row became the names of the columns, and was not learned."""
    (tmp_path / "t.csv").write_text(rows)
    said = " ".join(call(tmp_path, "fit", "t.csv", "-t", target, "-m", "naive").stderr.split())
    assert f"the names of the columns look like a row ({rows.splitlines()[0]}), which is not learned" in said
    (tmp_path / "t.csv").write_text("k,w,y\n" + ROWS)
    assert "look like a row" not in call(tmp_path, "fit", "t.csv", "-t", "y", "-m", "naive").stderr


def test_names_that_are_numbers_or_values_are_names_where_the_others_are_none(tmp_path):
    years = "".join(f"{i % 7},{i % 5},{'pq'[i * i % 5 % 2]}\n" for i in range(40))
    for names in ("2019,2020,left", "0,1,left", "x,1,p"):
        (tmp_path / "t.csv").write_text(f"{names}\n{years}")
        target = names.rpartition(",")[2]
        assert "look like a row" not in call(tmp_path, "fit", "t.csv", "-t", target, "-m", "naive").stderr
