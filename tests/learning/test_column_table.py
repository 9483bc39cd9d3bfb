"""The column table in print and in a notebook: a column that is left out has no family, and a dash in its place."""

from bayesfold.learning.column_table import ColumnReport, ColumnTable

TABLE = ColumnTable([ColumnReport("age", "gaussian", "numbers"), ColumnReport("id", "", "names the rows")])


def test_both_say_the_same() -> None:
    assert repr(TABLE).splitlines() == [
        "column  family    why",
        "age     gaussian  numbers",
        "id      -         names the rows",
    ]
    page = TABLE._repr_html_()
    assert [word for word in ("gaussian", ">-<", "names the rows") if word not in page] == []
