"""How far work has come: shares, rates and what is left, at any speed."""

import pytest

from bayesfold.runtime.progress import Progress, watch


def test_what_is_left_at_this_rate():
    slow = Progress(rows=1, total=5, seconds=4.0)
    assert (slow.share, slow.rate, slow.left) == (0.2, 0.25, 16.0)
    assert Progress(rows=500, total=2_000, seconds=2.0).left == 6.0
    assert Progress(rows=7, total=5, seconds=1.0).left == 0.0
    assert Progress(0, 0, 1.0).share == 1.0
    assert Progress(10, 10, 0.0).rate == pytest.approx(1e10)
    assert repr(Progress(1, 8, 2.0)) == "12 %, 0 rows/s, 14 s left"


@pytest.mark.parametrize("begin", [0, 10])
def test_a_watcher_is_told_after_each_block_and_at_the_end(begin):
    seen = []
    blocks = [(begin, "a"), (begin + 3, "b"), (begin + 6, "c")]
    found = [*watch(iter(blocks), begin + 8, lambda progress: seen.append((progress.rows, progress.total)), begin)]
    assert found == blocks
    assert seen == [(3, 8), (6, 8), (8, 8)]
    assert [*watch(iter(blocks), 8, None)] == blocks
