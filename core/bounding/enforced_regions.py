"""Regions of relation `user`: tokens that rounding takes, a promise that says nothing (method 12.5).

What is promised is the noise at the public counts. A region's records have one price; a vehicle pays for its
own records in the region's cells and hours, and must fit its budget like everywhere (`enforcement`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from core.arrays import Ints
from core.bounding.bounding_error import weight_for_error
from core.bounding.candidates import CandidateHats
from core.bounding.column_sums import column_sums
from core.bounding.enforcement import FINE_RECORD
from core.bounding.plan_and_enforce import EnforcedNoise, EnforcedPlan, public_tokens, wide
from core.city.city_pairs import CityPairs
from core.city.region_choice import choose_regions
from core.city.region_search import Promise
from core.city.regions import Region, Regions
from core.errors import InputError
from core.fixed_point import THOUSAND
from core.mechanisms.public_model import scaled
from core.mechanisms.tokens import SAFE, TOKENS
from core.progress import Progress, silent

_ROUNDED_OFF = 2
"""Tokens of a unit in a region that rounding may take: of its records, and of their price."""
_SAFE = 1.0 + 1e-9
"""What prices of regions are stretched by: more than floats are off by."""


def plan_enforced_regions(
    public: CityPairs,
    listed: CandidateHats,
    candidates: CandidateHats,
    laws: Sequence[EnforcedNoise],
    promised_error: float,
    progress: Progress = silent,
) -> EnforcedPlan | None:
    """The regions that leave least unsaid with one of these kinds of noise; None where none keeps a promise.

    public: counts of the listed HATs, never of the data that are protected; candidates: all of them. A region
    holds every candidate of its cells in its hours. Raises InputError for a promise that tells nothing.
    """
    promises = [_promise(law, public, promised_error) for law in laws]
    found = choose_regions(public, listed.cell, listed.slot, listed.window, promises, progress)
    if found is None:
        return None
    law = laws[promises.index(found.promise)]
    inside = public.grouped(found.of_hat)
    records = inside.by_hat(inside.records)
    of_record = found.promise.tokens_of_box * _left_over(found.promise, inside) / records
    prices = np.floor(of_record * (1 << FINE_RECORD)).clip(1.0).astype(np.int64)
    caps: Ints = np.maximum.reduceat(inside.records, inside.starts)
    of_hat = hats_of_regions(found.listed, candidates)
    return EnforcedPlan(
        parts=law.parts,
        noise=law.noise,
        spend=law.spend,
        upper_bound=law.upper_bound,
        grid=law.grid,
        candidates=candidates.only(of_hat >= 0),
        caps=caps,
        prices=prices,
        gap=None,
        expected=column_sums(
            wide(inside.hat), public_tokens(inside, caps, prices, law.noise), len(found.listed)
        ),
        load=1,
        regions=Regions(
            listed=found.listed,
            of_hat=of_hat,
            promised_error=promised_error,
            record_share=float(records.sum() / public.records.sum()),
            spreads=found.spreads * scaled(1.0, law.upper_bound / THOUSAND),
        ),
    )


def hats_of_regions(regions: Sequence[Region], candidates: CandidateHats) -> Ints:
    """Candidate -> the place of its region, -1 where it is in none; shape (G,)."""
    of_hat = np.full(len(candidates), -1)
    for number, region in enumerate(regions):
        cells, slots = np.array(region.cells, np.uint64), np.array(region.slots, np.int16)
        columns = candidates.columns_at(np.repeat(cells, slots.size), np.tile(slots, cells.size))
        of_hat[columns] = number
    return of_hat


def _left_over(promise: Promise, inside: CityPairs) -> float:
    """How many times as much the busiest public unit could pay: the total is charged in any case."""
    tokens = promise.tokens_of_box * inside.shares
    paid = float(inside.by_vehicle(tokens**2 if promise.noise.squared else tokens).max())
    return max(SAFE * TOKENS / (math.sqrt(paid) if promise.noise.squared else paid), 1.0)


def _promise(law: EnforcedNoise, public: CityPairs, promised_error: float) -> Promise:
    """As many tokens as the promise takes, and what rounding may take of them."""
    weight = weight_for_error(law, promised_error)
    if weight is None:
        raise InputError(
            "A promise of {promised_error} holds even without records, so it says nothing.",
            promised_error=f"{promised_error:g}",
            where="query.parameters, promised_error",
            mend="promise a smaller error",
        )
    rounded = _ROUNDED_OFF * public.vehicles + float(public.records.sum()) / (1 << FINE_RECORD)
    return Promise(noise=law.noise, tokens_of_box=weight * _SAFE + rounded, minimum_vehicles=1)
