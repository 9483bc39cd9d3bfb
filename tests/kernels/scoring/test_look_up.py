"""Rows looked up in tables with parents, for every number of classes: against numpy's own look-up."""

import numpy as np
import pytest
from tests.kernels.scoring.test_levels import COLUMNS, NODES, ROW, records

from bayesfold.kernels.scoring import look_up


@pytest.mark.parametrize("classes", range(1, 10))
def test_rows_are_looked_up_and_summed_whatever_the_number_of_classes(classes):
    draw = np.random.default_rng(classes)
    program, begins, _, _, _, rows = records(NODES, classes + 1)
    table = draw.normal(size=(rows, classes))
    codes = np.array([draw.integers(0, slots, 12) for slots in COLUMNS], np.int32)
    networks = np.array([0, 2, 2, 5], np.intp)
    for begin, end in ((0, 12), (3, 4), (5, 5)):
        out = np.full((3, end - begin, classes), np.nan)
        look_up.look_up(program, begins, networks, table, codes, begin, end, out)
        for network in range(3):
            expected = np.zeros((end - begin, classes))
            for k in range(networks[network], networks[network + 1]):
                node = NODES[k]
                places = np.ravel_multi_index([codes[c, begin:end] for c in node], [COLUMNS[c] for c in node])
                expected += table[program[begins[k] + ROW] + places]
            np.testing.assert_allclose(out[network], expected, rtol=1e-14, atol=1e-15)
