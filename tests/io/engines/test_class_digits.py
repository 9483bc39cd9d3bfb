"""Tables of columns with a class in one scan are those of GROUP BY column, class."""

import pytest

from bayesfold.io.engines._class_digits import MOST_COLUMNS, class_tables, write_literal

duckdb = pytest.importorskip("duckdb")


def pairs(table):
    return sorted(zip(*table.to_pydict().values(), strict=True), key=repr)


@pytest.mark.parametrize("many", [1, 2, 3, 7, 20])
@pytest.mark.parametrize("kind", ["'it''s ' || {}", "{}::integer - 3"])
def test_digits_are_the_counts(many, kind):
    """Of few rows a sum holds many classes, of 20 million three; holes in columns are a value, in the class none."""
    y = kind.format(f"(hash(i, 9) % {many})")
    rows = duckdb.sql(
        f'select if(i % 7 = 0, null, \'v\' || hash(i) % 5) as "a ""b""", hash(i, 1) % 30 as n, '
        f"if(i % 11 = 0, null, {y}) as y from range(5_000) t(i)"
    )
    classes = [one for (one,) in rows.project("y").distinct().fetchall() if one is not None]
    for said in (5_000, 200_000_000):
        tables = class_tables(rows, ['a "b"', "n"], "y", classes, said, "times", 1_000)
        if said > 5_000 and many == 20:
            assert tables is None  # pairs are as fast
            continue
        for name, table in zip(['"a ""b"""', "n"], tables, strict=True):
            told = rows.filter("y is not null").aggregate(f"{name}, y, count(*)", f"{name}, y").fetchall()
            assert pairs(table) == sorted(told, key=repr)


def test_truth_values_are_classes_too():
    rows = duckdb.sql("select i % 3 as a, i % 2 = 0 as y from range(60) t(i)")
    (table,) = class_tables(rows, ["a"], "y", [False, True], 60, "n", 10)
    assert pairs(table) == [(a, y, 10) for a in range(3) for y in (False, True)]


def test_columns_beyond_those_of_one_scan_are_counted_in_the_next():
    names = [f"k{j}" for j in range(MOST_COLUMNS + 3)]
    told = ", ".join(f"hash(i, {j}) % 3 as {name}" for j, name in enumerate(names))
    rows = duckdb.sql(f"select {told}, i % 2 as y from range(900) t(i)")
    tables = class_tables(rows, names, "y", [0, 1], 900, "n", 10_000)
    for name, table in zip(names, tables, strict=True):
        assert pairs(table) == sorted(rows.aggregate(f"{name}, y, count(*)", f"{name}, y").fetchall())


def test_what_it_cannot_do_is_left_to_others():
    rows = duckdb.sql("select i as a, i / 2 as half, i % 2 as y from range(60) t(i)")
    assert class_tables(rows, ["a"], "y", [0, 1], 60, "n", 59) is None
    assert class_tables(rows, ["a"], "half", [0.5, 1.0], 60, "n", 100) is None
    assert class_tables(rows, ["a"], "y", [], 60, "n", 100) is None


def test_words_with_quotes_stay_words():
    assert duckdb.sql(f"select {write_literal(chr(39) + '; drop')}").fetchall() == [("'; drop",)]
