"""Files that were put together with their first lines."""

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
