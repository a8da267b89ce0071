"""Work on long columns in blocks: bounded memory, all cores, progress and cancel in between (DESIGN 2)."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from typing import TypeVar

from core.progress import Progress

_WORKERS = min(4, os.cpu_count() or 1)
"""Threads: numpy lets go of the interpreter while it works on a block."""
_AHEAD = 2 * _WORKERS
"""Blocks that are asked for before their results are taken: bounds what waits in memory."""

Item = TypeVar("Item")
Result = TypeVar("Result")


def cut(first: int, last: int, most: int) -> list[slice]:
    """The range [first, last) as consecutive slices of at most `most` each."""
    return [slice(begin, min(begin + most, last)) for begin in range(first, last, most)]


def each(
    work: Callable[[Item], Result], items: Sequence[Item], progress: Progress, text: str
) -> Iterator[Result]:
    """The results of `work` in the order of the items, worked out by threads a few items ahead.

    `progress` is told before each result and may raise `Cancelled`; then, or when `work` raises, no
    further item is begun. With one core, or one item, no thread is started.
    """
    several = min(_WORKERS, len(items)) > 1
    with closing(_threaded(work, items) if several else _one_by_one(work, items)) as found:
        for number in range(len(items)):
            progress(number / len(items), text)
            yield next(found)


def _one_by_one(work: Callable[[Item], Result], items: Iterable[Item]) -> Generator[Result, None, None]:
    yield from map(work, items)


def _threaded(work: Callable[[Item], Result], items: Iterable[Item]) -> Generator[Result, None, None]:
    waiting: list[Future[Result]] = []
    rest = iter(items)
    with ThreadPoolExecutor(_WORKERS) as threads:
        try:
            waiting = [threads.submit(work, item) for item in itertools.islice(rest, _AHEAD)]
            while waiting:
                yield waiting.pop(0).result()
                waiting += [threads.submit(work, item) for item in itertools.islice(rest, 1)]
        finally:
            for future in waiting:
                future.cancel()
