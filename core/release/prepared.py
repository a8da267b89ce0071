"""A release that could be published, and what the ledger is asked for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

import numpy as np

from core import __version__
from core.accounting.budgets import Budget
from core.accounting.compose import add_charges
from core.accounting.epsilon_input import EPSILON_STEP
from core.accounting.epsilon_rounding import plain
from core.accounting.ledger import Ledger, StoredDraws
from core.accounting.ledger_events import ReservationRequest
from core.clean.ingest_report import IngestReport
from core.clean.mapping import ReadingRules
from core.contributions import Contributions, UserTable
from core.fixed_point import THOUSAND
from core.geodata.route_lines import RouteLine
from core.planning.query_plan import (
    QueryPlan,
)
from core.privacy import Confidential
from core.records.id_folds import OtherTexts
from core.release.narrowed_grids import stated_periods
from core.release.request_identity import spec_mark
from core.release.review import Review
from core.spec import ReleaseSpec


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Prepared(Confidential):
    """A release that could be published: planned, charged, checked against the ledger."""

    spec: ReleaseSpec
    report: IngestReport | None
    """None where a contribution table was read, or in relation `user` no record was left."""
    contributions: Contributions
    users: UserTable
    plans: tuple[QueryPlan, ...]
    """One of each query; in relation `user` none of them depends on the contributions."""
    fingerprint: str
    place: str
    """Another mark of the request, by where its files lie; empty in relation `values`."""
    stored: StoredDraws | None
    """Draws of an identical earlier request, to be published again at no cost."""
    places: Mapping[str, str] | None
    lines: Mapping[str, RouteLine] | None
    """As a `Release` has them: public, whether or not anybody was there."""
    review: Review


def request_for(prepared: Prepared, ledger: Ledger) -> ReservationRequest:
    """What the ledger is asked for: the exact charge, and who is in the data."""
    contributions = prepared.contributions
    return reservation_request(
        prepared.spec,
        prepared.plans,
        ledger,
        zone=contributions.zone,
        fingerprint=prepared.fingerprint,
        place=prepared.place,
        vehicles={contributions.vehicles[code] for code in np.unique(contributions.vehicle)},
        other_texts=contributions.other_texts,
    )


def reservation_request(
    spec: ReleaseSpec,
    plans: tuple[QueryPlan, ...],
    ledger: Ledger,
    *,
    zone: str,
    fingerprint: str,
    place: str = "",
    vehicles: set[str],
    other_texts: OtherTexts | None = None,
) -> ReservationRequest:
    constants = {"hats_per_vehicle": spec.hats_per_vehicle, "days_per_vehicle": spec.days_per_vehicle}
    bounded = {name: str(most) for name, most in constants.items() if most is not None}
    return ReservationRequest(
        population=spec.population,
        relation=spec.relation,
        unit=spec.unit,
        dates=spec.window.dates,
        hours=spec.window.hours,
        zone=zone,
        mechanisms=tuple(sorted({plan.query.question.key for plan in plans})),
        epsilons={plan.query.id: plain(_asked(plan.query.budget)) for plan in plans},
        constants={
            **_grid(spec),
            "slot_minutes": str(spec.window.slot_minutes),
            **stated_periods(spec.window),
            **bounded,
            **_bounds(spec.data.rules),
        },
        code_version=__version__,
        charge=add_charges(plan.charge for plan in plans),
        allowances=tuple(item for plan in plans for item in plan.allowances),
        fingerprint=fingerprint,
        spec_fingerprint=spec_mark(spec, ledger),
        place_fingerprint=place,
        vehicles=vehicles,
        other_texts=other_texts or {},
    )


def _grid(spec: ReleaseSpec) -> dict[str, str]:
    """What places are, as the ledger notes it."""
    place = spec.place
    if place.hexagons:
        coarser = ",".join(map(str, place.mixed[:-1]))
        return {"resolution": str(spec.resolution)} | ({"coarser_resolutions": coarser} if coarser else {})
    return {"place": place.as_noted}


def _bounds(rules: ReadingRules) -> dict[str, str]:
    """The bounds of the value, under what it is called."""
    if rules.value is None:
        return {"upper_bound_kmh": str(rules.upper_bound / THOUSAND)}
    return {
        "value": rules.value.name,
        "unit": rules.value.unit,
        "lower_bound": str(rules.value.lower / THOUSAND),
        "upper_bound": str(rules.value.upper / THOUSAND),
    }


def _asked(budget: Budget) -> Decimal:
    """The figure that the analyst gave."""
    return budget.per_hat or budget.total or budget.noise_scale or EPSILON_STEP
