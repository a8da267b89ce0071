"""The classes of a release's means on the map: the same in every slot, where its numbers lie."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from core.bundle.release_result import Release
from core.fixed_point import THOUSAND
from core.release.value_query import smoothed_name, value_query
from ui.map.legend_classes import ClassScale, mean_classes, released_classes

_KEPT = 4


@dataclass(frozen=True, slots=True, eq=False)
class _Same:
    """A release as a key: no other is the same, and none is compared number by number."""

    release: Release

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.release is other.release

    def __hash__(self) -> int:
        return id(self.release)


def released_scale(release: Release, *, smoothed: bool = False) -> ClassScale:
    """Of its means, or of the smoothed ones; worked out once for a release."""
    return _scale(_Same(release), smoothed=smoothed)


@lru_cache(maxsize=_KEPT)
def _scale(of: _Same, *, smoothed: bool) -> ClassScale:
    release, query = of.release, value_query(of.release)
    name = smoothed_name(release, query) if smoothed and query is not None else None
    rows = () if query is None else query.rows
    shown = (row.number(name) if name else row.first for row in rows)
    means = (item.value / THOUSAND for item in shown if item is not None and item.informative)
    return released_classes(means, mean_classes(release.quantity, release.upper_bound))
