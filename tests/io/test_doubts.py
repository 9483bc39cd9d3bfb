"""What is told of columns that are not what they seem, on tables as spreadsheets write them."""

import json

import numpy as np
import pytest
from tests.cli.pets import write
from tests.cli.process import call

from bayesfold.io.doubts import doubt_column, plain_number, spelled_alike


@pytest.mark.parametrize(
    ("values", "words"),
    [
        (["$1,259.50", "$13.00"], "written like '$1,259.50', which is text; write them plainly: 1259.50"),
        (["12,5", "3,2"], "write them plainly: 12.5"),
        (["12 %", "3.5 %"], "write them plainly: 3.5"),
        (["CHF 3'000.50", "CHF 12"], "write them plainly: 3000.50"),
        (["1,250", "2,500"], "(1234.5, without signs)"),
        (["19/1/2023", "8/28/2022"], "dates of which some have the day and some the month first"),
        ([*map(str, range(20)), "n. v."], "numbers but for 'n. v.'"),
        (["Yes", "yes", "no"], "'Yes' and 'yes'"),
        ([f"{k / 4} kg" for k in range(40)], "holds numbers with a unit ('0.0 kg'), which is text; write the numbers"),
        ([f"{k}{'mg' if k % 2 else 'g'}" for k in range(40)], "numbers with units ("),
        ([f"{k}°C" for k in range(-20, 20)], "a unit ('-20°C')"),
        ([f"{k},5 km/h" for k in range(40)], "a unit ('0,5 km/h')"),
    ],
)
def test_a_column_is_doubted(values, words):
    found = doubt_column("it", values)
    assert found is not None
    assert words in found.said


@pytest.mark.parametrize(
    "values",
    [
        ["red", "green"],
        ["08", "17", "23"],
        ["A1", "B2"],
        ["", " "],
        [],
        ["1-2", "3-4"],
        ["low", "high", "1"],
        ["3 rooms", "4 rooms"],
        ["v1.2.3", "v1.2.4"],
    ],
)
def test_ordinary_text_is_not(values):
    assert doubt_column("it", values) is None


def test_what_may_be_thousands_or_decimals_is_not_guessed():
    assert plain_number("1,250") == plain_number("1.250") == ""
    assert plain_number("1,250,000") == "1250000"
    assert plain_number("-1.250,5") == "-1250.5"


def test_a_model_that_contains_rows_says_so(tmp_path):
    draw = np.random.default_rng(0)
    turn = draw.random(300) * np.pi
    side = np.arange(300) % 2
    x = np.where(side, 1 - np.cos(turn), np.cos(turn)) + 0.2 * draw.normal(size=300)
    y = np.where(side, 0.5 - np.sin(turn), np.sin(turn)) + 0.2 * draw.normal(size=300)
    write(
        tmp_path / "moons.csv",
        [["x", "y", "moon"], *([f"{a:.4f}", f"{b:.4f}", f"m{k}"] for a, b, k in zip(x, y, side, strict=True))],
    )
    assert "contains 300 rows of the table" in call(tmp_path, "fit", "moons.csv", "-t", "moon").stderr
    assert "of the table" not in call(tmp_path, "fit", "moons.csv", "-t", "moon", "-m", "naive").stderr


def test_many_pairs_are_counted():
    assert spelled_alike([*"aAbBcCdD"]) == "'a' and 'A', 'b' and 'B', 'c' and 'C' and 1 more"


def test_fit_tells_and_goes_on(tmp_path):
    lines = [["price", "town", "age", "left"]]
    lines += [
        [f"{'$€'[i % 2]}{1000 + 7 * i:,}.00", ("York", "york ")[i % 2], str(20 + i % 30), "Yny"[i % 3]]
        for i in range(60)
    ]
    lines[5][2] = "nobody knows"
    write(tmp_path / "t.csv", lines)
    said = call(tmp_path, "fit", "t.csv", "-t", "left", "-m", "naive")
    assert said.stderr.count("note: ") == 4
    assert "classes differ in case or spaces only: 'n'" not in said.stderr
    for words in ("'Y' and 'y'", "'York' and 'york '", "plainly: 1000.00", "--missing 'age=nobody knows'"):
        assert words in said.stderr
    assert "left out: numbers written as text" in said.stdout
    told = call(
        tmp_path,
        "fit",
        "t.csv",
        "-t",
        "left",
        "-m",
        "naive",
        "--missing",
        "age=nobody knows",
        "--as",
        "town=categorical",
    )
    assert "age" not in told.stderr
    assert "town" not in told.stderr


def test_names_are_found_whatever_spaces_stand_around_them(tmp_path):
    lines = [[" town ", "kind "], *([["York", "Bath"][i % 2], "ab"[i % 3 == 0]] for i in range(30))]
    write(tmp_path / "t.csv", [[*line, str(i)] for i, line in enumerate([*lines])])
    said = call(tmp_path, "fit", "t.csv", "-t", "kind", "--drop", "0", "-m", "naive")
    assert "classes: a" in said.stdout
    assert "1 column" in said.stdout


def test_what_spreadsheets_write_for_no_number_is_missing(tmp_path):
    cells = [*map(str, range(20)), "#DIV/0!", "k.A.", "#N/A"]
    write(tmp_path / "t.csv", [["x", "y"], *([cell, "ab"[i % 2]] for i, cell in enumerate(cells))])
    said = call(tmp_path, "fit", "t.csv", "-t", "y", "-m", "naive").stderr
    assert "'#DIV/0!' and 'k.A.' and '#N/A' in column 'x' is taken to mean missing" in said


def test_a_damaged_spreadsheet_is_told(tmp_path):
    (tmp_path / "t.xlsx").write_bytes(b"PK\x03\x04 and so on")
    assert "cannot be read as a spreadsheet" in call(tmp_path, "fit", "t.xlsx", "-t", "y", code=1).stderr


def test_a_digit_of_another_script_is_no_number():
    said = doubt_column("dose", ["1", "2", "3", "4", "5", "٣"]).said
    assert said.startswith("column 'dose' holds numbers but for '٣', so it is text")


def test_numbers_beside_a_word_in_a_file_with_types_are_doubted_too(tmp_path):
    rows = [{"age": i % 7, "pet": ("cat", "dog")[i % 3 == 0]} for i in range(30)] + [{"age": "k.A.", "pet": "cat"}]
    (tmp_path / "pets.jsonl").write_text("\n".join(map(json.dumps, rows)))
    said = call(tmp_path, "fit", "pets.jsonl", "-t", "pet", "-m", "naive").stderr
    assert (
        "column 'age' holds numbers but for 'k.A.', so it is text; where that means missing leave the cell empty"
        in said
    )


@pytest.mark.parametrize(
    "values",
    [
        [f"{k} rooms" for k in range(9)],  # categories
        [f"{k}{'abcdefgh'[k % 8]}" for k in range(40)],  # numbers of houses
        [f"A{k}" for k in range(40)],
        [f"{k} x {k}" for k in range(40)],
    ],
)
def test_what_is_no_quantity_has_no_unit(values):
    assert doubt_column("it", values) is None


def test_a_column_of_quantities_says_why_it_is_left_out(tmp_path):
    lines = [f"{k / 8} kg,{k % 5},{'pq'[k * k % 5 % 2]}" for k in range(60)]
    (tmp_path / "t.csv").write_text("\n".join(["mass,n,y", *lines]) + "\n")
    done = call(tmp_path, "fit", "t.csv", "-t", "y", "-m", "naive")
    assert "left out: numbers with units" in done.stdout
    assert "note: column 'mass' holds numbers with a unit ('0.0 kg'), which is text" in done.stderr
