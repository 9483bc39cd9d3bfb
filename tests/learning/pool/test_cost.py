"""What work a part is: by its formula, where a limit is crossed, and what is then said."""

import pytest

from bayesfold.data.encodings import Binned, Categories, Real
from bayesfold.data.schema import Schema
from bayesfold.learning.pool import cost
from bayesfold.learning.pool.cost import Size, one_covariance, seconds, steps, too_much

SMALL = Size(rows=300, classes=3, columns=10, axes=25)


def test_work_grows_as_the_formulas_say():
    assert steps("naive", SMALL) == 10 * 5e4
    assert steps("gaussian", SMALL) == pytest.approx(25**3 * 3 / 10)
    assert steps("gaussian", SMALL, one_covariance=True) == pytest.approx(25**3 / 40)
    assert steps("kdb", SMALL) == 10**2 * 1000
    assert steps("aode", SMALL) == 10**2 * (500 + 300 * 3) + 2 * 3 * 25**2
    assert steps("parzen", SMALL) == pytest.approx(25 * 300 * 300 / 100)


def test_work_stops_growing_where_less_is_looked_at(monkeypatch):
    monkeypatch.setattr(cost, "DEEP", 4)
    monkeypatch.setattr(cost, "FEW", 50)
    monkeypatch.setattr(cost, "MOST_LANDMARKS", 20)
    monkeypatch.setattr(cost, "SAMPLE", 100)
    assert steps("kdb", SMALL) == 4**2 * 1000
    assert steps("aode", SMALL) == 4**2 * (500 + 50 * 3) + 2 * 3 * 10**2, "the levels of four of ten columns"
    assert steps("parzen", SMALL) == pytest.approx(25 * 300 * 20 / 100)
    assert steps("aode", Size(10, 2, 0, 0)) == 0.0
    assert cost.seconds_to_compare_densities(5, 300, 3) == pytest.approx(5 * (1e-3 + 8e-7 * 100 * 3))
    assert cost.seconds_to_compare_densities(5, 10, 99) == pytest.approx(5 * (1e-3 + 8e-7 * 10 * 32))


def test_the_size_of_a_table_counts_the_levels_of_categories():
    features = (Categories("a", ("x", "y", "z")), Real("b"), Binned("c", (1.0, 2.0)), Categories("d", (0, 1)))
    assert Size.of(Schema(Categories("t", ("p", "q")), features), 7) == Size(rows=7, classes=2, columns=4, axes=7)


@pytest.mark.parametrize(
    ("part", "size", "said"),
    [
        ("naive", Size(10, 2, 10**6, 10**6), ""),  # is always there
        ("kdb", Size(10, 2, 50, 50), ""),
        ("gaussian", Size(10, 2, 500, 500), ""),  # one covariance for all classes is little work
        (
            "gaussian",
            Size(10, 2, 2000, 2000),
            "2e+08 steps of work for 2000 numbers and indicators (limit 1e+08); structure='gaussian' learns it alone",
        ),
        (
            "aode",
            Size(5000, 200, 100, 100),
            "steps of work for 100 columns (limit 1e+08); structure='aode' learns it alone",
        ),
        ("aode", Size(5000, 200, 100, 101), "steps of work for 100 columns of 101 levels (limit 1e+08)"),
        ("parzen", Size(10**6, 2, 50, 60), "steps of work for 1000000 rows of 60 numbers and indicators (limit"),
    ],
)
def test_what_is_too_much_work_is_said(part, size, said):
    assert said in too_much(part, size)
    assert bool(too_much(part, size)) == bool(said)


def test_a_limit_is_crossed_only_beyond_it(monkeypatch):
    monkeypatch.setattr(cost, "MOST", steps("kdb", SMALL))
    assert too_much("kdb", SMALL) == ""
    monkeypatch.setattr(cost, "MOST", steps("kdb", SMALL) - 1)
    assert too_much("kdb", SMALL)
    monkeypatch.setattr(cost, "MOST", steps("gaussian", SMALL))
    assert not one_covariance(SMALL)
    assert seconds("gaussian", SMALL) == pytest.approx(1e-7 * 25**3 * 3 / 10)
    monkeypatch.setattr(cost, "MOST", steps("gaussian", SMALL) - 1)
    assert one_covariance(SMALL)
    assert seconds("gaussian", SMALL) == pytest.approx(1e-7 * 25**3 / 40)
    assert seconds("kdb", SMALL) == pytest.approx(1e-7 * steps("kdb", SMALL))
