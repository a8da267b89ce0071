"""Of a product of parameters the suite runs a sample that has every value of each; `make audit` has the rest.

A test or a file that is marked `whole` runs its product in the suite.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import chain

import pytest

Choice = tuple[object, ...]
"""The values of one `parametrize` in one item, each named by its place in memory."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: Sequence[pytest.Item]) -> None:
    """Before those that are marked `audit` are left out."""
    products: dict[tuple[object, str], list[pytest.Item]] = defaultdict(list)
    for item in items:
        if isinstance(item, pytest.Function) and hasattr(item, "callspec"):
            products[item.parent, item.originalname].append(item)
    for product in products.values():
        if len(product) > 1 and product[0].get_closest_marker("whole") is None:
            chosen = covering([_choices(item) for item in product])
            for number in set(range(len(product))) - chosen:
                product[number].add_marker(pytest.mark.audit)


def covering(rows: Sequence[Sequence[Choice]]) -> set[int]:
    """Numbers of rows that together have whatever is in any; all of them where a row has one choice.

    rows: of equal length. The first row that has the most that is missing comes next, so that the same rows
    always give the same numbers.
    """
    if len(rows[0]) < 2:
        return set(range(len(rows)))
    missing = {(axis, choice) for row in rows for axis, choice in enumerate(row)}
    found = set[int]()
    while missing:
        best = max(range(len(rows)), key=lambda number: len(missing.intersection(enumerate(rows[number]))))
        missing.difference_update(enumerate(rows[best]))
        found.add(best)
    return found


def _choices(item: pytest.Function) -> list[Choice]:
    """One for each `parametrize`, and for each fixture with parameters."""
    params = item.callspec.params
    marked = [_names(mark.args[0]) for mark in item.iter_markers("parametrize")]
    alone = ((name,) for name in params.keys() - set(chain.from_iterable(marked)))
    return [tuple(id(params.get(name)) for name in names) for names in chain(marked, sorted(alone))]


def _names(written: str | Iterable[str]) -> tuple[str, ...]:
    return tuple(name.strip() for name in written.split(",")) if isinstance(written, str) else tuple(written)
