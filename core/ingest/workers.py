"""Work on many items in a few threads, with the results in the order of the items."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar, cast

Item = TypeVar("Item")
Result = TypeVar("Result")
_END = object()

THREADS = min(os.cpu_count() or 1, 4)
"""More do not help: one thread feeds them all."""


def read_ahead(items: Iterable[Item], *, ahead: int = 2) -> Generator[Item, None, None]:
    """The items in their order, taken in one other thread, at most `ahead` of them in advance.

    For items that are read: reading then goes on while the caller works on earlier ones. What taking
    an item raises is raised in its turn. Closing the generator waits for the item that is being taken.
    """
    iterator = iter(items)
    with ThreadPoolExecutor(1) as pool:
        waiting = deque(pool.submit(next, iterator, _END) for _ in range(ahead))
        try:
            while (item := waiting.popleft().result()) is not _END:
                waiting.append(pool.submit(next, iterator, _END))
                yield cast(Item, item)
                del item  # this frame must not keep what the caller has finished with
        finally:
            for future in waiting:
                future.cancel()


def in_turn(
    items: Iterable[Item],
    work: Callable[[Item], Result],
    *,
    threads: int = THREADS,
    ahead: int | None = None,
) -> Generator[Result, None, None]:
    """The results of `work`, in the order of `items`.

    Items are taken in the caller's thread, and at most `ahead` of them are under work or waiting, so
    that memory stays bounded. What a piece of work raises is raised in its turn. Closing the
    generator drops what has not begun and waits for what has.
    """
    most = threads + 1 if ahead is None else ahead
    waiting: deque[Future[Result]] = deque()
    with ThreadPoolExecutor(threads) as pool:
        try:
            for item in items:
                waiting.append(pool.submit(work, item))
                del item  # this frame must not keep what the worker has finished with
                while len(waiting) >= most or (waiting and waiting[0].done()):
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()
