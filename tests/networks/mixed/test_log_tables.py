"""The order in which variables are summed out of tables of logarithms, and how large tables become on the way."""

import numpy as np

from bayesfold.networks.mixed.log_tables import choose_order, eliminate_in_turn, join_tables, largest_table, sum_out

CHAIN = ((0, 1), (1, 2))
CARDS = (2, 3, 4)


def test_a_variable_that_is_summed_out_takes_its_tables_with_it() -> None:
    assert eliminate_in_turn(CHAIN, (0,), CARDS) == [(2, 12), (1, 6)]
    assert choose_order(CHAIN, (0,), CARDS) == [2, 1]


def test_the_largest_table_is_one_on_the_way_or_the_one_that_is_kept() -> None:
    assert largest_table(CHAIN, (0,), CARDS) == 12
    assert largest_table(CHAIN, (0, 1, 2), CARDS) == 24


def test_of_equal_tables_the_first_variable_goes_first_and_what_nobody_names_is_not_summed() -> None:
    assert eliminate_in_turn(((0, 1), (1, 2), (2, 3)), (), (2, 2, 2, 2)) == [(0, 4), (1, 4), (2, 4), (3, 2)]
    assert eliminate_in_turn(((0,),), (0,), (2, 5)) == []
    assert largest_table(((0,),), (0,), (2, 5)) == 2
    assert largest_table((), (), (2, 5)) == 1


def test_tables_of_rows_and_of_all_rows_are_summed_out_together() -> None:
    draw = np.random.default_rng(0)
    p, q, r = draw.random((1, 2, 3)), draw.random((5, 3, 4)), draw.random((5,))
    tables = [((0, 1), np.log(p)), ((1, 2), np.log(q)), ((), np.log(r))]
    whole = np.einsum("oab,rbc,r->rac", p, q, r)
    np.testing.assert_allclose(np.exp(sum_out(tables, (0, 2), CARDS)), whole)
    np.testing.assert_allclose(np.exp(sum_out(tables, (2, 0), CARDS)), np.swapaxes(whole, 1, 2))
    np.testing.assert_allclose(np.exp(sum_out(tables, (), CARDS)), whole.sum((1, 2)))
    np.testing.assert_allclose(np.exp(join_tables(tables[:2], (2, 1, 0))), np.einsum("oab,rbc->rcba", p, q))
    unnamed = sum_out([((0,), np.log(p[..., 0]))], (1, 0), CARDS)
    assert unnamed.shape == (1, 3, 2), "a variable of which nothing is said keeps its states"
    np.testing.assert_allclose(np.exp(unnamed), np.broadcast_to(p[..., 0], (1, 3, 2)))


def test_what_cannot_happen_has_a_log_of_minus_infinity() -> None:
    with np.errstate(divide="ignore"):
        never = np.log([[[0.0, 0.0, 0.0], [0.5, 0.25, 0.25]]])
    assert sum_out([((0, 1), never)], (0,), CARDS).tolist() == [[-np.inf, 0.0]]
