"""How a release would look, from made-up values of one seed, by a ledger that is thrown away.

Nothing of the records' values is in it. In relation `values` numbers of records and visits are public and
stay as they are; in relation `user` all vehicles are made up, by public counts alone (method 14.6).
"""

from __future__ import annotations

import dataclasses
from decimal import Decimal

import numpy as np

from core.arrays import Ints
from core.bounding.plan_and_enforce import EnforcedPlan
from core.bounding.public_counts import PublicCounts
from core.bundle.public_constants import plans_of
from core.bundle.release_result import Release
from core.contributions import Contributions
from core.fixed_point import THOUSAND
from core.grouping.plan_cache import PlanCache
from core.mechanisms.public_model import (
    HAT_MEAN,
    HAT_MEAN_SPREAD,
    RECORD_SPREAD,
    VEHICLE_SPREAD,
    scaled,
)
from core.planning.from_constants import FromConstants
from core.privacy import Relation
from core.progress import Progress, part, silent
from core.release.draw import draw_release
from core.release.prepare_publish import plan_release
from core.release.rehearsal import thrown_away_ledger, unnamed
from core.spec import ReleaseSpec

_SEED = 25
"""Of a preview's made-up values, so that the same parameters have the same truth."""


def preview(
    spec: ReleaseSpec,
    contributions: Contributions,
    *,
    delta: Decimal,
    counts: PublicCounts | None = None,
    progress: Progress = silent,
    plan_cache: PlanCache | None = None,
) -> Release:
    """The public result of a release of made-up values; nothing is spent or written.

    contributions: of relation `values`; of them only counts are read. counts: of all candidates of relation
    `user`, where they are known. delta: that the population allows. Raises InputError where it cannot be
    planned, and what `progress` raises.
    """
    with thrown_away_ledger(spec.population, delta) as ledger:
        made_up = made_up_table(spec, contributions, delta=delta, counts=counts)
        ahead = part(progress, 0.0, 0.9)
        prepared = plan_release(spec, ledger, made_up, None, ahead, plan_cache)
        progress(0.9, "Drawing made-up numbers")
        return draw_release(prepared, ledger)


def made_up_table(
    spec: ReleaseSpec, contributions: Contributions, *, delta: Decimal, counts: PublicCounts | None = None
) -> Contributions:
    """What is drawn from in place of the records' table; all as `preview` takes it."""
    if spec.relation is Relation.VALUES:
        return with_made_up_values(unnamed(contributions))
    (plan, *_) = plans_of(spec, delta, derived=bool(contributions.derived))
    return _made_up_presence(spec, contributions, plan, counts)


def with_made_up_values(table: Contributions) -> Contributions:
    """The same rows with values of the public model: no value of the table is read.

    A HAT's mean is made of its hexagon's, its slot's and its own part, a vehicle's lies around it, and the
    records of a row are alike.
    """
    upper = table.upper_bound / THOUSAND
    noise = np.random.default_rng(_SEED)
    _, place = np.unique(table.cell, return_inverse=True)
    slots = int(table.slot.max(initial=0)) + 1
    parts = (noise.standard_normal(table.hats)[place], noise.standard_normal(slots)[table.slot])
    own = noise.standard_normal(table.hats)
    spread = scaled(HAT_MEAN_SPREAD, upper) / np.sqrt(len(parts) + 1)
    means = scaled(HAT_MEAN, upper) + spread * (sum(parts) + own)
    around = noise.standard_normal(table.hat.size) * scaled(VEHICLE_SPREAD, upper)
    around += noise.standard_normal(table.hat.size) * scaled(RECORD_SPREAD, upper) / np.sqrt(table.counts)
    rows = np.rint(np.clip(means[table.hat] + around, 0.0, upper) * THOUSAND).astype(np.int32)
    return dataclasses.replace(table, values=np.repeat(rows, table.counts))


def _made_up_presence(
    spec: ReleaseSpec, table: Contributions, plan: FromConstants, counts: PublicCounts | None
) -> Contributions:
    """Vehicles of one HAT each, as many as public counts expect there; table: its settings alone are read."""
    candidates = plan.bounded.candidates
    units, records = _expected(plan, counts)
    hats = np.flatnonzero(units)
    rows = np.repeat(np.arange(hats.size), units[hats])
    per_row = np.repeat(records[hats], units[hats])
    start = np.concatenate(([0], np.cumsum(per_row)))
    made_up = dataclasses.replace(
        table,
        window=spec.window,
        resolution=spec.resolution,
        vehicles=tuple(f"made-up-{number:08}" for number in range(rows.size)),
        cell=candidates.cell[hats],
        slot=candidates.slot[hats],
        hat=rows.astype(np.int32),
        vehicle=np.arange(rows.size, dtype=np.int32),
        day=np.zeros(rows.size, np.int16),
        start=start,
        values=np.zeros(int(start[-1]), np.int32),
        other_texts={},
        visits=None,
    )
    return with_made_up_values(made_up)


def _expected(plan: FromConstants, counts: PublicCounts | None) -> tuple[Ints, Ints]:
    """Vehicles of each candidate, and records of one of them; shape (G,) each.

    A plan by public counts knows its own; where nothing is known, each HAT is just busy enough.
    """
    bounded, rows = plan.bounded, len(plan.bounded.candidates)
    if isinstance(bounded.plan, EnforcedPlan):
        weights = bounded.plan.expected / bounded.plan.record_tokens
        listed = bounded.columns >= 0
        shared = np.bincount(bounded.columns[listed], minlength=weights.size)
        units = np.where(listed, np.rint(weights / np.maximum(shared, 1))[bounded.columns], 0)
        return units.astype(np.int64), np.ones(rows, np.int64)
    if counts is not None:
        return counts.units, counts.records
    return np.full(rows, bounded.threshold, np.int64), np.ones(rows, np.int64)
