"""Headers of every make: what pyarrow takes for names and rows is what we take for them, and nothing is swallowed."""

import gzip
import io
import os
import random

import pyarrow as pa
import pyarrow.csv as arrow_csv
import pytest

from bayesfold.io.csv import header as module
from bayesfold.io.csv.column_types import TEXT
from bayesfold.io.csv.header import header_of
from bayesfold.io.engines.csv import Csv

CASES = 10_000 if os.environ.get("BAYESFOLD_SOAK") == "1" else 1_000
NAMES = [
    "a", "b c", 'pipe 5" wide', '5"', 'x"y"z', "naïve", "犬", "", " a", "a ", "'q'", '"a,b"', '"say ""hi"""',
    '"two\nlines"', '"cr\r\nlf"', '""', '"a;b"', "c#", "#d", "1", '"q"',
]  # fmt: skip
QUOTED = arrow_csv.ParseOptions(newlines_in_values=True)
CELLS = ["1", "x", 'y"', 'z "q"', '"a,b"', '"line\nbreak"', '""', "", "é", " "]


def of(text, label="t.csv"):
    data = text if isinstance(text, bytes) else text.encode()
    return header_of(lambda begin: io.BytesIO(data[begin:]), label)


def table(draw):
    """A text table with a comma between fields, hostile names, and quotes in its rows."""
    width, end = draw.randint(2, 5), draw.choice(["\n", "\r\n"])
    names = draw.sample(NAMES, width)
    rows = [[draw.choice(CELLS) for _ in range(width)] for _ in range(draw.randint(1, 12))]
    lines = [",".join(line) for line in [names, *rows]]
    mark = "\ufeff" if draw.random() < 0.2 else ""
    return (mark + end.join(lines) + draw.choice(["", end, end + end])).encode()


@pytest.mark.slow
def test_names_and_rows_are_those_of_pyarrow(tmp_path):
    draw = random.Random(11)
    path = tmp_path / "t.csv"
    for _ in range(CASES):
        data = table(draw)
        path.write_bytes(data)
        theirs = arrow_csv.read_csv(io.BytesIO(data), parse_options=QUOTED)
        part = Csv(path, "t.csv")
        names = [name or f"column {i + 1}" for i, name in enumerate(theirs.column_names)]
        if len(set(names)) < len(names):
            with pytest.raises(ValueError, match="several columns named"):
                _ = part.types
            continue
        assert list(part.types) == names, data
        assert part.separator == ","
        text = dict.fromkeys(names, TEXT)
        ours = pa.concat_tables([pa.table({n: pa.array([], TEXT) for n in names}), *part.scan(text, {})])
        assert ours.num_rows == theirs.num_rows == part.count(), data
        told = arrow_csv.ConvertOptions(
            strings_can_be_null=False, column_types=dict.fromkeys(theirs.column_names, TEXT)
        )
        again = arrow_csv.read_csv(io.BytesIO(data), None, arrow_csv.ParseOptions(newlines_in_values=True), told)
        for mine, other in zip(ours.columns, again.columns, strict=True):
            assert mine.to_pylist() == other.to_pylist(), data


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_an_odd_quote_in_a_name_swallows_no_row(separator, end):
    rows = [f"{i}{separator}p{separator}q" for i in range(40)]
    rows[19] = f'7{separator}5" pipe{separator}q'
    for name in ('pipe 5" wide', 'pipe 5"', 'a "b" c"'):
        found = of(end.join([separator.join([name, "num", "y"]), *rows]))
        assert found.names == (name, "num", "y")
        assert (found.separator, found.line) == (separator, 2)
        assert found.begin == len(separator.join([name, "num", "y"]) + end)


@pytest.mark.parametrize(
    "text",
    [
        '"pipe 5 wide,num,y\n1,2,p\n3,4,q\n',  # never closed
        '"pipe 5 wide,num,y\n1,5" pipe,p\n3,4,q\n',  # closed in the middle of a field
        'a,"num,y\n1,"x" y,p\n',
    ],
)
def test_a_quote_that_would_swallow_rows_is_refused(text):
    with pytest.raises(ValueError, match="line 1: a quote is opened in the line that names the columns, and swallows"):
        of(text)


def test_a_name_may_hold_line_breaks():
    found = of('"Glucose\n(mg/dl)",y\n1,p\n')
    assert found.names == ("Glucose\n(mg/dl)", "y")
    assert found.line == 3


@pytest.mark.parametrize("mark", ["", "\ufeff", "\ufeff\ufeff"])
def test_marks_and_hints_come_before_quotes(mark):
    assert of(f'{mark}"a,b",c\n1,2\n').names == ("a,b", "c")
    assert of(f'{mark}sep=;\n"a;b";c\n1;2\n').names == ("a;b", "c")
    assert of(f"{mark}\n\r\na,b\n1,2\n").line == 4


@pytest.mark.parametrize(
    ("above", "lines"),
    [
        ("Our pets\n", 1),
        ("Our pets\n\nas of May\n\n", 4),
        ("# exported by a program\n# version 3, second run, of two\n", 2),
        ('"A title, with a comma"\n', 1),
    ],
)
@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_titles_and_comments_above_the_names(above, lines, separator):
    text = above + "\n".join(separator.join(row) for row in ["abc", "123", "456", "789"]) + "\n"
    found = of(text)
    assert found.names == ("a", "b", "c")
    assert found.separator == separator
    assert found.line == lines + 2
    assert text.encode()[found.begin :].startswith(b"1")
    assert found.title


def test_names_that_begin_with_a_hash_are_names():
    assert of("#id,y\n1,p\n2,q\n3,p\n").names == ("#id", "y")
    assert of("y\nhello\nworld\n").names == ("y",)
    assert of("word\na,b\n").names == ("word",)  # two lines are no table below a title


def test_a_line_without_end_takes_no_memory(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "MOST", 1 << 20)
    path = tmp_path / "t.csv.gz"
    with gzip.open(path, "wb", 1) as file:
        for _ in range(64):
            file.write(b"a" * (1 << 20))
    with pytest.raises(ValueError, match="the line that names the columns is longer than 1 MB; is this a text table"):
        _ = Csv(path, "t.csv.gz").types


@pytest.mark.parametrize("title", ['# made by "X', '5" pipes', '"Pipes" of May'])
def test_a_quote_in_a_title_is_a_letter(title):
    text = f"{title}\n\na,b,y\n1,2,3\n4,5,6\n7,8,9\n".encode()
    assert header_of(lambda begin: io.BytesIO(text[begin:]), "t.csv").names == ("a", "b", "y")


@pytest.mark.parametrize(
    "above",
    [
        "Report,Q1 2024,,,\n",
        "Report,Q1 2024\nAuthor,Ann\n\n",
        "Exported by,Ann Smith,on 2024-03-01\n",
        ",,Measures,,\n",
        "Report,of sales,in May,by Ann,\n",
        "Report,of sales,,in May,\nby Ann,,,,\n",
        "Report; of May; and June\n",
    ],
)
@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_a_title_of_several_fields_is_one_where_numbers_stand_below_the_names(above, separator):
    rows = ["name,size,share,town,y", "ann,1,0.5,Bern,p", "bob,,0.1,Rome,q", "eve,3,0.2,Bern,p", "kim,4,0.9,Rome,q"]
    text = above + "\n".join(rows).replace(",", separator) + "\n"
    found = of(text)
    assert found.names == ("name", "size", "share", "town", "y")
    assert found.line == above.count("\n") + 2
    assert text.encode()[found.begin :].startswith(b"ann")
    assert found.title in above


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (
            '"length","kind"\n"1",5.1,"x"\n"2",4.9,"y"\n"3",4.7,"x"\n"4",5.0,"y"\n',
            ("length", "kind"),
        ),  # as R writes rows
        ("a,b\nr1,x,p\nr2,x,q\nr3,y,q\nr4,y,p\n", ("a", "b")),  # all text: any line may be the first row
        (",height,kind\n0,1.2,x\n1,1.3,y\n2,1.4,x\n3,1.1,y\n", ("column 1", "height", "kind")),  # as pandas does
        (",height,mass\nid,cm,kg\n0,1.2,3\n1,1.3,4\n2,1.4,5\n3,1,6\n", ("column 1", "height", "mass")),  # units below
        ("Report\na,b,c\nid,kind\nr1,x\nr2,y\nr3,x\nr4,y\n", ("Report",)),  # a row of three is no comment
        ("a,b,y\n?,?,p\n1,2,q\n3,4,p\n5,6,q\n", ("a", "b", "y")),
        ("a,b,\nx,1,\ny,2,\nx,3,\ny,4,\n", ("a", "b", "column 3")),  # every line ends in a separator
        ("a,b,\nx,n/a,p\ny,2,q\nx,3,p\ny,4,q\n", ("a", "b", "column 3")),
        ("a,b,\n?,NA,p\n1,2,q\n3,4,p\n5,6,q\n", ("a", "b", "column 3")),
    ],
)
def test_names_are_no_title_where_rows_do_not_show_it(text, names):
    found = of(text)
    assert found.names == names
    assert not found.title


@pytest.mark.parametrize(
    ("rows", "named"),
    [
        ("town,size\nBern,3\nRome,4", True),
        ("town,town\nBern,3\nRome,4", False),  # a name twice
        ("town,\nBern,3\nRome,4", False),  # none
        ("town,7\nBern,3\nRome,4", False),  # a number
        ("town,n/a\nBern,3\nRome,4", False),  # what stands for a missing number
        ("town, NA \nBern,3\nRome,4", False),
        ("town,size\nBern,3\nRome,big", False),  # no column of numbers
        ("town,size\nBern,\nRome, ", False),  # nothing below it
        ("town,size\n,3\n,4", True),
        ("town,size\nBern,\nRome,-1'200.5e3%", True),
    ],
)
def test_names_above_numbers(rows, named):
    assert module.names_numbers([line.split(",") for line in rows.splitlines()]) is named


@pytest.mark.parametrize(
    ("row", "width", "may"),
    [
        ("Report,May", 3, True),
        ("Report,of,May", 3, False),
        ("Report,,,", 4, True),
        (",Report,May,", 4, True),  # half of it empty
        (",Report,May,now", 4, False),
        ("Report,of,May,", 4, True),  # filled up behind
    ],
)
def test_a_row_that_may_be_part_of_a_title(row, width, may):
    assert module.is_part_of_title(row.split(","), width) is may


@pytest.mark.parametrize("below", [2, 3])
def test_a_title_has_at_least_three_rows_below_the_names(below):
    text = "Our pets\na,b\n" + "x,y\n" * below
    assert of(text).names == (("a", "b") if below == 3 else ("Our pets",))


@pytest.mark.parametrize("above", [10, 11])
def test_a_title_has_at_most_ten_lines(above):
    text = "Our pets\n" * above + "a,b\n" + "x,y\n" * 5
    assert of(text).names == (("a", "b") if above == 10 else ("Our pets",))


def test_a_title_may_stand_behind_a_mark_of_bytes():
    found = of("\ufeff\n Our pets\n\nof May\na;b\n1;2\n3;4\n5;6\n")
    assert (found.names, found.separator, found.line) == (("a", "b"), ";", 6)
    assert found.title.strip() == "Our pets"


def test_the_separator_is_the_one_that_cuts_all_rows_alike_into_the_most_fields():
    assert of("a;b,c;d\n1;2,5;3\n1;2,5;4\n").separator == ";"  # three fields, not two
    assert of("a;b,c\n1;2,5\n1,5;2,5\n").separator == ";"  # a comma cuts the rows differently
    assert of("a,b;c|d\n1\n").separator == ","  # none fits: the first
    assert of("a\n1\n").separator == ","
    assert of("a|b\n1|2\n").separator == "|"


@pytest.mark.parametrize("many", [2, 3])
def test_names_that_stand_there_several_times_are_counted_off(many):
    with pytest.raises(ValueError, match=r"several columns named 'a' \(columns 2" + ", 4" * (many > 2) + r", 5\)"):
        of("b,a,c," + ("a" if many > 2 else "d") + ",a\n1,2,3,4,5\n")


def test_columns_without_a_name_have_a_number_and_so_do_lines():
    found = of(b"\n\na,,c\n1,2,3\n")
    assert (found.names, found.begin, found.line) == (("a", "column 2", "c"), 7, 4)
    with pytest.raises(ValueError, match=r"t\.csv, line 3: "):
        of(b"\n\na,\xff\n1,2\n")
    with pytest.raises(ValueError, match=r"t\.csv, line 2: a quote is opened"):
        of('sep=;\na;"b\n1;2\n')
    with pytest.raises(ValueError, match=r"t\.csv is empty; its first line"):
        of("\n \n")
