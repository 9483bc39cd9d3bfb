"""What comes next is fetched by a thread of its own while what is there is worked on.

>>> with Prefetcher(iter([3, 4, 5]), size=lambda item: 1, room=2) as items:
...     list(items)
[3, 4, 5]
"""

from collections import deque
from collections.abc import Callable, Iterator
from threading import Condition, Thread
from typing import Generic, Self, TypeVar

Item = TypeVar("Item")


class Prefetcher(Generic[Item]):
    """Items in their order. Those that wait take no more than `room` by their `size`, and one more.

    Fetching begins at once, and ends with the `with` statement; an error waits for its turn among the items.
    """

    def __init__(self, items: Iterator[Item], size: Callable[[Item], int], room: int) -> None:
        self._source, self._size, self._room = items, size, room
        self._waiting: deque[Item] = deque()
        self._taken = 0
        self._error: BaseException | None = None
        self._ended = self._closed = False
        self._changed = Condition()
        self._thread = Thread(target=self._fetch, name="bayesfold-ahead", daemon=True)
        self._thread.start()

    def _fetch(self) -> None:
        try:
            for item in self._source:
                with self._changed:
                    self._waiting.append(item)
                    self._taken += self._size(item)
                    self._changed.notify_all()
                    self._changed.wait_for(lambda: self._closed or self._taken <= self._room)
                    if self._closed:
                        return
        except BaseException as error:  # noqa: BLE001 - it is raised where the items are used
            self._error = error
        finally:
            with self._changed:
                self._ended = True
                self._changed.notify_all()

    def __iter__(self) -> Iterator[Item]:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: bool(self._waiting) or self._ended)
                if not self._waiting:
                    break
                item = self._waiting.popleft()
                self._taken -= self._size(item)
                self._changed.notify_all()
            yield item
        if self._error is not None:
            raise self._error

    def close(self) -> None:
        """Fetch no more, and forget what waits."""
        with self._changed:
            self._closed = True
            self._waiting.clear()
            self._changed.notify_all()
        self._thread.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
