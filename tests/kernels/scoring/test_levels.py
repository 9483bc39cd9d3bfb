"""Cells of tables with parents at every level: against numpy's sums of the same table."""

import numpy as np
import pytest

from bayesfold.kernels.scoring import levels

CHILD, SLOTS, STEP, PARENTS, ROOT, SOURCE, ROW, CELLS, HEAD, PARENT = 0, 1, 2, 3, 4, 5, 6, 7, 11, 5
COLUMNS = (3, 4, 2, 5)
"""Slots of four columns."""


def records(nodes, width):
    """The program of nodes (parents..., child): their tables stand side by side, of the axes in this order."""
    program, begins, sources, cells, totals, rows = [], [], 0, 0, 0, 0
    for *parents, child in nodes:
        shape = [COLUMNS[p] for p in (*parents, child)] + [width]
        steps = [int(np.prod(shape[k + 1 :])) for k in range(len(shape))]
        slots, many = COLUMNS[child], 1
        begins.append(len(program))
        head = [child, slots, steps[-2], len(parents), 0, sources, rows, cells, totals]
        cells, totals = cells + slots, totals + 1
        head += [cells, totals]
        cells, totals = cells + slots * width, totals + width
        for k, p in enumerate(parents):
            many *= COLUMNS[p]
            head += [p, COLUMNS[p], steps[k], cells, totals]
            cells, totals = cells + many * slots * width, totals + many * width
        program += head
        sources, rows = sources + int(np.prod(shape)), rows + many * slots
    return np.array(program, np.intp), np.array(begins, np.intp), sources, cells, totals, rows


NODES = [(0,), (1, 0), (0, 2, 1), (3, 1, 0, 2), (2, 3)]


@pytest.mark.parametrize("width", [2, 4, 5])
@pytest.mark.parametrize("kind", [np.float64, np.int64])
def test_each_level_sums_the_one_below_it(width, kind):
    program, begins, size, cells, totals, _ = records(NODES, width)
    source = np.random.default_rng(width).integers(0, 9, size).astype(kind)
    found, under = np.zeros(cells), np.zeros(totals)
    levels.gather(source, program, begins, width, found, under)
    for node, r in zip(NODES, begins, strict=True):
        shape = [COLUMNS[c] for c in node] + [width]
        table = source[program[r + SOURCE] :][: int(np.prod(shape))].reshape(shape).astype(float)
        for k in range(len(node)):  # with the first k parents
            level = table.sum(tuple(range(k, len(node) - 1)))
            at = program[r + CELLS + 2] if k == 0 else program[r + HEAD + PARENT * (k - 1) + 3]
            np.testing.assert_array_equal(found[at : at + level.size], level.ravel())
            at = program[r + CELLS + 3] if k == 0 else program[r + HEAD + PARENT * (k - 1) + 4]
            shown = level[..., 1:, :].sum(-2)
            np.testing.assert_array_equal(under[at : at + shown.size], shown.ravel(), "missing cells are no rows")
        alone = table.sum((*range(len(node) - 1), -1))
        np.testing.assert_array_equal(found[program[r + CELLS] :][: len(alone)], alone)
        assert under[program[r + CELLS + 1]] == alone[1:].sum()


def test_totals_are_turned_over_with_their_pseudo_rows():
    width = 3
    program, begins, _, _, many, _ = records(NODES, width)
    totals = np.random.default_rng(0).choice([0.0, 1e-9, 2e-9, 0.5, 3.0], many)
    # m-estimates of the table by class and of deeper ones; a table without; and one with alpha for each level
    smoothing = np.array([[0.0, 2.0, 5.0], [0.0, 0.0, 0.0], [0.5, -1.0, 9.0], [0.0, 1.0, 0.25], [0.0, -1.0, 0.0]])
    out = np.full(many, 7.0)
    levels.inverses(program, begins, width, totals, smoothing, out)
    for node, r, (alpha, first, deeper) in zip(NODES, begins, smoothing, strict=True):
        size = width
        for k in range(len(node)):
            at = program[r + CELLS + 3] if k == 0 else program[r + HEAD + PARENT * (k - 1) + 4]
            pseudo = first if k == 0 else deeper
            pseudo = alpha * (COLUMNS[node[-1]] - 1) if first < 0 else pseudo
            rows = totals[at : at + size] * (totals[at : at + size] > 1e-9)
            expected = np.divide(1.0, rows + pseudo, out=np.zeros(size), where=rows + pseudo > 0)
            np.testing.assert_allclose(out[at : at + size], expected, rtol=1e-15)
            if k < len(node) - 1:
                size *= COLUMNS[node[k]]
        assert out[program[r + CELLS + 1]] == 7.0, "the child alone is left as it was"
