"""A slice of the long run, of as many steps as take seconds."""

import pytest

from .long_run import live


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::bayesfold.ColumnWarning")
def test_what_is_left_after_learning_and_forgetting_is_a_fit_of_the_rows_that_are_left() -> None:
    account = live(steps=120, seconds=0.0, duty=1.0, seed=0)
    assert account.forgotten > 500
    assert account.highest - account.warm < 30, account  # megabytes; models of all rows ever shown would hold more
