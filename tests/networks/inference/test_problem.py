"""A network in numbers: what lies where, parents before children, and what is refused."""

from math import inf

import numpy as np
import pytest

from bayesfold.networks.inference.contradiction import find_contradiction
from bayesfold.networks.inference.problem import ContradictoryEvidence, InferenceProblem, TooLarge, offsets_of

# 2 -> 0 <- 3, 0 -> 1, and 4 alone; of 2, 3, 4, 1 and 2 states
CARDS, PARENTS = (2, 3, 4, 1, 2), ((2, 3), (0,), (), (), ())


def tables():
    draw = np.random.default_rng(0)
    shapes = [tuple(CARDS[p] for p in (*parents, v)) for v, parents in enumerate(PARENTS)]
    return tuple(draw.dirichlet(np.ones(shape[-1]), shape[:-1]) for shape in shapes)


def test_families_lie_one_after_another() -> None:
    problem = InferenceProblem(CARDS, PARENTS, tables())
    assert problem.families == ((2, 3, 0), (0, 1), (2,), (3,), (4,))
    assert problem.card.tolist() == [2, 3, 4, 1, 2]
    assert problem.states.tolist() == [0, 2, 5, 9, 10, 12]
    assert problem.starts.tolist() == [0, 3, 5, 6, 7, 8]
    assert problem.members.tolist() == [2, 3, 0, 0, 1, 2, 3, 4]
    assert problem.strides.tolist() == [2, 2, 1, 3, 1, 1, 1, 1]
    assert problem.begins.tolist() == [0, 8, 14, 18, 19]
    assert [part.tolist() for part in problem.children] == [[0, 1, 1, 2, 3, 3], [1, 0, 0]]
    assert problem.order.tolist() == [2, 3, 4, 0, 1], "parents first, those above nothing in their order"
    whole = tables()
    for v, begin in enumerate(problem.begins):
        assert problem.values[begin : begin + whole[v].size].tolist() == whole[v].ravel().tolist()
    assert repr(problem) == "InferenceProblem(5 variables, 21 table entries)"
    nothing = InferenceProblem((), (), ())
    assert (nothing.values.tolist(), nothing.states.tolist(), nothing.order.tolist()) == ([], [0], [])
    assert offsets_of([]).tolist() == [0]


def test_density_is_the_share_of_what_is_not_zero() -> None:
    table = np.array([[0.5, 0.5, 0.0], [1.0, 0.0, 0.0]])
    problem = InferenceProblem((2, 3), ((), (0,)), (np.array([0.0, 1.0]), table))
    assert problem.density.tolist() == [0.5, 0.5, 1.0, 1.0]


def test_what_is_no_network_is_refused() -> None:
    one, two = np.ones(1), np.full((1, 2), 0.5)
    for cards, parents, given in (((1,), ((), ()), (one,)), ((1,), ((),), ()), ((1, 1), ((),), (one,))):
        with pytest.raises(ValueError, match="cards, parents and tables must be equally many"):
            InferenceProblem(cards, parents, given)
    with pytest.raises(ValueError, match=r"the table of variable 1 has the shape \(1, 2\) instead of \(1, 3\)"):
        InferenceProblem((1, 3), ((), (0,)), (one, two))
    for bad in (np.nan, inf, -0.1):
        with pytest.raises(ValueError, match="the table of variable 1 has an entry that is negative or not finite"):
            InferenceProblem((1, 2), ((), (0,)), (one, np.array([[0.5, bad]])))
    InferenceProblem((1, 2), ((), (0,)), (one, np.array([[1.0, 0.0]])))


def test_errors_say_where_and_how_much() -> None:
    assert str(ContradictoryEvidence()) == "the evidence has probability zero"
    said = ContradictoryEvidence(0, [3, 1])
    assert str(said) == "row 0 has probability zero: variables 3, 1 contradict each other"
    assert (said.row, said.variables) == (0, (3, 1))
    assert str(TooLarge(1e300, 8.0)).startswith(
        "this query needs tables of 1e+300 bytes, above the limit of 8: observe"
    )
    assert "of more than 1e+308 bytes, above" in str(TooLarge(inf, 8.0))
    assert TooLarge(64.0, 8.0).size == 64.0


@pytest.mark.parametrize("many", [1, 2, 3, 7, 8, 9])
def test_a_contradiction_is_found_with_every_member_and_no_other(many) -> None:
    everything = dict.fromkeys(range(many), 0)
    for a in range(many):
        for b in range(a, many):
            asked = []

            def possible(evidence, guilty=frozenset((a, b)), asked=asked):
                asked.append(len(evidence))
                return not guilty <= set(evidence)

            assert find_contradiction(possible, everything) == tuple(sorted({a, b}))
            assert len(asked) <= 4 * many + 4
    assert find_contradiction(lambda evidence: False, everything) == (), "a network that cannot be is nobody's fault"


def test_observations_stay_where_it_would_take_too_much_to_tell() -> None:
    def possible(evidence):
        if len(evidence) < 3:
            raise TooLarge(1.0, 0.0)
        return 0 not in evidence

    assert find_contradiction(possible, dict.fromkeys(range(4), 0)) == (0, 2, 3)
