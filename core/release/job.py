"""The whole release: prepare (nothing is spent), then publish (irreversible).

Order of steps, SPEC 13: unlock the key, check that the target is absent, create and sync the
temporary folder, *then* reserve durably, draw, store the draws, write, rename, mark as published.
"""

from __future__ import annotations

import dataclasses
import datetime as dt
import importlib.metadata
import platform
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

import numpy as np

from core import __version__
from core.accounting.ledger import Ledger, LedgerReservation, StoredDraws
from core.accounting.ledger_events import ReservationRequest
from core.contributions import Contributions, UserTable, contributions_of, users_of
from core.errors import HexveilError, InputError, ReleaseAborted
from core.hats.cells import cell_text
from core.hats.slots import clock
from core.ingest.load import load_records
from core.ingest.report import IngestReport
from core.mechanisms.registry import require_mechanism
from core.noise.secure import SecureNoise
from core.privacy import Confidential
from core.progress import Progress, part, silent
from core.queries.hat_mean import (
    DrawnHat,
    MeanPlan,
    PlannedHat,
    draw_means,
    largest_noise_scale,
    largest_sensitivity,
    plan_means,
)
from core.release.bundle import Staging
from core.release.request import canonical, table_bytes
from core.release.result import PUBLISHED, SUPPRESSED, HatMean, QueryResult, Release, from_json, to_json
from core.release.review import Review, review_of
from core.release.sign import SigningKey
from core.selection.rules import select
from core.spec import ReleaseSpec
from core.values import EPSILON_STEP, THOUSAND, plain


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Prepared(Confidential):
    """A release that could be published: planned, charged, checked against the ledger."""

    spec: ReleaseSpec
    report: IngestReport
    contributions: Contributions
    users: UserTable
    plan: MeanPlan
    fingerprint: str
    stored: StoredDraws | None
    """Draws of an identical earlier request, to be published again at no cost."""
    review: Review


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """What came of a release."""

    bundle: Path
    entry: int
    repeated: bool
    """The draws were stored ones; nothing was spent."""
    release: Release


def prepare(
    spec: ReleaseSpec, ledger: Ledger, *, out: Path | None = None, progress: Progress = silent
) -> Prepared:
    """Everything up to the reservation; spends nothing and changes nothing on disk.

    Raises InputError for unusable input, BudgetRefused where the ledger would refuse.
    """
    check_without_data(spec, ledger, out=out)
    loaded = load_records(spec.data.paths(), spec.data.rules, part(progress, 0.0, 0.7))
    contributions = contributions_of(loaded.records, spec.resolution, spec.window, part(progress, 0.7, 0.9))
    return plan_release(spec, ledger, contributions, loaded.report, part(progress, 0.9, 1.0))


def check_without_data(spec: ReleaseSpec, ledger: Ledger, *, out: Path | None = None) -> None:
    """All that can be refused before data are read. Raises InputError or BudgetRefused."""
    if out is not None:
        Staging.check_target(out, spec.texts.folder)
    _require_confirmation(spec)
    _check_before_reading(spec, ledger)


def plan_release(
    spec: ReleaseSpec,
    ledger: Ledger,
    contributions: Contributions,
    report: IngestReport,
    progress: Progress = silent,
) -> Prepared:
    """Plan a release of contributions at hand and check its exact charge against the ledger."""
    users = users_of(contributions, spec.unit, ledger.tie_key(spec.population))
    plan = plan_means(
        contributions,
        users,
        select(contributions, spec.selection),
        query_id=spec.query.id,
        mechanism=require_mechanism(spec.query.mechanism),
        params=spec.query.params,
        budget=spec.query.budget,
        minimum_vehicles=spec.minimum_vehicles,
        progress=progress,
    )
    fingerprint = ledger.fingerprint(spec.population, canonical(spec), *table_bytes(contributions))
    stored = ledger.find_identical(spec.population, fingerprint)
    prepared = Prepared(
        spec=spec,
        report=report,
        contributions=contributions,
        users=users,
        plan=plan,
        fingerprint=fingerprint,
        stored=stored,
        review=review_of(
            spec,
            contributions,
            plan,
            repeats_entry=stored.entry if stored else None,
            evaluated=from_json(stored.draws).evaluated if stored else ledger.was_evaluated(spec.population),
        ),
    )
    if stored is None:
        ledger.check_exact(_request(prepared, ledger))
    return prepared


def publish(prepared: Prepared, ledger: Ledger, *, key: SigningKey, out: Path, now: dt.datetime) -> Published:
    """Reserve, draw, store, sign and publish. Not to be interrupted, and not undone.

    Raises InputError or BudgetRefused with nothing changed, ReleaseAborted once the budget is spent.
    """
    texts = prepared.spec.texts
    staging = Staging.create(out, texts.folder)
    stored = prepared.stored
    handle: LedgerReservation
    try:
        if stored is None:
            handle, release = _draw(prepared, ledger)
        else:
            handle, release = ledger.resume(stored.entry), from_json(stored.draws)
    except BaseException:
        staging.discard()
        raise
    try:
        bundle = staging.publish(release, texts, key=key, now=now)
    except (HexveilError, OSError) as error:
        staging.discard()
        raise ReleaseAborted(
            "The values are drawn and stored in the ledger, but the bundle could not be written.",
            where=str(out),
            mend="make room there, then run the same spec again: the stored values cost nothing",
        ) from error
    handle.mark_published(texts.folder, bundle.manifest_sha256)
    return Published(bundle=bundle.path, entry=handle.entry, repeated=stored is not None, release=release)


def _require_confirmation(spec: ReleaseSpec) -> None:
    if not spec.confirmed:
        raise InputError(
            "The choice of relation and unit is not confirmed.",
            where="privacy.confirmed",
            mend="read what is not protected (README, relation and unit), then write confirmed = true",
        )


def _check_before_reading(spec: ReleaseSpec, ledger: Ledger) -> None:
    """The first check of SPEC 13: the charge where a total is given, else whether one HAT fits."""
    budget = spec.query.budget
    ledger.check_known(
        spec.population,
        spec.relation,
        per_vehicle=budget.total,
        least=budget.per_hat or EPSILON_STEP,
        spec_fingerprint=_spec_fingerprint(spec, ledger),
    )


def _spec_fingerprint(spec: ReleaseSpec, ledger: Ledger) -> str:
    return ledger.fingerprint(spec.population, canonical(spec))


def _request(prepared: Prepared, ledger: Ledger) -> ReservationRequest:
    """What the ledger is asked for: the exact charge, and who is in the data."""
    spec, plan = prepared.spec, prepared.plan
    budget = spec.query.budget
    return ReservationRequest(
        population=spec.population,
        relation=spec.relation,
        unit=spec.unit,
        dates=spec.window.dates,
        hours=spec.window.hours,
        mechanisms=(plan.mechanism.key,),
        epsilons={spec.query.id: plain(budget.per_hat or budget.total or EPSILON_STEP)},
        constants={
            "resolution": str(spec.resolution),
            "slot_minutes": str(spec.window.slot_minutes),
            "upper_bound_kmh": str(spec.data.rules.upper_bound / THOUSAND),
        },
        code_version=__version__,
        charge=plan.charge,
        allowances=plan.allowances,
        fingerprint=prepared.fingerprint,
        spec_fingerprint=_spec_fingerprint(spec, ledger),
        vehicles={
            prepared.contributions.vehicles[code] for code in np.unique(prepared.contributions.vehicle)
        },
    )


def _draw(prepared: Prepared, ledger: Ledger) -> tuple[LedgerReservation, Release]:
    """Buy noise, draw, and store the draws durably before anything is written elsewhere."""
    reservation = ledger.reserve(_request(prepared, ledger))
    try:
        drawn = draw_means(prepared.plan, prepared.users, SecureNoise(reservation))
        release = _release(prepared, drawn, reservation)
        reservation.store_draws(to_json(release))
    except Exception as error:
        raise ReleaseAborted(
            "The release stopped after its budget was reserved; the budget counts as spent.",
            where=f"ledger entry {reservation.entry}, {type(error).__name__}",
            mend="report this as a bug; nothing was published",
        ) from error
    return reservation, release


def _release(
    prepared: Prepared, drawn: tuple[DrawnHat | None, ...], reservation: LedgerReservation
) -> Release:
    """The public result."""
    spec, plan = prepared.spec, prepared.plan
    query = QueryResult(
        query_id=plan.query_id,
        statistic=spec.query.statistic,
        mechanism=plan.mechanism.key,
        mechanism_reference=plan.mechanism.reference,
        charge=plan.charge,
        sensitivity=largest_sensitivity(plan.plans),
        noise_scale=largest_noise_scale(plan.plans),
        contribution_cap=max((item.m_ub for item in plan.plans if item.m_ub is not None), default=None),
        division=plan.budget.division,
        rows=tuple(
            sorted(
                (_row(hat, value) for hat, value in zip(plan.hats, drawn, strict=True)),
                key=lambda row: (row.cell, row.slot_start),
            )
        ),
    )
    return Release(
        relation=spec.relation,
        unit=spec.unit,
        resolution=spec.resolution,
        slot_minutes=spec.window.slot_minutes,
        date_ranges=spec.window.date_ranges,
        hours=spec.window.hours,
        zone=prepared.contributions.zone,
        upper_bound=spec.data.rules.upper_bound,
        selection_rule=spec.selection.rule,
        selection_threshold=spec.selection.threshold,
        minimum_vehicles=spec.minimum_vehicles,
        queries=(query,),
        charge=plan.charge,
        cumulative=reservation.cumulative,
        limits=reservation.limits,
        evaluated=reservation.evaluated,
        reserved_on=reservation.reserved_on,
        versions=_versions(),
    )


def _row(hat: PlannedHat, value: DrawnHat | None) -> HatMean:
    start = hat.slot * hat.slot_minutes
    row = HatMean(
        cell=cell_text(hat.cell),
        slot_start=clock(start),
        slot_end=clock(start + hat.slot_minutes),
        status=SUPPRESSED,
        epsilon=Decimal(0),
    )
    if value is None or hat.plan is None:
        return row
    return dataclasses.replace(
        row,
        status=PUBLISHED,
        epsilon=hat.plan.epsilon,
        mean=value.mean,
        low=value.low,
        high=value.high,
        bias_bound=value.bias_bound,
    )


def _versions() -> dict[str, str]:
    return {
        "hexveil": __version__,
        "opendp": importlib.metadata.version("opendp"),
        "h3": importlib.metadata.version("h3"),
        "python": platform.python_version(),
    }
