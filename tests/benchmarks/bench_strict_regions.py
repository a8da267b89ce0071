"""Regions that keep a promise in relation `user`: what is promised, and what is missed (strict-mode 8).

Run by hand: `python -m tests.benchmarks.bench_strict_regions [--parts austin,bangkok-7] [--releases 20]`.
Cities, plans and records are those of `bench_strict`. A region's true mean is that of all records in its
hexagons and hours; missed is what releases differ from it on average, and intervals should hold it.
"""

from __future__ import annotations

from decimal import Decimal

import numpy as np

from core.accounting.zcdp import rho_of
from core.bounding.bounding import candidate_rows, rows_in_columns, unit_entries
from core.bounding.bounding_error import enforced_error
from core.bounding.candidates import candidate_hats
from core.bounding.enforced_regions import plan_enforced_regions
from core.bounding.plan_and_enforce import USUAL_SHARE, EnforcedNoise, draw_enforced
from core.city.noise_kind import NoiseKind
from core.contributions import pairs_of
from core.fixed_point import THOUSAND
from core.noise.simulated import SimulatedNoise
from core.privacy import Unit
from tests.benchmarks.bench_strict import DELTA, PARTS, TOTALS, UPPER_BOUND, StrictCity, parts_asked_for

PROMISED = 2.0
"""km/h."""


def row_of(city: StrictCity, noise: NoiseKind, total: Decimal, releases: int) -> str:
    spend = rho_of(total, DELTA) if noise.squared else total
    candidates = candidate_hats(city.constants(1))
    law = EnforcedNoise.of(UPPER_BOUND, noise, spend, USUAL_SHARE)
    plan = plan_enforced_regions(city.public, city.listed, candidates, [law], PROMISED)
    if plan is None or plan.regions is None:
        return f"| {noise} | {total} | none | | | | |"
    rows = rows_in_columns(candidate_rows(city.contributions, candidates, Unit.VEHICLE), plan.regions.of_hat)
    entries, size = unit_entries(rows, pairs_of(city.contributions)), len(plan.regions.listed)
    records = np.bincount(entries.column, entries.records, size)
    seen = records > 0
    truth = np.bincount(entries.column, entries.sums, size)[seen] / records[seen]
    errors, holds = [], []
    for number in range(releases):
        means = draw_enforced(plan, entries, SimulatedNoise(number, 1)).means
        errors.append(np.abs(means.value[seen] - truth) / THOUSAND)
        holds.append((means.low[seen] <= truth) & (truth <= means.high[seen]))
    missed = np.mean(errors, axis=0)
    error = f"{missed.mean():.2f} / {np.median(missed):.2f}"
    promised, share = enforced_error(plan).max(), plan.regions.record_share
    return f"| {noise} | {total} | {size} | {share:.0%} | {promised:.2f} | {error} | {np.mean(holds):.1%} |"


def main() -> None:
    names, releases = parts_asked_for(__doc__, parts=["austin", "bangkok-7"], releases=20)
    for name in names:
        make, _ = PARTS[name]
        city = make()
        print(f"\n{city.title}: {len(city.listed)} HATs listed, {PROMISED:g} km/h promised\n")
        print("| noise | total | regions | public records | keeps | mean / median missed | intervals hold |")
        print("| --- |" + " --- |" * 6)
        for noise in NoiseKind:
            for total in TOTALS:
                print(row_of(city, noise, total, releases), flush=True)


if __name__ == "__main__":
    main()
