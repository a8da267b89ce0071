"""From spec to bundle: what relation `values` refuses, not confirmed, published already, drawn, not written.

Order of steps, method 13: unlock the key, check that the target is absent, create and sync the
temporary folder, *then* reserve durably, draw, store the draws, write, rename, mark as published.
"""

from __future__ import annotations

import dataclasses
import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from core.accounting.epsilon_input import EPSILON_STEP
from core.accounting.ledger import AlreadyDrawn, Ledger, LedgerReservation
from core.accounting.ledger_room import room_beside
from core.advice.smoothed import with_expected_error
from core.bundle.csv_columns import require_own_columns, require_own_names
from core.bundle.public_constants import plans_of
from core.bundle.release_result import (
    Release,
)
from core.clean.ingest_report import IngestReport
from core.clean.mapping import ColumnMapping
from core.codec import from_json
from core.contributions import Contributions, UserTable, users_of
from core.contributions.encryption import AskPassphrase
from core.errors import HexveilError, InputError, LedgerError, ReleaseAborted
from core.geodata.layer_files import layers_in
from core.geodata.places import read_places
from core.geodata.route_lines import RouteLine, read_route_lines, require_route_lines
from core.grouping.plan_cache import PlanCache
from core.keys.signing_key import SigningKey
from core.planning.counted_city import CountedCity
from core.planning.linear_noise import known_total, require_noise
from core.planning.planning_room import ROOM, NoRoom
from core.planning.query_plan import (
    Query,
    QueryPlan,
)
from core.planning.values_query import plan_query
from core.privacy import Relation, Unit
from core.progress import Progress, part, silent, unstoppable
from core.release.bundle import Staging
from core.release.contributions_source import contributions_for
from core.release.draw import draw_and_store
from core.release.former_spreads import former_spreads
from core.release.planned_facts import as_drawn
from core.release.prepared import Prepared, request_for, reservation_request
from core.release.rehearsal import rehearse
from core.release.request_identity import drawn_spec_mark, request_of
from core.release.review import review_of
from core.release.row_counts import counts_of_rows
from core.release.unnoted_bundle import note_bundle
from core.release_texts import PRACTICE_PREFIX
from core.selection.rare_labels import published_places, require_shared_labels
from core.selection.registry import select
from core.signed.key_notes import require_not_revoked
from core.spec import ReleaseSpec
from core.store.record_cache import RecordCache
from core.system.paths import program_name
from core.texts import text_of

_HAT_BYTES, _LABELLED_BYTES = 1 << 10, 1 << 16
"""Of a HAT's draws as text, at most: with one row of numbers, or one for each of many labels."""
_LEAST_BUNDLE, _LEAST_ROW = 1 << 17, 1 << 8
"""Bytes of a bundle, at least: of what every one has, and of a HAT in all of its files."""
_DRAWN, _WRITTEN = 0.7, 0.98
"""Shares of a publication, as its progress counts them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedRelease:
    """What came of a release."""

    bundle: Path
    entry: int
    repeated: bool
    """The draws were stored ones; nothing was spent."""
    release: Release


def prepare(
    spec: ReleaseSpec,
    ledger: Ledger,
    *,
    out: Path | None = None,
    progress: Progress = silent,
    cache: RecordCache | None = None,
    practice: bool = False,
    passphrase: AskPassphrase | None = None,
) -> Prepared:
    """Everything up to the reservation; spends nothing and changes nothing on disk but the cache.

    practice: the ledger is one that is thrown away. passphrase: asked for that of an encrypted contribution
    table. Raises InputError for unusable input, BudgetRefused where the ledger would refuse.
    """
    plan_cache = PlanCache()
    check_without_data(spec, ledger, out=out, practice=practice, plan_cache=plan_cache)
    contributions, report = contributions_for(spec, part(progress, 0.0, 0.9), cache, passphrase)
    return plan_release(spec, ledger, contributions, report, part(progress, 0.9, 1.0), plan_cache)


def check_without_data(
    spec: ReleaseSpec,
    ledger: Ledger,
    *,
    out: Path | None = None,
    practice: bool = False,
    plan_cache: PlanCache | None = None,
) -> None:
    """All that can be refused before data are read. Raises InputError or BudgetRefused.

    plan_cache: as `plan_release` has it.
    """
    if spec.texts.practice and not practice:
        raise InputError(
            "A name that begins with {practice_prefix} is that of a practice release, which costs nothing.",
            practice_prefix=PRACTICE_PREFIX,
            where="release.name",
            mend=text_of("choose another name, or practise: {value} practice", value=program_name()),
        )
    if out is not None:
        _check_target(spec, ledger, out)
    _require_confirmation(spec)
    require_measured_values(spec.data.rules.mapping, spec.relation)
    require_own_names(spec.quantity)
    groups = tuple(group.name for group in spec.window.groups)
    require_own_columns(groups, spec.quantity, mixed=bool(spec.place.mixed))
    if spec.places is not None:
        layers_in(spec.places.path(spec.data.folder))
    if spec.shapes:
        require_route_lines(spec.data.folder / spec.shapes)
    if spec.relation is Relation.USER:
        _require_typed_zone(spec)
        _check_constants(spec, ledger, plan_cache)
    else:
        _check_before_reading(spec, ledger)


def _require_typed_zone(spec: ReleaseSpec) -> None:
    """Raise InputError where the zone would come from the offsets in the files."""
    if not spec.data.rules.zone:
        raise InputError(
            "The time zone is missing; relation user takes only records from the files.",
            where="data.zone",
            mend='write for instance zone = "Asia/Bangkok"',
        )


def _check_target(spec: ReleaseSpec, ledger: Ledger, out: Path) -> None:
    """Nothing is there yet. A bundle of ours that the ledger does not know is noted, before it is refused."""
    target = out / spec.texts.folder
    entry = note_bundle(target, ledger, spec.population)
    if entry is not None:
        raise InputError(
            "Entry {entry} of the ledger had published this release already, without a note of it; the "
            "ledger has noted it now. Nothing was spent.",
            entry=entry,
            where=str(target),
            mend="nothing is left to do; give a new release another name or the next version",
        )
    Staging.check_target(out, spec.texts.folder)


def require_measured_values(mapping: ColumnMapping, relation: Relation) -> None:
    """Raise InputError for values that follow from positions, where the relation takes these as public."""
    _require_measured(mapping.derived is not None, relation, "data.derived_speed")


def require_measured_table(table: Contributions, relation: Relation) -> None:
    """The same of a contribution table, by what it says of itself."""
    _require_measured(table.derived is not False, relation, "data.contributions")


def require_derived_by_day(table: Contributions, unit: Unit) -> None:
    """Raise InputError for derived speeds that may cross midnight, where less than a vehicle is protected."""
    if table.derived and not table.derived_by_day and unit is not Unit.VEHICLE:
        raise InputError(
            "The derived speeds of this contribution table may cross midnight, so one day of a vehicle "
            "changes the next. Unit {unit} would cost more than stated.",
            unit=unit,
            where="data.contributions, metadata derived_speed_by_day",
            mend='make the table again with `contributions`, or write unit = "vehicle"',
        )


def _require_measured(derived: bool, relation: Relation, where: str) -> None:
    if derived and relation is Relation.VALUES:
        raise InputError(
            "Relation values makes public in which hexagon slots a vehicle was. A speed derived from "
            "positions largely follows from that and is not protected.",
            where=where,
            mend='release data with a measured speed, or write relation = "user" (README, relation and unit)',
        )


def _require_known_limits(table: Contributions, relation: Relation) -> None:
    """Raise InputError where counts are public and may follow from values: nobody says what was dropped."""
    if relation is Relation.VALUES and not table.limits_known:
        raise InputError(
            "The contribution table does not say which values were dropped as impossible. In relation "
            "values counts of records are public and would reveal values inside the bounds.",
            where="data.contributions",
            mend="where they are known write for instance physical_limits_in_table = [0.0, 200.0], or make "
            "the table again",
        )


def plan_release(
    spec: ReleaseSpec,
    ledger: Ledger,
    contributions: Contributions,
    report: IngestReport | None,
    progress: Progress = silent,
    plan_cache: PlanCache | None = None,
) -> Prepared:
    """Plan a release of contributions at hand and check its exact charge against the ledger.

    plan_cache: of the owner of the contributions, who has planned them before.
    """
    require_measured_values(spec.data.rules.mapping, spec.relation)
    require_measured_table(contributions, spec.relation)
    require_derived_by_day(contributions, spec.unit)
    users = users_of(contributions, spec.unit, ledger.tie_key(spec.population))
    request = request_of(spec, contributions, ledger)
    stored = request.stored
    if stored is None:
        _require_known_limits(contributions, spec.relation)
    # what was drawn is shown and published as it was paid for, whatever the population allows by now
    drawn = from_json(Release, stored.draws) if stored else None
    delta = drawn.delta if drawn else ledger.delta_of(spec.population)
    plans: tuple[QueryPlan, ...]
    try:
        if spec.relation is Relation.USER:
            plans = plans_of(spec, delta, derived=bool(contributions.derived), cache=plan_cache)
            progress(1.0, "Planning the noise")
        else:
            former = former_spreads(ledger, spec.population)
            queries = [former.given_to(query) for query in spec.queries]
            cache = plan_cache or PlanCache()
            plans = _plans_by_counts(spec, queries, contributions, users, delta, progress, cache)
    except NoRoom as problem:
        if stored is None:
            raise
        raise NoRoom(
            "{what} The values of this release are drawn, stored and paid for.",
            what=problem.what,
            where="environment",
            mend=text_of("allow more memory ({variable}) and run it again: it costs nothing", variable=ROOM),
        ) from None
    if drawn is not None:
        of = {query.query_id: query for query in drawn.queries}  # perhaps in another order
        plans = tuple(as_drawn(plan, of[plan.query.id]) for plan in plans)
    prepared = Prepared(
        spec=spec,
        report=report,
        contributions=contributions,
        users=users,
        plans=plans,
        fingerprint=request.fingerprint,
        place=request.place,
        stored=stored,
        places=_places(spec, plans, drawn),
        lines=_lines(spec, plans, drawn),
        review=review_of(
            spec,
            contributions,
            plans,
            report,
            repeats_entry=stored.entry if stored else None,
            outdated_entry=request.outdated,
            paid_before=request.paid_before,
            drawn_on=drawn.reserved_on if drawn else None,
            delta=delta,
            evaluated=drawn.evaluated if drawn else ledger.was_evaluated(spec.population),
            earlier=[
                entry for one in ledger.populations() if one.name == spec.population for entry in one.entries
            ],
        ),
    )
    if stored is None:
        ledger.check_exact(request_for(prepared, ledger))
    return prepared


def _lines(
    spec: ReleaseSpec, plans: Sequence[QueryPlan], drawn: Release | None
) -> Mapping[str, RouteLine] | None:
    """Lines of the routes that will have a row. Raises InputError for a timetable that cannot be read."""
    if not spec.shapes:
        return None
    return read_route_lines(spec.data.folder / spec.shapes, _row_places(plans, drawn))


def _row_places(plans: Sequence[QueryPlan], drawn: Release | None) -> set[str]:
    """What will have a row: the id of a place."""
    places = {hat.cell_text for plan in plans for hat in plan.hats}
    if drawn is not None:
        places |= {row.cell for query in drawn.queries for row in query.rows if not row.cells}
    return places


def _places(spec: ReleaseSpec, plans: Sequence[QueryPlan], drawn: Release | None) -> dict[str, str] | None:
    """Names of the hexagons that will have a row. Raises InputError for a layer that cannot be read."""
    if spec.places is None:
        return None
    return read_places(spec.places, spec.data.folder, _row_places(plans, drawn))


def _plans_by_counts(
    spec: ReleaseSpec,
    queries: Sequence[Query],
    contributions: Contributions,
    users: UserTable,
    delta: Decimal,
    progress: Progress,
    plan_cache: PlanCache,
) -> tuple[QueryPlan, ...]:
    """Of relation `values`, where numbers of records and visits are public."""
    require_shared_labels(contributions)
    selection = published_places(
        contributions,
        select(contributions, spec.selection),
        spec.minimum_vehicles,
        listed=len(spec.selection.ids),
    )
    city = CountedCity(
        contributions,
        users,
        selection,
        minimum_vehicles=spec.minimum_vehicles,
        delta=delta,
        cache=plan_cache,
    )
    share = 1.0 / len(queries)
    plans = []
    for number, query in enumerate(queries):
        own = part(progress, number * share, (number + 1) * share)
        plan = plan_query(city, query, part(own, 0.0, 0.7))
        plans.append(with_expected_error(plan, part(own, 0.7, 1.0)))
    return tuple(plans)


def publish(
    prepared: Prepared,
    ledger: Ledger,
    *,
    key: SigningKey,
    out: Path,
    now: dt.datetime,
    waiting: Callable[[str], None] | None = None,
    progress: Progress = silent,
) -> PublishedRelease:
    """Reserve, draw, store, sign and publish. Not to be interrupted, and not undone: nor by `progress`.

    waiting: gets, in a sentence, what it waits for before it tries again to store what was drawn. Raises
    InputError or BudgetRefused with nothing changed, ReleaseAborted once the budget is spent.
    """
    texts = prepared.spec.texts
    require_not_revoked(out, key.public)
    staging = Staging.create(out, texts.folder, least=_least_of_bundle(prepared.plans))
    stored, progress = prepared.stored, unstoppable(progress)
    handle: LedgerReservation
    try:
        if stored is None:
            try:
                rehearse(prepared, ledger.delta_of(prepared.spec.population))
                with ledger.drawing(), room_beside(ledger.path, _room_for(prepared.plans)) as free:
                    handle, release = draw_and_store(
                        prepared, ledger, free, waiting, part(progress, 0.0, _DRAWN)
                    )
            except AlreadyDrawn as other:
                stored = other.stored
        if stored is not None:
            handle, release = ledger.resume(stored.entry), from_json(Release, stored.draws)
    except BaseException:
        staging.discard()
        raise
    progress(_DRAWN)
    release = dataclasses.replace(
        release,
        places=prepared.places,
        zones=prepared.spec.zones,
        lines=prepared.lines,
        counts=counts_of_rows(prepared.contributions, release) if texts.counts else None,
    )
    try:
        bundle = staging.publish(release, texts, key=key, now=now)
    except InputError as error:  # the target has appeared: who drew nothing lost nothing
        staging.discard()
        if stored is not None:
            raise
        raise ReleaseAborted(error.what, where=error.where, mend=error.mend) from error
    except (HexveilError, OSError) as error:
        staging.discard()
        raise ReleaseAborted(
            "The values are drawn and stored in the ledger, but the bundle could not be written.",
            where=str(out),
            mend="make room there, then run the same spec again: the stored values cost nothing",
        ) from error
    progress(_WRITTEN)
    try:
        handle.mark_published(texts.folder, bundle.manifest_sha256)
    except LedgerError as error:
        raise ReleaseAborted(
            "The release is published, and the ledger could not note it. {what}",
            what=error.what,
            where=str(bundle.path),
            mend="the bundle is whole and its budget is booked; once the ledger can be written, ask for the "
            "same release again: it finds the bundle and notes it",
        ) from error
    return PublishedRelease(
        bundle=bundle.path, entry=handle.entry, repeated=stored is not None, release=release
    )


def _require_confirmation(spec: ReleaseSpec) -> None:
    if not spec.confirmed:
        raise InputError(
            "The choice of relation and unit is not confirmed.",
            where="privacy.confirmed",
            mend="read what is not protected (README, relation and unit), then write confirmed = true",
        )


def _check_before_reading(spec: ReleaseSpec, ledger: Ledger) -> None:
    """The first check of method 13: the charge where a total is given, else whether one HAT fits."""
    mark, delta = drawn_spec_mark(spec, ledger), ledger.delta_of(spec.population)
    if not mark:
        for query in spec.queries:
            require_noise(query.question, query.budget, delta)
    ledger.check_known(
        spec.population,
        spec.relation,
        spec.data.rules.zone or "",
        per_vehicle=known_total(((query.question, query.budget) for query in spec.queries), delta),
        least=sum((query.budget.per_hat or EPSILON_STEP for query in spec.queries), Decimal(0)),
        spec_fingerprint=mark,
    )


def _check_constants(spec: ReleaseSpec, ledger: Ledger, cache: PlanCache | None) -> None:
    """The same of relation `user`: constants tell the exact charge, and the second check finds no other.

    Where draws of a request with the same spec are stored, that may cost nothing: it is left to the second.
    """
    plans = plans_of(spec, ledger.delta_of(spec.population), cache=cache)
    if not drawn_spec_mark(spec, ledger):
        ledger.check_exact(
            reservation_request(
                spec, plans, ledger, zone=spec.data.rules.zone or "", fingerprint="", vehicles=set()
            )
        )


def _room_for(plans: tuple[QueryPlan, ...]) -> int:
    """Bytes that the draws may take in the ledger; rather too many."""
    labelled = (bool(plan.query.question.statistic.label) for plan in plans)
    return sum(
        len(plan.hats) * (_LABELLED_BYTES if many else _HAT_BYTES)
        for plan, many in zip(plans, labelled, strict=True)
    )


def _least_of_bundle(plans: tuple[QueryPlan, ...]) -> int:
    return _LEAST_BUNDLE + sum(len(plan.hats) * _LEAST_ROW for plan in plans)
