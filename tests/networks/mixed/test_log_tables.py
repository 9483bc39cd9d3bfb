"""The order in which variables are summed out of tables of logarithms, and how large tables become on the way."""

from bayesfold.networks.mixed.log_tables import choose_order, eliminate_in_turn, largest_table

CHAIN = ((0, 1), (1, 2))
CARDS = (2, 3, 4)


def test_a_variable_that_is_summed_out_takes_its_tables_with_it() -> None:
    assert eliminate_in_turn(CHAIN, (0,), CARDS) == [(2, 12), (1, 6)]
    assert choose_order(CHAIN, (0,), CARDS) == [2, 1]


def test_the_largest_table_is_one_on_the_way_or_the_one_that_is_kept() -> None:
    assert largest_table(CHAIN, (0,), CARDS) == 12
    assert largest_table(CHAIN, (0, 1, 2), CARDS) == 24
