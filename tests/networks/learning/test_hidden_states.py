"""Which numbers of states are tried, and what of the rows judges them."""

import numpy as np
import pytest

from bayesfold.networks.dag import Dag
from bayesfold.networks.learning import hidden_states
from bayesfold.networks.learning.em import EM
from bayesfold.networks.learning.hidden_states import choose_states, first_states, list_options, refuse_options
from bayesfold.networks.learning.parameters import Estimate

DAG = Dag(("h", "g", "a"), ((), (), (0, 1)))
A = {"a": ("x", "y")}


def test_every_combination_of_numbers_is_tried():
    how = EM(states={"h": [1, 3], "g": range(2, 4)})
    assert [numbers for numbers, _ in list_options(how)] == [(1, 2), (1, 3), (3, 2), (3, 3)]
    assert dict(list_options(how))[3, 2] == {"h": ("1", "2", "3"), "g": ("1", "2")}
    assert first_states(how) == {"h": ("1",), "g": ("1", "2")}


def test_numbers_of_states_are_at_least_one():
    refuse_options(DAG, A, EM(states={"h": [1]}))
    for wrong in ([], [0, 2], [-1]):
        with pytest.raises(ValueError, match=r"a variable has at least 1 state: EM\(states=\{'h': range\(2, 7\)\}\)"):
            refuse_options(DAG, A, EM(states={"h": wrong}))


def choose(codes, weight=None, numbers=(1, 2), **how):
    codes = np.column_stack([np.full((len(codes), 2), -1), codes]).astype(np.int32)
    weight = np.ones(len(codes)) if weight is None else np.array(weight, float)
    options = EM(states={"h": list(numbers), "g": [1]}, restarts=1, iterations=3, **how)
    return choose_states(DAG, A, codes, weight, Estimate("lambda", 1.0), options)


@pytest.mark.parametrize("rows", [2, 4, 5, 6, 13])
def test_each_row_is_judged_once_by_tables_of_the_others(rows):
    codes = np.arange(rows) % 3 // 2
    chosen, judged = choose(codes, numbers=(1,))
    assert chosen == {"h": ("1",), "g": ("1",)}
    folds = min(5, rows)
    fold = np.random.default_rng(0).permutation(rows) % folds
    total = 0.0
    for k in range(folds):
        others = codes[fold != k]
        share = (np.bincount(others, minlength=2) + 1) / (len(others) + 2)
        total += np.log(share[codes[fold == k]]).sum()
    assert judged == {(1, 1): pytest.approx(total / rows)}


def test_rows_are_judged_by_their_weights():
    codes, weight = np.array([0, 1, 0, 1]), np.array([1.0, 2.0, 4.0, 8.0])
    _, judged = choose(codes, weight, numbers=(1,))
    fold, total = np.random.default_rng(0).permutation(4), 0.0
    for k in range(4):
        out = fold == k
        share = (np.bincount(codes[~out], weight[~out], 2) + 1) / (weight[~out].sum() + 2)
        total += weight[out] @ np.log(share[codes[out]])
    assert judged[1, 1] == pytest.approx(total / 15)


def test_too_few_rows_and_columns_that_are_there_are_refused():
    with pytest.raises(ValueError, match="the number of states of 'h', 'g' needs rows to hold out: there are too few"):
        choose(np.array([0]))
    choose(np.array([0, 1]))
    codes = np.array([[-1, 0, 0], [-1, -1, 1]], np.int32)
    with pytest.raises(ValueError, match="'g' has a column, so its states are what that shows"):
        choose_states(DAG, A, codes, np.ones(2), Estimate("mle"), EM(states={"h": [2], "g": [2]}))


def test_the_best_number_is_the_one_of_the_highest_score_and_of_equals_the_first(monkeypatch):
    scores = iter([-3.0, -1.0, -2.0])

    class Tree:
        def expect(self, tables, codes, weight):
            return None, np.array([self.score])

        @classmethod
        def of(cls, cards, parents):
            tree = cls()
            tree.score = next(scores)
            return tree

    monkeypatch.setattr(hidden_states, "CliqueTree", Tree)
    monkeypatch.setattr(hidden_states, "run_em", lambda *given: (dict.fromkeys("hga"), None))
    heard = []
    chosen, judged = choose(np.array([0, 1]), numbers=(4, 2, 3), watch=heard.append)
    assert (list(judged.values()), chosen["h"]) == ([-3.0, -1.0, -2.0], ("1", "2"))
    scores = iter([-1.0, -1.0])
    assert len(choose(np.array([0, 1]), numbers=(3, 2))[0]["h"]) == 3
    assert not heard, "what is watched is the last run, not those of folds"
