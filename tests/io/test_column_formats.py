"""How numbers of text files are written: of one column by others, of several files together, and what is said of it."""

import warnings

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import bayesfold as bf
from bayesfold.data.number_format import NumberFormat
from bayesfold.io import column_formats as module
from bayesfold.io.column_formats import NumberFormats, longest_example, read_formatted
from bayesfold.io.csv.column_types import TEXT, NotANumber
from bayesfold.io.engines.csv import Csv
from bayesfold.io.open import open_source

COMMA, POINT = NumberFormat(","), NumberFormat(".")


def formats(tmp_path, *texts, decimal=None):
    parts = []
    for i, text in enumerate(texts):
        (tmp_path / f"{i}.csv").write_text(text, encoding="utf-8")
        parts.append(Csv(tmp_path / f"{i}.csv", f"{i}.csv"))
    return NumberFormats(parts, decimal)


def test_points_part_thousands_where_another_column_has_commas_for_decimals(tmp_path):
    found = formats(tmp_path, "big;small;plain;y\n1.234;0,5;7;p\n2.500;1,5;8;q\n")
    assert [found.of(name) for name in ("big", "small", "plain", "y")] == [COMMA, COMMA, None, None]
    with open_source(tmp_path / "0.csv") as source:
        table = source.look(source.names, 100, {}, {}).table
        assert table.to_pydict() == {"big": [1234, 2500], "small": [0.5, 1.5], "plain": [7, 8], "y": ["p", "q"]}


@pytest.mark.parametrize(
    "text",
    [
        "big;small\n1.234;0.5\n2.500;1.5\n",  # nothing says that they are thousands
        "big;small\n1.23;0,5\n2.50;1,5\n",  # no group has two digits
        "big;small\n1.234;$5\n2.500;$7.5\n",  # another column, with points for decimals
        'big,small\n1.234,"0,5"\n2.500,"1,5"\n',  # a file with commas for separators
    ],
)
def test_else_points_stand_before_decimals(text, tmp_path):
    assert formats(tmp_path, text).of("big") is None


def test_points_that_may_part_thousands_are_told_where_nothing_says_what_they_do(tmp_path):
    """A model may have learned 1.259,88: that 1.300 is then 1.3 would be wrong without a word."""
    found = formats(tmp_path, "price;n;y\n1.300;3;p\n950;4;q\n12.700;;NA\n")
    found.use_for({"price": pa.float64(), "n": pa.int64(), "y": TEXT})
    said = ["numbers of column 'price' are read like this one: '12.700' is 12.7; decimal= says otherwise"]
    assert found.notes() == found.notes(doubtful=True) == said
    for text in ("a;b\n1.234;0.5\n", "a;b\n1.23;x\n", "a;b\n0.123;x\n", "a,b\n1.234,x\n", "a;b\n1.234;0,5\n"):
        found = formats(tmp_path, text)
        found.use("a")
        assert found.notes(doubtful=True) == []
    found = formats(tmp_path, "price;n\n1.300;3\n", decimal=".")
    found.use("price")
    assert found.notes() == []


def test_python_warns_of_them_when_it_predicts(tmp_path):
    prices = [1000 * (1 + i % 3) + 100 + 7 * i % 800 + 0.5 for i in range(100)]
    pq.write_table(pa.table({"price": prices, "y": ["p", "q"] * 50}), tmp_path / "learned.parquet")
    (tmp_path / "asked.csv").write_text("price;other\n1.300;x\n2.700;x\n")
    clf = bf.NaiveBayes(numeric="gaussian").fit_from(tmp_path / "learned.parquet", target="y")
    with pytest.warns(bf.RowWarning, match="'1.300' is 1.3; decimal= says otherwise"):
        clf.predict_from(tmp_path / "asked.csv", tmp_path / "out.csv")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        clf.predict_from(tmp_path / "asked.csv", tmp_path / "out.csv", decimal=",")


def test_the_mark_that_was_given_holds_for_every_column_and_nothing_is_said(tmp_path):
    found = formats(tmp_path, "a;b\n1,5;2\n", decimal=".")
    assert (found.of("a"), found.of("b"), found.use("b")) == (POINT, POINT, POINT)
    assert found.notes() == []


def test_the_first_rows_of_all_files_decide_up_to_a_number_of_files(tmp_path, monkeypatch):
    texts = ("a;b\n1;x\n", "b;c\ny;1\n", "a;b\n1,5;x\n")
    assert formats(tmp_path, *texts).of("a") == COMMA
    monkeypatch.setattr(module, "MOST_FILES", 2)
    assert formats(tmp_path, *texts).of("a") is None


def test_what_is_read_as_numbers_is_said_and_nothing_else(tmp_path):
    rows = "\n".join("1,5;1.234,25;2,5;0,25;12 %;3" for _ in range(3))
    found = formats(tmp_path, f"a;b;c;d;e;f\n{rows}\n")
    assert found.notes() == []
    kinds = {"a": pa.float64(), "b": pa.float64(), "c": TEXT, "f": pa.int64(), "e": pa.float64()}
    assert found.use_for(kinds) == {"a": COMMA, "b": COMMA, "e": COMMA}
    said = "numbers of columns 'a', 'b', 'e' are read like this one: '1.234,25' is 1234.25; decimal= says otherwise"
    assert found.notes() == [said]
    found.use("d")
    assert found.notes()[0].startswith("numbers of columns 'a', 'b', 'd' and 1 more are read")
    alone = formats(tmp_path, "a;b\n1,5;2\n")
    alone.use("a")
    assert alone.notes()[0].startswith("numbers of column 'a' are read like this one: '1,5' is 1.5")


def test_a_column_of_classes_is_text_where_its_numbers_are_not_plain(tmp_path):
    found = formats(tmp_path, "a;b\n1,5;2\n")
    assert found.as_written("a") == {"a": "text"}
    assert found.as_written("b") == {}


def test_what_a_column_of_formatted_numbers_holds(tmp_path):
    found = formats(tmp_path, "a;b\n1,5;2\n-;3\n")
    values = pa.array(["1,5", "2", "none"])
    assert found.kind_of("a", values, frozenset({"none"})) == pa.float64()
    assert found.kind_of("a", values, frozenset()) == TEXT
    assert found.kind_of("a", pa.array(["1", "2"]), frozenset()) == pa.float64(), "fractions may come"
    assert found.kind_of("b", pa.array(["1", "2"]), frozenset()) == pa.int64()


def test_a_cell_that_is_no_number_is_named_by_its_line(tmp_path):
    found = formats(tmp_path, "a;b\n1,5;x\nwide;y\n2,5;z\n")
    piece = pa.table({"a": ["1,5", "?", "2,5"], "b": ["x", "y", "z"]})
    read = read_formatted(piece, {"a": COMMA}, {"a": frozenset({"?"})}, found.parts[0], 0)
    assert read.to_pydict() == {"a": [1.5, None, 2.5], "b": ["x", "y", "z"]}
    with pytest.raises(NotANumber, match=r"0\.csv, line 3"):
        read_formatted(piece.set_column(0, "a", [["1,5", "wide", "2,5"]]), {"a": COMMA}, {}, found.parts[0], 0)
    with pytest.raises(NotANumber, match=r"0\.csv, line 4"):
        read_formatted(piece.set_column(0, "a", [["1,5", "wide", "2,5"]]), {"a": COMMA}, {}, found.parts[0], 1)


def test_the_longest_number_that_is_not_plain_is_the_example():
    values = pa.array(["1234567", "1,5", " 12,25 ", "3,5", "a long word, indeed"])
    assert longest_example(values, COMMA) == ("12,25", "12.25")
    assert longest_example(pa.array(["1", "2"]), COMMA) == ("", "")


def priced(tmp_path, kind=bf.NaiveBayes, **options):
    """A model of prices as Germans write them, 600 to 1.800; classes differ by them."""
    prices = [600 + 7 * i + 0.25 for i in range(170)]
    german = [f"{p:,.2f}".translate(str.maketrans(".,", ",.")) for p in prices]
    classes = ["dear" if p > 1_200 else "cheap" for p in prices]
    lines = [f"{text};{i % 40};{y}" for i, (text, y) in enumerate(zip(german, classes, strict=True))]
    (tmp_path / "learned.csv").write_text("price;n;y\n" + "\n".join(lines), encoding="utf-8")
    return kind(**options).fit_from(tmp_path / "learned.csv", target="y")


ROUND = {"price": [1300.0, 950.0, 12700.0], "n": [3.0, 4.0, 1005.0]}


@pytest.mark.parametrize(
    "head", ["price;n\n1.300;3\n950;4\n12.700;1.005\n", "n\tprice\n3\t1.300\n4\t950\n1.005\t12.700\n"]
)
@pytest.mark.parametrize("options", [{}, {"numeric": "mdl"}, {"kind": bf.BayesClassifier}, {"kind": bf.GaussianBayes}])
def test_a_model_knows_how_numbers_were_written_that_it_learned(tmp_path, head, options):
    model = priced(tmp_path, **options)
    wanted = model.predict_proba(ROUND)
    assert (wanted[:2].argmax(axis=1) == [1, 0]).all()
    model.save(tmp_path / "m.bayes")
    (tmp_path / "round.csv").write_text(head, encoding="utf-8")
    written = {"price": ["1.300", "950", "12.700"], "n": ["3", "4", "1.005"]}
    for each in (model, bf.load(tmp_path / "m.bayes")):
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # nothing is in doubt
            each.predict_from(tmp_path / "round.csv", tmp_path / "answers.parquet")
        answers = pq.read_table(tmp_path / "answers.parquet")
        assert answers.column("P(dear)").to_pylist() == pytest.approx(wanted[:, 1].tolist())
        assert np.allclose(each.predict_proba(written), wanted, atol=1e-12)
        rows = [{name: cells[i] for name, cells in written.items()} for i in range(3)]
        assert np.allclose(each.predict_proba(rows), wanted, atol=1e-12)
        for row, own in zip(rows, wanted, strict=True):
            assert each.predict_proba(row).ravel().tolist() == pytest.approx(own.tolist())


def test_a_file_that_shows_other_marks_is_read_by_them(tmp_path):
    model = priced(tmp_path)
    wanted = model.predict_proba({"price": [1.3, 1.4], "n": [3.5, 4.25]})
    (tmp_path / "points.csv").write_text("price;n\n1.300;3.5\n1.400;4.25\n", encoding="utf-8")  # n has no thousands
    model.predict_from(tmp_path / "points.csv", tmp_path / "answers.parquet")
    assert pq.read_table(tmp_path / "answers.parquet").column("P(cheap)").to_pylist() == wanted[:, 0].tolist()
    assert (
        model.predict_proba({"price": ["1300.5", "1.300"], "n": [3, 4]})
        == model.predict_proba({"price": [1300.5, 1.3], "n": [3, 4]})
    ).all()


def test_what_models_know_of_marks_is_kept_by_more_rows_and_lost_where_they_differ(tmp_path):
    model = priced(tmp_path)
    assert model.schema_.decimals == {"price": ",", "n": ","}
    assert model.blank().schema_.decimals == model.schema_.decimals
    (tmp_path / "english.csv").write_text("price,n,y\n1300.25,3,dear\n950.5,4,cheap\n", encoding="utf-8")
    english = bf.NaiveBayes(schema=model.schema_).fit_from(tmp_path / "english.csv", target="y")
    assert english.schema_.decimals == {"price": "", "n": ""}
    assert (model + english).schema_.decimals == {"price": "", "n": ""}
    (tmp_path / "whole.csv").write_text("price;n;y\n1300;3;dear\n950;4;cheap\n", encoding="utf-8")
    assert bf.NaiveBayes().fit_from(tmp_path / "whole.csv", target="y").schema_.decimals == {}


def test_a_mark_is_learned_from_numbers_only_that_show_it(tmp_path):
    """5'142 is 5142 with either mark: a model that took a comma for it read '5,142' of an English file as 5.142."""
    (tmp_path / "swiss.csv").write_text("price;n;y\n5'142;1.5;p\n1'250;2.25;q\n7'000;1.75;p\n", encoding="utf-8")
    model = bf.NaiveBayes(families={"price": "gaussian"}).fit_from(tmp_path / "swiss.csv", target="y")
    assert model.schema_.decimals == {"price": ".", "n": "."}
    (tmp_path / "english.csv").write_text('price,n\n"5,142",1.5\n950,2\n', encoding="utf-8")
    model.predict_from(tmp_path / "english.csv", tmp_path / "answers.parquet")
    wanted = model.predict_proba({"price": [5142.0, 950.0], "n": [1.5, 2.0]})
    answers = pq.read_table(tmp_path / "answers.parquet").column("P(p)").to_pylist()
    assert answers == pytest.approx(wanted[:, 0].tolist())
    (tmp_path / "alone.csv").write_text("price;y\n5'142;p\n1'250;q\n7'000;p\n", encoding="utf-8")
    alone = bf.NaiveBayes(families={"price": "gaussian"}).fit_from(tmp_path / "alone.csv", target="y")
    assert alone.schema_.decimals == {}  # nothing shows a mark


def test_numbers_that_are_plain_are_no_example_of_others(tmp_path):
    found = formats(tmp_path, "price;n\n5142;1\n950;2\n")
    assert found.use("price", {"price": ","}) == COMMA
    assert found.notes() == []


@pytest.mark.parametrize(
    "other",
    [
        "price;small\n1.259,88;0,5\n850,00;1,5\n700;2,5\n",  # a comma in a file with semicolons
        'price,small\n"1.259,88","0,5"\n"850,00","1,5"\n',  # in one with commas
    ],
)
@pytest.mark.parametrize("first", [True, False])
def test_files_that_write_numbers_differently_are_refused_together(tmp_path, other, first):
    """One of them was read by the signs of the other: 5,142 as 5.142, or all of the column as text."""
    own = 'price,small\n"5,142",0.25\n"9,001",0.75\n"1,250",0.5\n'
    found = formats(tmp_path, *((own, other) if first else (other, own)))
    with pytest.raises(ValueError, match=r"column 'price' is written like '\S+' in \d.csv and like '\S+' in \d.csv"):
        found.of("price")


def test_files_whose_numbers_mean_the_same_either_way_are_read_together(tmp_path):
    found = formats(tmp_path, "a,b\n1.5,x\n2.25,y\n", "a;b\n3.5;x\n7;y\n", 'a,b\n"1,250.5",1.2.3\n3,"4,5,6"\n')
    assert found.of("a") == POINT
    assert found.of("b") is None
    german = formats(tmp_path, "a;n\n1,5;1.250\n2,25;7\n", "a;n\n1.250;3\n950;4\n")  # the first one tells of the second
    assert (german.of("a"), german.of("n")) == (COMMA, COMMA)
    swiss = "a;n\n1'259;0.5\n5'850;1.5\n"  # no comma and no point, in a file with semicolons
    for texts in ((swiss, 'a,n\n"5,142",0.5\n'), ('a,n\n"5,142",0.5\n', swiss)):
        assert formats(tmp_path, *texts).of("a") == POINT


@pytest.mark.parametrize("loss", ["({})", "{}-"])
def test_losses_of_accounts_are_below_zero_and_a_note_says_so(tmp_path, loss):
    """A minus sign in front, in the column that is beside it, is the same number."""
    profit = [round(7.25 * i - 100, 2) for i in range(60)]
    cells = [f"{x:.2f}" if x >= 0 else loss.format(f"{-x:.2f}") for x in profit]
    kept = ["up" if x > 10 else "down" for x in profit]
    for name, column in (("books", cells), ("plain", profit)):
        lines = [f"{x},{y}\n" for x, y in zip(column, kept, strict=True)]
        (tmp_path / f"{name}.csv").write_text("profit,y\n" + "".join(lines))
    books, plain = (bf.NaiveBayes().fit_from(tmp_path / f"{name}.csv", target="y") for name in ("books", "plain"))
    asked = {"profit": profit}
    np.testing.assert_array_equal(books.predict_proba(asked), plain.predict_proba(asked))
    shown = loss.format("100.00")
    said = f"numbers of column 'profit' are read like this one: '{shown}' is -100.00; decimal= says otherwise"
    assert books.source_.notes == (said,)
    plain.predict_from(tmp_path / "books.csv", tmp_path / "said.csv")
    lines = (tmp_path / "said.csv").read_text().splitlines()
    told = [float(line.rpartition(",")[2]) for line in lines[1:]]
    np.testing.assert_allclose(told, plain.predict_proba(asked)[:, 1])
    assert lines[1].startswith(f"{shown},down,")
    (tmp_path / "lost.csv").write_text(f"profit,y\n{loss.format('100.00')},down\n{loss.format('92.75')},down\n")
    plain.predict_from(tmp_path / "lost.csv", tmp_path / "told.csv")  # of losses alone, to a model that knows numbers
    assert [line.rpartition(",")[2] for line in (tmp_path / "told.csv").read_text().splitlines()] == [
        line.rpartition(",")[2] for line in lines[:3]
    ]
