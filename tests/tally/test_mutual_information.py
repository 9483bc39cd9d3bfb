"""Mutual information of tables, by its definition."""

import numpy as np
import pytest

from bayesfold.tally.mutual_information import of_tables

TABLE = np.array([[3.0, 1.0, 0.0], [2.0, 2.0, 4.0]])


@pytest.mark.parametrize("unit", [1.0, 1e-3, 1e-200, 1e300])
def test_it_is_the_sum_of_p_log_p_over_the_product_of_the_margins_whatever_a_row_weighs(unit: float) -> None:
    p = TABLE / 12
    expected = sum(
        p[i, j] * np.log(p[i, j] / (p[i].sum() * p[:, j].sum())) for i in range(2) for j in range(3) if p[i, j]
    )
    assert of_tables(unit * TABLE[None])[0] == pytest.approx(expected, rel=1e-12)


def test_tables_without_rows_tell_nothing() -> None:
    assert of_tables(np.zeros((1, 2, 3))).tolist() == [0.0]
