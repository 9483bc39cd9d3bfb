"""What each column is, and why; options that name what is not there are refused."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from bayesfold import NaiveBayes
from bayesfold.data.encodings import Categories, Real
from bayesfold.data.frame import code
from bayesfold.data.tables import frame
from bayesfold.families.categorical import Categorical
from bayesfold.families.gaussian import Gaussian
from bayesfold.learning.column_table import ColumnReport, ColumnTable
from bayesfold.learning.discover import discover
from bayesfold.learning.number_candidates import densities
from bayesfold.learning.one_column import Options

DRAW = np.random.default_rng(4)
LABEL = np.arange(200) % 2
TABLE = pd.DataFrame(
    {
        "text": DRAW.choice(["a", "b"], 200),
        "flag": DRAW.random(200) < 0.5,
        "grade": pd.Categorical(DRAW.choice(["low", "high"], 200)),
        "several": np.array([1, "a", 2.5, None] * 50, object),
        "normal": DRAW.normal(2.0 * LABEL, 1.0),
        "positive": DRAW.lognormal(LABEL, 1.0),
        "rate": DRAW.poisson(2 + 6 * LABEL),
        "parity": 2 * DRAW.integers(0, 3, 200) + LABEL,
    }
)


def found(table=TABLE, labels=LABEL, weight=None, **options):
    return discover(frame(table), code(labels), Options(**options), weight)


def test_every_column_has_a_family_and_a_reason():
    families = {c.name: c.family for c in found().columns}
    assert families["text"] == families["flag"] == families["grade"] == families["several"] == "categorical"
    assert families["parity"] in {"categorical", "mdl", "equal_frequency", "proportional", "kde"}
    assert {families[c] for c in ("normal", "positive", "rate")} <= set(densities())
    whys = {c.name: c.why.removesuffix("; missing is a value") for c in found().columns}
    assert (whys["text"], whys["flag"], whys["grade"], whys["several"]) == (
        "text",
        "truth values",
        "categories",
        "values of several kinds",
    )
    assert all(whys.values())


def test_a_count_is_poisson_where_its_levels_are_too_many_to_tell_apart():
    rate = np.random.default_rng(0).poisson(40 + 15 * LABEL)
    assert "poisson" in found(pd.DataFrame({"k": rate})).columns[0].why


def test_the_column_table_prints_as_a_table():
    lines = repr(found(TABLE[["text", "normal"]]).columns).splitlines()
    assert lines[0].split() == ["column", "family", "why"]
    assert lines[1].split()[:2] == ["text", "categorical"]


def test_declared_families_win_and_may_be_objects():
    wide = Gaussian(pseudo_rows=9.0)
    settled = found(families={"rate": wide, "normal": "categorical"})
    assert settled.families["rate"] is wide
    assert isinstance(settled.families["normal"], Categorical)
    assert {c.name: c.why for c in settled.columns}["rate"] == "declared"


@pytest.mark.parametrize("numeric", ["gaussian", "poisson", "categorical"])
def test_one_density_for_all_numbers(numeric):
    settled = found(TABLE[["rate", "text"]], numeric=numeric)
    assert {c.name: (c.family, c.why) for c in settled.columns} == {
        "rate": (numeric, f"numeric={numeric!r}"),
        "text": ("categorical", "text"),
    }


def test_smoothing_reaches_the_families():
    settled = found(TABLE[["text"]], alpha=0.25, prior_alpha=3.0)
    assert settled.families == {"text": Categorical(0.25), "class": Categorical(3.0)}


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"numeric": "normal"}, ValueError, "numeric='normal' is not one of 'auto', 'gaussian'"),
        ({"families": {"text": "normal"}}, ValueError, "there is no family 'normal'; .*There are bernoulli"),
        ({"families": {"text": 7}}, TypeError, r"7 is not a family: give a name \('bernoulli'.*or a family object"),
        ({"families": {"txt": "gaussian"}}, ValueError, "the table has no column 'txt'; did you mean 'text'"),
        ({"missing": {"txt": "?"}}, ValueError, "the table has no column 'txt'; did you mean 'text'"),
        (
            {"families": {"normal": "lognormal"}},
            ValueError,
            r"column 'normal' is -.* in row \d+, but lognormal needs positive",
        ),
        (
            {"families": {"normal": "poisson"}},
            ValueError,
            r"column 'normal' is -.* in row \d+, but poisson .* at least 0; make it missing .*families={'normal': 'gau",
        ),
        ({"numeric": "poisson"}, ValueError, r"column 'normal' is -.* in row \d+, but poisson needs"),
    ],
)
def test_options_that_do_not_fit_the_table_are_refused(options, error, words):
    with pytest.raises(error, match=words):
        found(**options)


def test_a_feature_may_be_called_class():
    settled = found(pd.DataFrame({"class": ["a", "b"] * 10}), np.arange(20) % 3)
    assert settled.schema.target.name == "class label"
    assert [c.name for c in settled.schema.features] == ["class"]


def test_levels_are_sorted_whatever_their_order_in_the_rows():
    settled = found(pd.DataFrame({"c": ["b", "a", "c", "a"], "n": [3, 1, 2, 1]}), [*"qpqp"], numeric="categorical")
    assert [c.levels for c in settled.schema.features] == [("a", "b", "c"), (1, 2, 3)]
    assert settled.schema.target.levels == ("p", "q")


def test_whole_numbers_with_holes_have_the_levels_of_whole_numbers():
    whole = found(pa.table({"n": pa.array([3, None, 2, 1])}), [*"pqpq"], numeric="categorical").schema.features[0]
    floats = found(pd.DataFrame({"n": [3.0, None, 2.0, 1.0]}), [*"pqpq"], numeric="categorical").schema.features[0]
    assert whole == floats


def test_a_table_longer_than_the_sample_is_judged_by_rows_spread_over_it():
    """The first rows alone would call the column constant."""
    x = np.zeros(50_000)
    x[25_000:] = np.random.default_rng(0).normal(3.0, 1.0, 25_000)
    settled = found({"x": x}, np.arange(50_000) % 2)
    assert isinstance(settled.schema.features[0], Real)
    rare = np.zeros(50_000)
    rare[12_345] = 1.0
    assert found({"x": rare}, np.arange(50_000) % 2).columns[0].family != ""


def test_the_choice_of_a_density_counts_a_row_as_often_as_it_weighs():
    """Half of the rows are lognormal and half are normal: the weights decide, as copies would."""
    draw = np.random.default_rng(8)
    label = np.arange(150) % 2
    x = np.r_[draw.lognormal(1 + 1.2 * label, 0.8), draw.normal(20 + 8 * label, 3)]
    y = np.r_[label, label]
    chosen = set()
    for weights in ([1, 30], [30, 1]):
        weight = np.repeat(weights, 150)
        copies = np.repeat(np.arange(300), weight)
        (weighed,), (copied,) = (
            found({"x": x}, y, weight.astype(float)).columns,
            found({"x": x[copies]}, y[copies]).columns,
        )
        assert weighed.family == copied.family
        chosen.add(weighed.family)
    assert len(chosen) == 2


def test_a_negative_number_beside_the_sample_rules_poisson_out():
    draw = np.random.default_rng(0)
    y = np.arange(50_000) % 2
    x = draw.poisson(80 + 40 * y)
    assert "poisson" in found({"x": x}, y).columns[0].why
    x[12_345] = -1  # the sample takes every sixth row
    assert "poisson" not in found({"x": x}, y).columns[0].why


def test_levels_are_few_beside_the_rows_unless_weights_are_counts():
    columns, labels, weight = {"x": [1, 2, 3, 4, 1, 3]}, np.array([0, 1, 0, 1, 0, 0]), np.full(6, 20.0)
    copied = found({"x": np.repeat(columns["x"], 20)}, labels.repeat(20)).columns
    assert found(columns, labels, weight, copies=True).columns == copied
    assert copied[0].family == "categorical"
    assert found(columns, labels, weight).columns[0].family != "categorical"


@pytest.mark.parametrize("copies", [False, True])
@pytest.mark.parametrize("weight", [[3] * 60 + [1] * 40, [1] * 100, [1] * 60 + [100] * 40])
def test_an_identifier_is_one_by_the_rows_whatever_they_weigh(weight, copies):
    columns = {"name": [f"n{i}" for i in range(60)] + [None] * 40}
    settled = found(columns, np.arange(100) % 2, np.asarray(weight, float), copies=copies)
    assert settled.columns[0].why.startswith("left out as an identifier: 60 values in 60 rows")


def test_a_small_weight_does_not_hide_an_identifier():
    columns = {"name": [f"n{i}" for i in range(60)]}
    settled = found(columns, np.arange(60) % 2, np.full(60, 1 / 60))
    assert settled.columns[0].why.startswith("left out as an identifier: 60 values in 60 rows")


def test_text_is_categories_and_numbers_are_not():
    settled = found(pd.DataFrame({"as text": ["1", "2"] * 20, "as number": [1.5, 2.5] * 20}), np.arange(40) % 3)
    assert [type(c) for c in settled.schema.features] == [Categories, Real]


def test_an_infinity_in_a_column_that_is_otherwise_constant_is_refused_by_row():
    with pytest.raises(ValueError, match="column 'x1' is infinite in row 0"):
        discover(frame(np.array([[1.0, np.inf], [2.0, np.inf]])), code([0, 1]), Options())


def test_a_column_of_one_value_and_holes_is_kept_because_being_there_may_say_something():
    label = ["no", "yes"] * 40
    kept = found({"notes": [None, "late"] * 40, "z": [*"aabb"] * 20}, label)
    assert kept.columns[0].why == "text; missing is a value"
    assert found({"notes": ["late"] * 80, "z": [*"aabb"] * 20}, label).columns[0].family == ""


def test_a_number_that_is_constant_in_each_class_is_not_normal_there():
    """One row of the rare class differs from all others: its class would have a density as narrow as its floor."""
    y = np.array([*["p"] * 40, *["q"] * 40, "r", "r"])
    x = np.full(82, 0.5)
    x[-1] = 1.0
    settled = found({"x": x, "z": np.arange(82.0)}, y)
    assert not {"gaussian", "lognormal"} & {settled.columns[0].family}
    p = NaiveBayes(weights="auto").fit({"x": x, "z": np.arange(82.0)}, y).predict_log_proba({"x": [0.5], "z": [81.0]})
    assert p[0, 2] > -2


def test_under_weights_a_density_is_chosen_by_what_the_column_says_alone():
    """Five copies of a column: together they are too sure, which a dull density mends and exponents mend better."""
    draw = np.random.default_rng(1)
    y = draw.integers(0, 2, 400)
    x = np.exp(draw.normal(size=400)) * (1 + y)
    one, five = {"x": x}, {f"x{j}": x for j in range(5)}
    alone = found(one, y).columns[0].family
    clf = NaiveBayes(weights="auto").fit(five, y)
    assert {c.family for c in clf.columns_} == {alone}


def test_the_column_table_is_a_table_in_a_notebook():
    table = ColumnTable([ColumnReport("<b>age</b>", "gaussian", "declared"), ColumnReport("id", "", "left out")])
    html = table._repr_html_()
    assert html.startswith("<table>")
    assert "&lt;b&gt;age&lt;/b&gt;" in html
    assert html.count("<tr>") == 3
