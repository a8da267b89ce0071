"""What follows from records dies with them: no module of core keeps a cache of counts."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator
from decimal import Decimal
from functools import cache, cached_property, lru_cache
from types import ModuleType
from typing import Any, get_type_hints

import numpy as np
from numpy.typing import NDArray

import core
from core.bounding.bounding_error import NumberLaw
from core.bundle.csv_columns import DataTable, TableShape, Wording
from core.city.noise_kind import NoiseKind
from core.grouping.plan_cache import PlanCache
from core.quantity import Quantity
from core.statistics.base import Question
from core.statistics.cdf_tree import LevelTree
from core.subject import Subject

PLAIN = {int, float, str, bool, type, Decimal, tuple[float, ...], tuple[str, ...], Callable[[str], str]}
"""Parameters of functions whose results a module may keep: settings, and figures that stand in them."""
SETTINGS = {LevelTree, NoiseKind, NumberLaw, Question[Any], Wording, Quantity, Subject, TableShape, DataTable}
"""The same, of several fields: no field of theirs is an array or a cache."""


def modules() -> list[ModuleType]:
    found = pkgutil.walk_packages(core.__path__, "core.")
    return [importlib.import_module(info.name) for info in found]


def kept_by(module: ModuleType) -> Iterator[str]:
    """Names of what a module, or a class in it, keeps of whatever it is given."""
    spaces = [module, *(item for item in vars(module).values() if isinstance(item, type))]
    for space in spaces:
        if isinstance(space, type) and space.__module__ != module.__name__:
            continue
        for name, item in vars(space).items():
            if isinstance(item, PlanCache) or (hasattr(item, "cache_info") and not takes_settings(item)):
                yield f"{module.__name__}.{name}"
            if isinstance(item, dict | list | tuple | set) and holds_keeper(item):
                yield f"{module.__name__}.{name}"


def holds_keeper(items: Any) -> bool:
    return any(isinstance(item, PlanCache) for item in (items.values() if isinstance(items, dict) else items))


def takes_settings(function: Any) -> bool:
    """Every parameter of a cached function is of a plain type."""
    hints = get_type_hints(function.__wrapped__)
    hints.pop("return", None)
    return all(hint in PLAIN or hint in SETTINGS for hint in hints.values())


def test_no_module_keeps_counts() -> None:
    assert [name for module in modules() for name in kept_by(module)] == []


@cache
def of_counts(counts: NDArray[np.int64]) -> int:
    return int(counts.sum())


@lru_cache(maxsize=8)
def of_bytes(counts: bytes, epsilon: float) -> float:
    return len(counts) * epsilon


@cache
def of_settings(bins: int, kind: str) -> str:
    return kind * bins


class Keeper:
    retained = PlanCache()

    @cached_property
    def own(self) -> int:
        """Lives in the instance, and dies with it."""
        return 1


def test_what_keeps_counts_would_be_found() -> None:
    module = ModuleType(__name__)
    for item in (of_counts, of_bytes, of_settings, Keeper):
        setattr(module, item.__name__, item)
    module._RECENT = PlanCache()  # type: ignore[attr-defined]
    module._ALL = {"arrays": PlanCache()}  # type: ignore[attr-defined]
    assert sorted(name.rpartition(".")[2] for name in kept_by(module)) == [
        "_ALL",
        "_RECENT",
        "of_bytes",
        "of_counts",
        "retained",
    ]


def test_a_default_argument_is_no_cache_of_all_calls() -> None:
    """`cache: PlanCache = PlanCache()` would be made once, for the whole life of the program."""
    for module in modules():
        for item in vars(module).values():
            for function in (item, *(vars(item).values() if isinstance(item, type) else ())):
                given = (*(getattr(function, "__defaults__", None) or ()),)
                named = getattr(function, "__kwdefaults__", None) or {}
                assert not holds_keeper([*given, *named.values()]), (module.__name__, function)
