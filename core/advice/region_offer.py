"""Which regions totals of relation `user` buy for a promised error, by public counts alone (method 12.9)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from core.accounting.epsilon_rounding import plain
from core.advice.enforced_choice import ListedCounts
from core.bounding.bounding_error import enforced_error
from core.bounding.enforced_regions import plan_enforced_regions
from core.bounding.plan_and_enforce import EnforcedNoise
from core.city.noise_kind import NoiseKind
from core.city.region_choice import no_region_keeps
from core.errors import InputError
from core.planning.constant_choice import spend_of
from core.progress import Progress, part, silent


@dataclass(frozen=True, slots=True, kw_only=True)
class RegionOffer:
    """A total, and the regions that it buys."""

    total: Decimal
    """Epsilon of one protected unit."""
    noise: NoiseKind
    regions: int
    record_share: float
    """Of the records that public counts expect."""
    largest_error: float
    """What a region's number misses on average at most if these are right, in the value's unit."""

    def to_json(self) -> dict[str, Any]:
        """As `hexveil plan --help` explains it."""
        return {
            "total": plain(self.total),
            "noise": self.noise.value,
            "regions": self.regions,
            "record_share": self.record_share,
            "kept_error": self.largest_error,
        }


def offered_regions(
    listed: ListedCounts,
    noises: Sequence[NoiseKind],
    totals: Sequence[Decimal],
    promised_error: float,
    *,
    delta: Decimal = Decimal(0),
    progress: Progress = silent,
) -> tuple[RegionOffer, ...]:
    """Of each total that buys any. Raises InputError where none does, and what `progress` raises."""
    pairs, found = listed.public.pairs(), []
    for number, total in enumerate(totals):
        part_progress = part(progress, number / len(totals), (number + 1) / len(totals))
        laws = _bought(listed, total, noises, delta)
        hats = listed.candidates
        plan = plan_enforced_regions(pairs, hats, hats, laws, promised_error, part_progress)
        if plan is not None and plan.regions is not None:
            found.append(
                RegionOffer(
                    total=total,
                    noise=plan.noise,
                    regions=len(plan.regions.listed),
                    record_share=plan.regions.record_share,
                    largest_error=float(enforced_error(plan).max()),
                )
            )
    if not found:
        raise no_region_keeps(promised_error, max(totals))
    return tuple(found)


def _bought(
    listed: ListedCounts, total: Decimal, noises: Sequence[NoiseKind], delta: Decimal
) -> list[EnforcedNoise]:
    """The kinds of noise that a total buys."""
    found = []
    for noise in noises:
        try:
            spend = spend_of(total, noise, delta)
        except InputError:
            continue
        found.append(EnforcedNoise.of(listed.upper_bound, noise, spend, listed.share))
    return found
