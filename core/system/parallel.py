"""Work on many items in a few threads: bounded memory, results in order, progress and cancel in between."""

from __future__ import annotations

import itertools
import os
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from typing import TypeVar, cast

from core.progress import Progress

Item = TypeVar("Item")
Result = TypeVar("Result")
_END = object()

THREADS = min(os.cpu_count() or 1, 4)
"""Arrow and numpy let go of the interpreter while they work; more threads do not help, as one feeds them."""


def cut(first: int, last: int, most: int) -> list[slice]:
    """The range [first, last) as consecutive slices of at most `most` each."""
    return [slice(begin, min(begin + most, last)) for begin in range(first, last, most)]


def each(
    work: Callable[[Item], Result], items: Sequence[Item], progress: Progress, text: str
) -> Iterator[Result]:
    """The results of `work` in the order of the items, computed by threads a few items ahead.

    `progress` is called before each result and may raise `Cancelled`; then, or when `work` raises, no
    further item is begun. With one core, or one item, no thread is started.
    """
    several = min(THREADS, len(items)) > 1
    with closing(in_turn(items, work, ahead=2 * THREADS) if several else _one_by_one(items, work)) as found:
        for number in range(len(items)):
            progress(number / len(items), text)
            yield next(found)


def _one_by_one(items: Iterable[Item], work: Callable[[Item], Result]) -> Generator[Result, None, None]:
    yield from map(work, items)


def in_turn(
    items: Iterable[Item],
    work: Callable[[Item], Result],
    *,
    threads: int | None = None,
    ahead: int | None = None,
) -> Generator[Result, None, None]:
    """The results of `work`, in the order of `items`.

    Items are taken in the caller's thread, and at most `ahead` of them are under work or waiting, so
    that memory stays bounded. What a piece of work raises is raised in its turn. Closing the
    generator drops what has not begun and waits for what has. One item alone starts no thread.
    """
    iterator = iter(items)
    first = list(itertools.islice(iterator, 2))
    if len(first) < 2:
        yield from map(work, first)
        return
    workers = THREADS if threads is None else threads
    most = workers + 1 if ahead is None else ahead
    waiting: deque[Future[Result]] = deque()
    with ThreadPoolExecutor(workers) as pool:
        try:
            for item in itertools.chain(_each_once(first), iterator):
                waiting.append(pool.submit(work, item))
                del item  # this frame must not keep what the worker has finished with
                while len(waiting) >= most or (waiting and waiting[0].done()):
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()


def _each_once(items: list[Item]) -> Iterator[Item]:
    """In their order; the list lets go of what was given."""
    items.reverse()
    while items:
        yield items.pop()


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
