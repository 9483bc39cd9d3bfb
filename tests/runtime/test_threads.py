"""One pool of threads, answers in order, errors passed on, and none of it across a fork."""

import multiprocessing
import os
import signal
import threading

import numpy as np
import pytest
from threadpoolctl import ThreadpoolController

from bayesfold.runtime import threads


@pytest.fixture(autouse=True)
def _fresh_pool():
    threads._pools.clear()
    yield
    threads._pools.clear()


@pytest.mark.parametrize("number", [1, 4])
@pytest.mark.parametrize(
    ("rows", "step", "expected"), [(10, 4, [(0, 4), (4, 8), (8, 10)]), (4, 4, [(0, 4)]), (0, 4, [(0, 0)])]
)
def test_pieces_come_back_in_order(monkeypatch, number, rows, step, expected):
    monkeypatch.setattr(threads, "workers", lambda: number)
    assert threads.spread(lambda begin, end: (begin, end), rows, step) == expected


def test_an_error_in_a_thread_is_raised(monkeypatch):
    monkeypatch.setattr(threads, "workers", lambda: 4)

    def work(begin, end):
        if begin == 8:
            raise ValueError("row 8")
        return begin

    with pytest.raises(ValueError, match="row 8"):
        threads.spread(work, 100, 4)


def test_one_piece_does_not_wake_the_pool(monkeypatch):
    monkeypatch.setattr(threads, "workers", lambda: 4)
    assert threads.each(lambda item: threading.current_thread().name, ["one"]) == [threading.current_thread().name]
    assert not threads._pools


def test_several_pieces_are_shared_between_who_asks_and_the_pool(monkeypatch):
    monkeypatch.setattr(threads, "workers", lambda: 2)
    both = threading.Barrier(2, timeout=60)  # no thread goes on before the other has begun
    names = threads.each(lambda item: both.wait() * 0 or threading.current_thread().name, range(2))
    assert threading.current_thread().name in names
    assert sum(name.startswith("bayesfold") for name in names) == 1


def test_who_has_asked_once_has_the_pool_again_also_after_an_error(monkeypatch):
    monkeypatch.setattr(threads, "workers", lambda: 2)

    def refuse(item):
        raise ValueError(item)

    with pytest.raises(ValueError, match="0"):
        threads.each(refuse, range(2))
    for _ in range(2):
        both = threading.Barrier(2, timeout=60)
        assert sorted(threads.each(lambda item, both=both: both.wait(), range(2))) == [0, 1]


def test_of_several_errors_the_first_piece_is_told(monkeypatch):
    monkeypatch.setattr(threads, "workers", lambda: 2)
    both = threading.Barrier(2, timeout=60)
    done = []

    def work(item):
        if item < 2:
            both.wait()
            raise ValueError(f"piece {item}")
        done.append(item)

    with pytest.raises(ValueError, match="piece 0"):
        threads.shared(work, range(100))
    assert not done
    assert threads.each(str, range(3)) == ["0", "1", "2"]


def test_a_busy_pool_keeps_nobody_waiting(monkeypatch):
    """Who asks does the work alone where no thread is free."""
    monkeypatch.setattr(threads, "workers", lambda: 2)
    free = threading.Event()
    busy = [threads.pool().submit(free.wait, 60) for _ in range(2)]
    assert set(threads.each(lambda item: threading.current_thread().name, range(8))) == {
        threading.current_thread().name
    }
    free.set()
    assert all(task.result() for task in busy)


def test_work_within_a_thread_of_the_pool_stays_there(monkeypatch):
    """Each thread would wait for the others, and they for it."""
    monkeypatch.setattr(threads, "workers", lambda: 2)

    def name(item):
        return threading.current_thread().name

    for outer, inner in threads.each(lambda item: (name(item), threads.each(name, range(8))), range(8)):
        assert set(inner) == {outer}
    both = threading.Barrier(2, timeout=60)
    assert len(set(threads.each(lambda item: both.wait() * 0 or name(item), range(2)))) == 2  # and then it shares again


def spread_in_child(queue):
    threads.workers = lambda: 2
    queue.put(threads.spread(lambda begin, end: end - begin, 10, 4))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
@pytest.mark.filterwarnings("ignore:This process.*is multi-threaded:DeprecationWarning")
def test_a_forked_child_makes_a_pool_of_its_own(monkeypatch):
    monkeypatch.setattr(threads, "workers", lambda: 2)
    threads.spread(lambda begin, end: None, 10, 4)
    forked = multiprocessing.get_context("fork")
    queue = forked.Queue()
    child = forked.Process(target=spread_in_child, args=(queue,))
    child.start()
    assert queue.get(timeout=60) == [4, 4, 2]
    child.join(timeout=60)
    assert child.exitcode == 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_child_forked_while_others_work_is_free_to_work():
    """The lock may be held, and the pool's threads are gone: a child must not wait for either."""
    threads.one_at_a_time.__enter__()
    threads.one_at_a_time._lock.acquire()
    try:
        threads.each(lambda i: i, range(8))
        child = os.fork()
        if child == 0:  # pytest must not go on in the child
            signal.alarm(20)
            with threads.one_at_a_time:
                right = threads.each(lambda i: 2 * i, range(8)) == [*range(0, 16, 2)]
            os._exit(0 if right else 1)
    finally:
        threads.one_at_a_time._lock.release()
        threads.one_at_a_time.__exit__()
    assert os.waitpid(child, 0)[1] == 0


def test_matrix_products_have_as_many_threads_afterwards_as_before():
    assert (np.eye(2) @ np.eye(2)).sum() == 2.0  # BLAS is loaded
    blas, alone = ThreadpoolController().select(user_api="blas"), threads.OneAtATime()

    def now():
        return [library.num_threads for library in blas.lib_controllers]

    with blas.limit(limits=2):
        assert {*now()} == {2}
        with alone:
            assert {*now()} == {1}
            with alone:
                pass
            assert {*now()} == {1}
        assert {*now()} == {2}
