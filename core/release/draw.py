"""Noise is bought, drawn, stored: budget reserved, values drawn, or why a release stopped (method 13)."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable
from decimal import Decimal
from typing import TypeVar

from core.accounting.compose import add_charges
from core.accounting.ledger import Ledger, LedgerReservation
from core.advice.smoothed import is_smoothed, smooth_rows
from core.bundle.interval_rules import EXTREMES, NEWEST_RULE, WITHIN_NOISE
from core.bundle.release_result import (
    PUBLISHED,
    SUPPRESSED,
    HatRow,
    QueryResult,
    Release,
)
from core.city.regions import Region
from core.codec import to_json
from core.contributions import PairTable, pairs_of
from core.errors import LedgerError, ReleaseAborted
from core.hats.cells import cell_text
from core.hats.slots import SlotGrid
from core.noise.secure import SecureNoise
from core.planning.query_plan import (
    PlannedHat,
    QueryPlan,
    conversion_of_plans,
    largest_noise_scale,
    largest_sensitivity,
)
from core.privacy import Relation
from core.progress import Progress, part, silent
from core.release.planned_facts import planned_facts, planned_regions, planned_smoothing
from core.release.prepared import Prepared, request_for
from core.release.said_afterwards import why_unsmoothed
from core.release.software_versions import software_versions
from core.spec import ReleaseSpec
from core.statistics.base import Estimate
from core.texts import joined, text_of

_STORED = "The values are drawn and stored in the ledger, and nothing is published."
_LOST = "The release stopped after its budget was reserved; the budget counts as spent."
_PATIENCE_SECONDS, _PAUSE_SECONDS = 180.0, 1.0
_Result = TypeVar("_Result")


def draw_release(prepared: Prepared, ledger: Ledger) -> Release:
    """Reserve and draw, and publish nothing: for a ledger that is thrown away.

    Raises BudgetRefused with nothing changed, and ReleaseAborted.
    """
    with ledger.drawing():
        return draw_and_store(prepared, ledger, lambda: None, None)[1]


def draw_and_store(
    prepared: Prepared,
    ledger: Ledger,
    free: Callable[[], None],
    waiting: Callable[[str], None] | None,
    progress: Progress = silent,
) -> tuple[LedgerReservation, Release]:
    """Buy noise, draw, and store the draws durably before anything is written elsewhere.

    free: gives back the room that was reserved for them.
    """
    key, pairs = ledger.tie_key(prepared.spec.population), pairs_of(prepared.contributions)
    reservation = ledger.reserve(request_for(prepared, ledger))
    try:
        noise = _patiently(
            lambda: SecureNoise(reservation), waiting, "The budget is reserved, and nothing is drawn yet."
        )
        release = drawn(prepared, pairs, reservation, noise, key, progress)
        free()
        draws = to_json(release)
        _patiently(
            lambda: reservation.store_draws(draws), waiting, "The values are drawn and wait to be stored."
        )
    except LedgerError as error:
        stored = _is_stored(prepared, ledger)
        came, costs = (_STORED, "costs nothing") if stored else (_LOST, "is drawn and charged again")
        raise ReleaseAborted(
            joined(" ", (came, error.what)),
            where=error.where,
            mend=text_of(
                "{mend}; then ask for the same release again, which {costs}", mend=error.mend, costs=costs
            ),
        ) from error
    except Exception as error:
        raise ReleaseAborted(
            joined(" ", (_LOST, _cause(error))),
            where=f"ledger entry {reservation.entry}, {type(error).__name__}",
            mend="fix the cause if it lies with this computer; nothing was published. A report needs only "
            "the name above and the entry's number",
        ) from error
    return reservation, release


def drawn(
    prepared: Prepared,
    pairs: PairTable,
    reservation: LedgerReservation,
    noise: SecureNoise,
    key: bytes,
    progress: Progress = silent,
    *,
    smoothing: bool = True,
) -> Release:
    """What the noise of a reservation comes to. key: of the population; smoothing: False leaves it out."""
    share = 1 / len(prepared.plans)
    results = tuple(
        _drawn_result(
            plan, prepared, pairs, key, noise, part(progress, at * share, (at + 1) * share), smoothing
        )
        for at, plan in enumerate(prepared.plans)
    )
    return _release(prepared, results, reservation)


def _is_stored(prepared: Prepared, ledger: Ledger) -> bool:
    """Whether the draws of this request are in the ledger, as far as it can be read."""
    try:
        return (
            ledger.find_identical(prepared.spec.population, prepared.place, prepared.fingerprint) is not None
        )
    except LedgerError:
        return False


def _cause(error: Exception) -> str:
    """What happened, without anything that the error may have to say about the data."""
    if isinstance(error, MemoryError):
        return "This computer ran out of memory."
    if isinstance(error, OSError) and error.strerror:
        return text_of("The system says: {strerror}.", strerror=error.strerror)
    return "The program met what it should never meet."


def _patiently(step: Callable[[], _Result], waiting: Callable[[str], None] | None, state: str) -> _Result:
    """A step that needs the ledger; one that is busy or whose disk is full is tried again, for minutes.

    state: what has become of the release, for who waits. Raises LedgerError at the end.
    """
    until = time.monotonic() + _PATIENCE_SECONDS
    while True:
        try:
            return step()
        except LedgerError as error:
            if not error.passing or time.monotonic() >= until:
                raise
            if waiting is not None:
                waiting(
                    text_of(
                        "{state} {what} To fix it: {mend}.", state=state, what=error.what, mend=error.mend
                    )
                )
            time.sleep(_PAUSE_SECONDS)


def _drawn_result(
    plan: QueryPlan,
    prepared: Prepared,
    pairs: PairTable,
    key: bytes,
    noise: SecureNoise,
    progress: Progress,
    smoothing: bool,
) -> QueryResult:
    """One query's public result: its noise, and what follows from the noisy numbers.

    The budget is spent by now: where smoothing finds no answer the raw numbers are published alone, and the
    result says why. key: of the population, by which relation `user` chooses the HATs of a vehicle.
    """
    drawn = plan.draw(prepared.contributions, prepared.users, pairs, key, noise)
    raw = _result(plan, prepared, drawn.rows)
    progress(0.5)
    if not smoothing or not is_smoothed(plan) or not any(drawn.rows):
        return raw
    try:
        smoothed = smooth_rows(plan, drawn, part(progress, 0.5, 1.0))
        facts = planned_smoothing(plan, smoothed, drawn)
    except Exception as error:  # whatever it is: the raw numbers are drawn and paid for
        return dataclasses.replace(raw, unsmoothed=why_unsmoothed(error))
    return dataclasses.replace(_result(plan, prepared, smoothed.rows), smoothing=facts)


def _result(plan: QueryPlan, prepared: Prepared, drawn: tuple[tuple[Estimate, ...], ...]) -> QueryResult:
    question = plan.query.question
    return QueryResult(
        query_id=plan.query.id,
        statistic=question.statistic.published(question).key,
        mechanism=question.key,
        mechanism_reference=question.reference,
        charge=plan.charge,
        sensitivity=largest_sensitivity(plan.plans),
        noise_scale=largest_noise_scale(plan.plans),
        contribution_cap=max((item.m_ub for item in plan.plans if item.m_ub is not None), default=None),
        division=plan.division,
        rows=_rows(plan, drawn, prepared.contributions.window.grid),
        facts=planned_facts(plan, prepared.contributions, prepared.spec.unit),
        regions=planned_regions(plan),
        bounding=plan.bounding,
        conversion=conversion_of_plans([plan]),
    )


def _release(prepared: Prepared, results: tuple[QueryResult, ...], reservation: LedgerReservation) -> Release:
    """The public result."""
    spec = prepared.spec
    return Release(
        relation=spec.relation,
        unit=spec.unit,
        resolution=spec.resolution,
        hats_listed=spec.relation is Relation.USER and bool(spec.selection.hats),
        place=spec.place,
        slot_minutes=spec.window.slot_minutes,
        periods=spec.window.periods,
        groups=prepared.contributions.window.groups,
        date_ranges=spec.window.date_ranges,
        hours=spec.window.hours,
        zone=prepared.contributions.zone,
        upper_bound=spec.data.rules.upper_bound,
        selection_rule=spec.selection.rule,
        selection_threshold=spec.selection.threshold,
        minimum_vehicles=spec.minimum_vehicles,
        queries=results,
        charge=add_charges(result.charge for result in results),
        conversion=conversion_of_plans(prepared.plans),
        cumulative=reservation.cumulative,
        limits=reservation.limits,
        delta=reservation.delta,
        delta_before=reservation.delta_before,
        cumulative_parts=reservation.cumulative_parts,
        evaluated=reservation.evaluated,
        reserved_on=reservation.reserved_on,
        interval_rule=_interval_rule(spec),
        pings=spec.data.rules.pings if spec.relation is Relation.VALUES else None,
        vehicle_fold=spec.data.rules.mapping.vehicle_fold,
        filters=spec.data.rules.filters,
        vehicles_alike=prepared.review.vehicles_alike,
        versions=software_versions(),
        quantity=spec.quantity,
    )


def _interval_rule(spec: ReleaseSpec) -> str:
    """How the intervals are made that are drawn now."""
    if spec.relation is Relation.VALUES:
        return NEWEST_RULE
    means = all(not query.question.statistic.method for query in spec.queries)
    return EXTREMES if means else WITHIN_NOISE


def _rows(plan: QueryPlan, drawn: tuple[tuple[Estimate, ...], ...], grid: SlotGrid) -> tuple[HatRow, ...]:
    """Of every selected HAT, or of every region; sorted."""
    if plan.regions:
        parts = zip(plan.regions, plan.region_epsilons, drawn, strict=True)
        return tuple(_region_row(region, grid, epsilon, row) for region, epsilon, row in parts)
    rows = (_row(hat, estimates) for hat, estimates in zip(plan.hats, drawn, strict=True))
    return tuple(sorted(rows, key=lambda row: row.order))


def _region_row(region: Region, grid: SlotGrid, epsilon: Decimal, estimates: tuple[Estimate, ...]) -> HatRow:
    return HatRow(
        cell=region.id,
        slot_start=grid.text(region.slots.start),
        slot_end=grid.end_text(region.slots.stop - 1),
        status=PUBLISHED if estimates else SUPPRESSED,
        epsilon=epsilon,
        estimates=estimates,
        cells=tuple(map(cell_text, region.cells)),
        period=grid.period(region.slots.start),
        groups=grid.labels(region.slots.start),
    )


def _row(hat: PlannedHat, estimates: tuple[Estimate, ...]) -> HatRow:
    return HatRow(
        cell=hat.cell_text,
        slot_start=hat.grid.text(hat.slot),
        slot_end=hat.grid.end_text(hat.slot),
        period=hat.grid.period(hat.slot),
        groups=hat.grid.labels(hat.slot),
        status=PUBLISHED if estimates else SUPPRESSED,
        epsilon=hat.plan.epsilon if hat.plan else Decimal(0),
        estimates=estimates,
    )
