"""What several threads let one object learn at once is all learned."""

import copy
import pickle
from threading import Thread

import numpy as np
import pytest

import bayesfold as bf
from bayesfold.runtime.one_writer import LOCKS, begin_anew, lock_of, one_writer

X = np.column_stack([np.arange(40) % 4, np.arange(40) * 7 % 5])
Y = np.array(["p", "q", "q", "p", "q"] * 8)
THREADS, TIMES = 4, 25


def at_once(work):
    """Let threads do the same."""
    threads = [Thread(target=work) for _ in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


@pytest.mark.parametrize("kind", [bf.NaiveBayes, bf.AODE, bf.GaussianNB, bf.CategoricalNB, bf.NetworkClassifier])
def test_rows_learned_and_forgotten_at_once_are_all_counted(kind):
    model = kind().fit(X, Y)
    before = model.predict_proba(X)

    def learn():
        for i in range(TIMES):
            model.partial_fit(X[i : i + 1], Y[i : i + 1])

    def forget():
        for i in range(TIMES):
            model.forget(X[i : i + 1], Y[i : i + 1])

    at_once(learn)
    at_once(forget)
    np.testing.assert_allclose(model.predict_proba(X), before, atol=1e-9)


def test_dicts_learned_at_once_are_all_counted():
    model = bf.NaiveBayes().fit({"a": X[:, 0], "b": X[:, 1]}, Y)

    def learn():
        for i in range(TIMES):
            model.partial_fit({"a": int(X[i, 0]), "b": int(X[i, 1])}, Y[i])

    at_once(learn)
    assert model.model_.class_counts().sum() == len(Y) + THREADS * TIMES


def test_locks_are_not_in_what_is_copied():
    model = bf.NaiveBayes().fit(X, Y).partial_fit(X, Y)
    assert lock_of(model) is lock_of(model)
    for other in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model), copy.copy(model)):
        assert lock_of(other) is not lock_of(model)


def test_a_change_may_call_another_and_a_child_begins_anew():
    class Thing:
        @one_writer
        def outer(self):
            return self.inner() + 1

        @one_writer
        def inner(self):
            """What it does."""
            return 1

    thing = Thing()
    assert thing.outer() == 2
    assert Thing.inner.__doc__ == "What it does."
    begin_anew()
    assert id(thing) not in LOCKS
    assert thing.outer() == 2
    key = id(thing)
    assert key in LOCKS
    del thing
    assert key not in LOCKS
