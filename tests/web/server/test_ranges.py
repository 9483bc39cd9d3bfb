"""Sliders move between the numbers that rows had, as far as a model tells."""

import numpy as np
import pytest

from bayesfold.data.tables import frame
from bayesfold.learning.kinds import find
from bayesfold.learning.trained import train
from bayesfold.web.server.form import describe_columns

ROWS = 500


def fees():
    """Mostly 0, at most 2,400; amounts above 0; numbers of both signs; few whole ones; 0 to 100 in every row; cold."""
    draw = np.random.default_rng(3)
    late = draw.random(ROWS) < 0.4
    fee = np.where(draw.random(ROWS) < 0.6 - 0.2 * late, 0, draw.gamma(1.2, 400, ROWS)).round().clip(0, 2400)
    fee[0] = 2400
    return {
        "fee": fee.astype(int),
        "amount": draw.lognormal(1 + 0.5 * late, 1.2).round(3),
        "balance": draw.normal(0.5 * late, 1).round(2),
        "children": draw.poisson(1 + late),
        "share": draw.uniform(0, 100, ROWS).round(1) * (1 - 0.2 * late),
        "degrees": draw.normal(-20 + 3 * late, 4).round(1),
    }, np.where(late, "late", "on time").tolist()


def scales(kind, **settings):
    table, label = fees()
    columns = describe_columns(train(find(kind)(**settings), frame(table), label, "state"))
    return table, {c["name"]: c for c in columns if c["values"]}


@pytest.mark.parametrize(
    ("kind", "settings"),
    [("naive", {}), ("naive", {"numeric": "gaussian"}), ("naive", {"numeric": "kde"}), ("bayes", {}), ("gaussian", {})],
)
def test_no_slider_leaves_what_is_possible(kind, settings):
    """A fee of 0 to 2,400 had a slider from -1,170 to 1,450."""
    table, columns = scales(kind, **settings)
    told = not settings.get("numeric") and kind != "gaussian"  # several densities were tried
    for name, column in columns.items():
        low, high = column["values"][0], column["values"][-1]
        x = np.asarray(table[name])
        assert low < np.quantile(x, 0.3) + 1e-9, name
        assert high > np.quantile(x, 0.8), name
        assert high - low < 4 * np.ptp(x), name
        if told and name not in ("balance", "degrees"):
            assert low >= 0, name
        assert all(low <= at <= high for at in column["density_at"]), name
        if settings.get("numeric") != "kde":  # of which nothing is counted but cells of a grid
            assert column["whole"] == (name in ("fee", "children")), name
    assert columns["balance"]["values"][0] < 0


def test_both_ends_are_there_where_they_are_known():
    table, columns = scales("naive", numeric="kde")
    for name, column in columns.items():
        if column["family"] == "kde":
            ends = column["values"][0], column["values"][-1]
            assert ends == pytest.approx((min(table[name]), max(table[name]))), name
    table, columns = scales("bayes")
    assert columns["fee"]["values"][0] == 0
    assert columns["fee"]["values"][-1] >= 2400


def test_whole_numbers_read_as_categories_have_their_own_ends_and_steps():
    draw = np.random.default_rng(0)
    late = draw.random(ROWS) < 0.5
    table = {"children": draw.poisson(1 + late)}
    trained = train(find("naive")(numeric="categorical"), frame(table), late.tolist(), "late")
    (column,) = describe_columns(trained)
    assert column["values"] == sorted(set(table["children"].tolist()))
    assert column["whole"]


def test_steps_behind_a_slider_are_of_the_bins_that_were_counted():
    """Of a pool, the shares of one member's bins stood between the cuts of another's."""
    _, columns = scales("bayes")
    for column in columns.values():
        at, density = np.array(column["density_at"]), np.array(column["density"])
        if len(at) > 1 and column["family"] in ("mdl", "equal_frequency"):
            assert np.trapezoid(density, at, axis=1) == pytest.approx(1, abs=1e-9), column["name"]
