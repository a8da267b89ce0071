"""The ledger as it is written: lock files, linked populations, another release that draws, a failing disk.

Append-only events in a hash chain (`ledger_chain`), folded into a state (`ledger_fold`), judged by rules
(`ledger_rules`). Every call opens its own connection, reads and verifies the chain from the newest stored
state on (`ledger_reading`), and a writing call decides, appends and commits durably inside one write
transaction: several windows and threads may share a ledger, and a kill at any moment leaves each entry whole
or absent.

Source: method 13.
"""

from __future__ import annotations

import datetime as dt
import json
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from enum import Enum
from pathlib import Path
from typing import Any, Final

from filelock import FileLock, Timeout

from core.accounting import ledger_rules as rules
from core.accounting.fingerprint import Pieces, keyed_hash
from core.accounting.ledger_chain import ChainRow, advance_head, extend, read_chain_head
from core.accounting.ledger_events import (
    EVENT_FORMAT,
    Evaluated,
    Event,
    LedgerCreated,
    Noticed,
    PolicySet,
    PopulationCreated,
    Published,
    ReservationRequest,
    Reserved,
    Spent,
)
from core.accounting.ledger_file import (
    LedgerConnection,
    UnwritableLedger,
    add_draws,
    add_rows,
    connection_to,
    create_private,
    format_of,
    hash_of_draws,
    make_tables,
    require_local,
    row_at,
    writing,
)
from core.accounting.ledger_reading import (
    MOST_EVENTS,
    Chain,
    check,
    draws_at,
    head_path,
    load_chain,
    read_chain,
    reserved_at,
)
from core.accounting.ledger_report import PopulationSummary, export_json, summarise_populations
from core.accounting.ledger_state import ZERO, Entry, EntryState, LedgerState, Place, delta_of
from core.accounting.privacy_loss import PrivacyLoss
from core.errors import InputError, InternalError, LedgerError
from core.privacy import Allowance, Relation, Unit
from core.system.files import sync_folder
from core.system.nested_texts import json_value

__all__ = ["AS_SET", "AsSet", "Ledger", "LedgerReservation", "ReservationRequest", "StoredDraws", "check"]

_TURN_SECONDS = 600.0
_KEY_BYTES = 32
_DRAWN = (EntryState.SPENT, EntryState.PUBLISHED)


class AsSet(Enum):
    """What stands in place of a limit that stays as it was set; of a new population, there is none."""

    AS_SET = "as set"


AS_SET: Final = AsSet.AS_SET


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredDraws:
    """What an identical earlier request drew: publishing it again costs nothing."""

    entry: int
    draws: Mapping[str, Any] = field(repr=False)
    state: EntryState
    """`spent` or `published`."""


class AlreadyDrawn(Exception):
    """Another run drew the same request meanwhile: its draws are there, and cost nothing more."""

    def __init__(self, stored: StoredDraws) -> None:
        super().__init__("the same request was drawn meanwhile")
        self.stored = stored


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerReservation:
    """An entry of the ledger: budget set aside, to be drawn once and published."""

    ledger: Ledger = field(repr=False)
    entry: int
    allowances: tuple[Allowance, ...] = field(repr=False)
    cumulative: Mapping[Unit, Decimal]
    """Spent per unit by the population and those linked to it, this entry included, at reservation."""
    cumulative_parts: Mapping[Unit, PrivacyLoss]
    """What that epsilon was converted from; empty where no rho is in it."""
    delta: Decimal
    """At which it was converted; 0 where no rho is in it."""
    delta_before: Decimal
    """A smaller one, at which an earlier total was converted; 0 where there was none."""
    limits: Mapping[Unit, Decimal | None]
    """The smallest of their limits at reservation; None where there is none."""
    evaluated: bool
    """The population, or one linked to it, had been evaluated before the reservation."""
    reserved_on: dt.date
    """UTC."""

    def confirm(self) -> None:
        """Read the entry back from disk. Raises LedgerError unless it is reserved and undrawn."""
        self.ledger._require_state(self.entry, EntryState.RESERVED)

    def store_draws(self, draws: Mapping[str, object]) -> None:
        """Durably store what was drawn (JSON values); the entry is then `spent`.

        Raises LedgerError unless the entry is reserved and undrawn.
        """
        text = json.dumps(draws, allow_nan=False)
        event = Spent(entry=self.entry, draws_sha256=hash_of_draws(text))
        self.ledger._conclude(self.entry, event, EntryState.RESERVED, draws=text)

    def mark_published(self, bundle_name: str, manifest_sha256: str) -> None:
        """Record a published bundle; a repeated publication is recorded as one more.

        Raises LedgerError when no draws are stored.
        """
        event = Published(entry=self.entry, bundle=bundle_name, manifest_sha256=manifest_sha256)
        self.ledger._conclude(self.entry, event, *_DRAWN)


class Ledger:
    """A ledger at a path. Make it with `Ledger.open`; usable from any thread.

    The file, and its folder with mode 0700, come into being with the first `set_limit` or
    `mark_evaluated`: nothing that only reads creates them. Every method raises LedgerError when the
    ledger is damaged, rolled back, missing beside its head, or busy in another window for more than five
    seconds.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._head_path = head_path(path)

    @classmethod
    def open(cls, path: Path) -> Ledger:
        """The ledger at `path`, verified where it exists. Raises LedgerError."""
        ledger = cls(path)
        ledger._load()
        return ledger

    @property
    def path(self) -> Path:
        """Of its file; what belongs to it lies beside."""
        return self._path

    def __enter__(self) -> Ledger:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Nothing stays open between calls; a reservation outlives the `with` block it was made in."""

    # Administration

    def set_limit(
        self,
        population: str,
        *,
        per_vehicle: Decimal,
        per_vehicle_day: Decimal | AsSet | None = None,
        delta: Decimal | AsSet = ZERO,
    ) -> None:
        """Set the limits (epsilon) of a population, creating its name. Raises InputError.

        delta: at which Gaussian noise is counted; with 0 none can be bought, and a population that has
        bought some releases nothing. AS_SET: that limit stays what it is.
        """
        name = rules.clean_name(population)
        rules.check_limits(
            per_vehicle=per_vehicle,
            per_vehicle_day=None if per_vehicle_day is AS_SET else per_vehicle_day,
            delta=ZERO if delta is AS_SET else delta,
        )

        def decide(state: LedgerState) -> list[Event]:
            known = state.populations.get(name)
            was = known.policy if known else None
            former_day, former_delta = (was.per_vehicle_day, was.delta) if was else (None, ZERO)
            policy = PolicySet(
                population=name,
                per_vehicle=per_vehicle,
                per_vehicle_day=former_day if per_vehicle_day is AS_SET else per_vehicle_day,
                delta=former_delta if delta is AS_SET else delta,
            )
            return [policy] if known else [_new_population(name), policy]

        self._create_file()
        self._append(decide)

    def link(self, population: str, other: str) -> None:
        """Let two populations share vehicles: each pays for every entry of either, those made before too.

        Raises InputError when the names are equal, BudgetRefused when one of them has no limit, or their
        relations or zones differ.
        """
        first, second = rules.clean_name(population), rules.clean_name(other)
        if first == second:
            raise InputError(
                "A population cannot be linked to itself.", where=first, mend="name two populations"
            )
        self._append(lambda state: [*filter(None, [rules.decide_link(state, first, second)])])

    def mark_different(self, population: str, other: str) -> None:
        """Note that two populations are of different things: ids that look alike are refused no more.

        Raises InputError when the names are equal, BudgetRefused when one of them has no limit, or they are
        linked.
        """
        first, second = rules.clean_name(population), rules.clean_name(other)
        if first == second:
            raise InputError(
                "A population is not different from itself.", where=first, mend="name two populations"
            )
        self._append(lambda state: [*filter(None, [rules.decide_different(state, first, second)])])

    # Evaluation

    def mark_evaluated(self, population: str) -> None:
        """Record, for good, that errors on true values of a population are shown (method 10).

        Call it before they are computed; a second time changes nothing. A new name comes into being
        without a limit: nothing is released under it until one is set. Raises InputError.
        """
        name = rules.clean_name(population)

        def decide(state: LedgerState) -> list[Event]:
            mark = Evaluated(population=name, on=_now().date())
            if name not in state.populations:
                return [_new_population(name), mark]
            return [] if state.populations[name].evaluated_on is not None else [mark]

        self._create_file()
        self._append(decide)

    def was_evaluated(self, population: str) -> bool:
        """Whether a population, or one linked to it, was evaluated; a new name was not. Raises InputError."""
        return rules.was_evaluated(self._load(), rules.clean_name(population))

    def delta_of(self, population: str) -> Decimal:
        """At which Gaussian noise is bought: the smallest delta of a population and those linked to it.

        0 where one of them allows none, or has no limit yet. Raises InputError.
        """
        state, name = self._load(), rules.clean_name(population)
        return delta_of(state.group(name)) if name in state.populations else ZERO

    # Keys

    def tie_key(self, population: str) -> bytes:
        """32 bytes that order users with equal counts (method 4). Raises BudgetRefused without a limit."""
        return rules.known_population(self._load(), rules.clean_name(population)).tie_key

    def fingerprint(self, population: str, *parts: bytes | Pieces) -> str:
        """HMAC-SHA256 (hex) of `parts` under the population's key, which never leaves the ledger.

        Raises BudgetRefused when the population has no limit.
        """
        return self.fingerprints(population, [parts])[0]

    def fingerprints(self, population: str, contents: Iterable[Sequence[bytes | Pieces]]) -> list[str]:
        """That of each of `contents`; the ledger is read once for all of them."""
        key = rules.known_population(self._load(), rules.clean_name(population)).hmac_key
        return [keyed_hash(key, *parts) for parts in contents]

    # The two checks and the reservation

    def check_known(
        self,
        population: str,
        relation: Relation,
        zone: str,
        *,
        per_vehicle: Decimal | None,
        least: Decimal,
        spec_fingerprint: str = "",
    ) -> None:
        """First check, before data are read. Raises BudgetRefused; changes nothing.

        zone: IANA name; per_vehicle: the charge per vehicle where it is known without data, else None;
        least: what one HAT costs; spec_fingerprint: that of the request. Where draws of a request with the
        same one are stored, repeating it may cost nothing, and whether it does is left to the second check.
        """
        name, state = rules.clean_name(population), self._load()
        if not (spec_fingerprint and state.has_draws(name, spec_fingerprint)):
            rules.decide_known(state, name, relation, zone, per_vehicle=per_vehicle, least=least)

    def check_exact(self, request: ReservationRequest) -> None:
        """Second check, with the exact charge. Raises BudgetRefused; changes nothing."""
        rules.decide_reservation(self._load(), request, today=_now().date())

    def reserve(self, request: ReservationRequest) -> LedgerReservation:
        """Check again and durably set the budget aside, in one transaction.

        Raises BudgetRefused, or AlreadyDrawn where draws of this very request are there by now; then nothing
        has changed. From the return on the charge counts as spent.
        """

        made: list[Reserved] = []

        def decide(state: LedgerState) -> list[Event]:
            marks = (request.place_fingerprint, request.fingerprint)
            stored = self._drawn(state, request.population, marks)
            if stored is not None:
                raise AlreadyDrawn(stored)
            made.append(rules.decide_reservation(state, request, today=_now().date()))
            return [*made]

        require_local(self._path)
        # drawing goes on where the head lags: it names an earlier event, and the next one moves it further
        self._append(decide, head_may_lag=True)
        return _handle(self, made[0])

    @contextmanager
    def drawing(self) -> Iterator[None]:
        """For one run at a time, from its reservation until its draws are stored.

        Who asks for the same finds them then, and pays nothing. A process that dies gives its turn up.
        Raises LedgerError where the others take more than ten minutes.
        """
        lock = FileLock(self._path.with_suffix(".drawing"), mode=0o600, fallback_to_soft=False)
        try:
            lock.acquire(timeout=_TURN_SECONDS)
        except Timeout:
            raise LedgerError(
                "Another release has been drawing for ten minutes.",
                where=str(self._path),
                mend="wait for it, or close the window where it runs, then try again",
            ) from None
        except OSError as error:
            raise LedgerError(
                "No lock file can be created in the ledger's folder: {strerror}.",
                strerror=error.strerror,
                where=str(self._path.parent),
                mend="keep the ledger on a writable disk of this computer",
            ) from None
        try:
            yield
        finally:
            lock.release()

    def with_draws(self, population: str, spec_fingerprints: Iterable[str]) -> list[str]:
        """Those for which draws are stored: of requests that were the same before their data were read."""
        state, name = self._load(), rules.clean_name(population)
        return [mark for mark in spec_fingerprints if state.has_draws(name, mark)]

    def find_identical(self, population: str, *marks: str) -> StoredDraws | None:
        """The draws of the latest entry with the first of these fingerprints that any has, or None.

        An entry that was only reserved counts as spent but has no draws: it is not found.
        """
        return self._drawn(self._load(), population, marks)

    def newest_draws(self, population: str) -> StoredDraws | None:
        """Of a population's latest entry that has draws; None where there is no such population either."""
        name = rules.clean_name(population)
        for entry in reversed(self._load().entries):
            if entry.terms.population == name and entry.drawn_at is not None:
                return self._stored(entry)
        return None

    def unpublished(self, population: str) -> Iterator[StoredDraws]:
        """Draws of a population that no bundle is noted for, newest first."""
        name = rules.clean_name(population)
        for entry in reversed(self._load().entries):
            if entry.terms.population == name and entry.state is EntryState.SPENT:
                yield self._stored(entry)

    def resume(self, entry: int) -> LedgerReservation:
        """The handle of an earlier entry with stored draws, for `mark_published`; it buys no noise.

        Raises LedgerError when there is no such entry or it has no draws.
        """
        found = self._load().entry(entry)
        rules.require_state(found, *_DRAWN)
        return _handle(self, reserved_at(self._path, found.reserved_at))

    # What became of a bundle

    def note_notice(
        self, *, bundle: str, manifest_sha256: str, notice: str, replaced_by: str, on: dt.date
    ) -> bool:
        """Note, once, that a bundle was corrected or withdrawn; False where this ledger never published it.

        bundle, replaced_by: `<name>-<version>`; notice: `withdrawn` or `corrected`; on: UTC. What the bundle
        cost stays spent.
        """

        def noticed(state: LedgerState) -> dict[Noticed, tuple[Noticed, ...]]:
            """What is to be noted of each entry, and what was noted of it before."""
            return {
                Noticed(
                    entry=entry.number, bundle=bundle, notice=notice, replaced_by=replaced_by, on=on
                ): entry.notices
                for entry in reversed([*state.entries.holding(manifest_sha256)])
                if any(
                    (item.bundle, item.manifest_sha256) == (bundle, manifest_sha256) for item in entry.bundles
                )
            }

        if not noticed(self._load()):
            return False
        self._append(lambda state: [new for new, old in noticed(state).items() if old[-1:] != (new,)])
        return True

    # Reading

    def populations(self) -> tuple[PopulationSummary, ...]:
        """Every population with its limits, what it spent and its entries, by name."""
        return summarise_populations(self._load())

    def populations_and_key(self, name: str) -> tuple[tuple[PopulationSummary, ...], bytes | None]:
        """The same, and the `tie_key` of the population of this name, None where there is none."""
        state = self._load()
        known = state.populations.get(name)
        return summarise_populations(state), known.tie_key if known else None

    def export(self) -> dict[str, Any]:
        """The public part as plain JSON values: no keys, hashes, fingerprints, vehicles or draws."""
        return export_json(self.populations())

    # Inside

    def _require_state(self, number: int, *allowed: EntryState) -> None:
        rules.require_state(self._load().entry(number), *allowed)

    def _conclude(self, number: int, event: Event, *allowed: EntryState, draws: str | None = None) -> None:
        def decide(state: LedgerState) -> list[Event]:
            rules.require_state(state.entry(number), *allowed)
            return [event]

        self._append(decide, draws=None if draws is None else (number, draws))

    def _load(self) -> LedgerState:
        return load_chain(self._path).draft.state()

    def _stored(self, entry: Entry) -> StoredDraws:
        draws = json_value(draws_at(self._path, entry.drawn_at))
        return StoredDraws(entry=entry.number, draws=draws, state=entry.state)

    def _drawn(self, state: LedgerState, name: str, marks: Sequence[str]) -> StoredDraws | None:
        """The draws of the latest entry with the first of these marks that one has; none is like no other."""
        for mark in filter(None, marks):
            for entry in state.with_draws(rules.clean_name(name), mark):
                if mark in (entry.fingerprint, entry.place_fingerprint):
                    return self._stored(entry)
        return None

    def _append(
        self,
        decide: Callable[[LedgerState], Sequence[Event]],
        *,
        draws: tuple[int, str] | None = None,
        head_may_lag: bool = False,
    ) -> None:
        """Commit the events that `decide` makes of the verified state, and the draws of an entry with them.

        `decide` refuses by raising. It must refuse in an empty ledger, unless the file was created.
        head_may_lag: that the head could not be written after the commit is not raised. A file of format 1
        becomes one of the newest in the same transaction.
        """
        if not self._path.exists():
            decide(self._load())
            raise InternalError("a ledger that does not exist was written to")
        added: list[ChainRow] = []
        try:
            with connection_to(self._path) as connection, writing(connection):
                chain = read_chain(connection, self._path, read_chain_head(self._head_path))
                events = decide(chain.draft.state())
                added = _written(connection, chain, events, draws)
        except UnwritableLedger:
            if not (added and self._committed(added[-1])):
                raise
        if added:
            try:
                advance_head(self._head_path, added[-1])
            except LedgerError:
                if not head_may_lag:
                    raise

    def _committed(self, row: ChainRow) -> bool:
        """Whether a commit that ended with an error is in the ledger all the same, and durably so.

        The last steps of a commit may fail when the event is in the file already: who took it for lost would
        pay again. Raises LedgerError where it is in the ledger and the disk does not confirm it.
        """
        with connection_to(self._path) as connection:
            if row_at(connection, self._path, row.seq) != row:
                return False
        try:
            sync_folder(self._path.parent)
        except OSError as error:
            raise LedgerError(
                "The event is in the ledger and counts, but its disk does not confirm it: {strerror}.",
                strerror=error.strerror,
                where=str(self._path),
                mend="make room on the disk, check it for errors, then try again",
            ) from None
        return True

    def _create_file(self) -> None:
        """Make the file and its first event where there is neither ledger nor head."""
        require_local(self._path)
        if read_chain_head(self._head_path) is not None:
            return
        create_private(self._path)
        with connection_to(self._path) as connection, writing(connection):
            rows = []
            if not format_of(connection, self._path):
                make_tables(connection, 0)
                created = LedgerCreated(vehicle_key=secrets.token_bytes(_KEY_BYTES))
                rows = extend(Place(), [created], at=_now().isoformat(timespec="seconds"))
                add_rows(connection, rows)
            elif (first := row_at(connection, self._path, 1)) and not row_at(connection, self._path, 2):
                rows = [first]  # its head is missing
        if rows:
            advance_head(self._head_path, rows[0])


def _handle(ledger: Ledger, reserved: Reserved) -> LedgerReservation:
    return LedgerReservation(
        ledger=ledger,
        entry=reserved.entry,
        allowances=reserved.allowances,
        cumulative=dict(reserved.cumulative),
        cumulative_parts=dict(reserved.cumulative_parts),
        delta=reserved.delta,
        delta_before=reserved.delta_before,
        limits=dict(reserved.limits),
        evaluated=reserved.evaluated,
        reserved_on=reserved.reserved_on,
    )


def _written(
    connection: LedgerConnection, chain: Chain, events: Sequence[Event], draws: tuple[int, str] | None
) -> list[ChainRow]:
    """The rows that were added for events, and with them what they need stored."""
    at = _now().isoformat(timespec="seconds")
    added = extend(chain.last, events, at=at)
    for row in added:
        chain.add(row)
    if not added:
        return []
    old = chain.format < EVENT_FORMAT
    if old:
        make_tables(connection, chain.format)
    if draws:
        add_draws(connection, *draws)
    # not with draws: the room that was set aside for them is for them alone
    if old or (chain.since >= MOST_EVENTS and not draws):
        added += extend(chain.last, [chain.store(connection)], at=at)
    add_rows(connection, added)
    return added


def _new_population(name: str) -> PopulationCreated:
    return PopulationCreated(
        population=name,
        tie_key=secrets.token_bytes(_KEY_BYTES),
        hmac_key=secrets.token_bytes(_KEY_BYTES),
    )


def _now() -> dt.datetime:
    return dt.datetime.now(dt.UTC)
