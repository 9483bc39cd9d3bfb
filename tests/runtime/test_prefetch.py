"""Fetching ahead: every item once and in order, never too many at a time, and errors where they belong."""

import threading
import time

import pytest

from bayesfold.runtime.prefetch import Prefetcher


def counted(n, seen):
    for i in range(n):
        seen.append(i)
        yield i


def settled(seen):
    """How many were fetched when no more are."""
    while True:
        before = len(seen)
        time.sleep(0.05)
        if len(seen) == before:
            return before


def test_items_come_in_order_and_no_more_wait_than_there_is_room_for():
    seen = []
    with Prefetcher(counted(100, seen), lambda item: 10, 40) as items:
        assert settled(seen) == 5  # four fill the room, and one more stands in the door
        found = []
        for item in items:
            found.append(item)
            assert len(seen) <= len(found) + 6
    assert found == list(range(100))


def test_an_error_comes_behind_the_items_before_it():
    def broken():
        yield 1
        yield 2
        raise ValueError("the line is dead")

    with Prefetcher(broken(), lambda item: 1, 10) as items:
        some = iter(items)
        assert [next(some), next(some)] == [1, 2]
        with pytest.raises(ValueError, match="the line is dead"):
            next(some)


def test_who_leaves_early_leaves_no_thread_behind():
    threads, seen = threading.active_count(), []
    with Prefetcher(counted(10**9, seen), lambda item: 1, 3) as items:
        assert next(iter(items)) == 0
    assert threading.active_count() == threads
    assert len(seen) < 20


def test_what_waits_when_it_is_closed_is_forgotten():
    seen = []
    with Prefetcher(counted(10**9, seen), lambda item: 1, 3) as items:
        assert settled(seen) == 4
    assert list(items) == []
