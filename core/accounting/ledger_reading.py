"""A ledger read and verified: how often states are stored, totals that do not match, a missing ledger.

Source: method 13.5.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from core.accounting.ledger_chain import ChainRow, Head, find_damage, read_chain_head, sound_rows
from core.accounting.ledger_events import Checkpointed, Event, Reserved, Spent
from core.accounting.ledger_file import (
    RESTORE,
    BusyLedger,
    LedgerConnection,
    connection_to,
    find_draws_damage,
    find_structure_damage,
    format_of,
    hash_of_draws,
    hash_of_states,
    last_checkpoint,
    no_ledger,
    other_draws,
    read_draws,
    read_states,
    reading,
    row_at,
    rows_from,
    write_states,
)
from core.accounting.ledger_fold import StateDraft, resumed
from core.accounting.ledger_state import Place
from core.errors import LedgerError
from core.texts import text_of

MOST_EVENTS = 48
"""Events of a ledger between two stored states: a city's has some hundred thousand bytes of allowances."""


@dataclass(slots=True)
class Chain:
    """What a ledger's events add up to."""

    format: int = 0
    """0 where there is no ledger."""
    draft: StateDraft = field(default_factory=StateDraft)
    last: Place = field(default_factory=Place)
    since: int = 0
    """How many events there are since a state was stored."""
    draws_sha256: dict[int, str] = field(default_factory=dict)
    """Entry -> hash of draws in their own table, as far as its event was read."""

    def add(self, row: ChainRow) -> None:
        """Count an event. Raises LedgerError where it contradicts those before or cannot be read."""
        event = row.event(allowances=False)
        self.draft.apply(event, row.place)
        self.last = row.place
        self.since = 0 if isinstance(event, Checkpointed) else self.since + 1
        if isinstance(event, Spent) and event.draws_sha256:
            self.draws_sha256[event.entry] = event.draws_sha256

    def store(self, connection: LedgerConnection) -> Checkpointed:
        """Store the state as it is now; gives the event that is to name it."""
        texts = self.draft.stored()
        write_states(connection, {number: texts[number] for number in (0, *self.draft.changed)})
        return Checkpointed(state_sha256=hash_of_states(texts))


def head_path(path: Path) -> Path:
    """The head file of the ledger at `path`."""
    return path.with_suffix(".head")


def load_chain(path: Path) -> Chain:
    """The ledger at `path`, verified; an empty one where there is none. Raises LedgerError."""
    # The head first: read later, it could name an event committed after the rows were read.
    head = read_chain_head(head_path(path))
    if not path.exists():
        _require_absent(path, head)
        return Chain()
    with connection_to(path) as connection:
        with reading(connection):
            if head is not None or not format_of(connection, path):
                return read_chain(connection, path, head)
        # Another window may just have created the ledger, and with it the head.
        head = read_chain_head(head_path(path))
        with reading(connection):
            return read_chain(connection, path, head)


def _require_absent(path: Path, head: Head | None) -> None:
    if head is not None:
        raise LedgerError(
            "The ledger is missing, although its head file names event {seq} of it.",
            seq=head.seq,
            where=str(path),
            mend=RESTORE,
        )


def read_chain(connection: LedgerConnection, path: Path, head: Head | None) -> Chain:
    """The ledger of a connection with an open transaction, verified. Raises LedgerError.

    `head` must have been read before the transaction began. Where it names an event at or after the newest
    checkpoint, that vouches for all before; else every event is read.
    """
    chain, findings = _read(connection, path, head, whole=False)
    if findings:
        raise LedgerError(findings[0], where=str(path), mend=RESTORE)
    return chain


def check(path: Path) -> list[str]:
    """Everything wrong with the ledger at `path`, as sentences; empty when it is sound or absent.

    Every event, stored state and draw is read. Creates nothing. Raises LedgerError only when the ledger is
    busy in another window.
    """
    try:
        head = read_chain_head(head_path(path))
        if not path.exists():
            _require_absent(path, head)
            return []
        with connection_to(path) as connection, reading(connection):
            chain, findings = _read(connection, path, head, whole=True)
            findings += find_draws_damage(connection, chain.draws_sha256) if chain.format > 1 else []
            return findings + (find_structure_damage(connection, chain.format) if chain.format else [])
    except BusyLedger:
        raise
    except LedgerError as error:
        return [error.what]


def _read(
    connection: LedgerConnection, path: Path, head: Head | None, *, whole: bool
) -> tuple[Chain, list[str]]:
    """The ledger and what is wrong with it; whole: from the first event on, whatever the head vouches for."""
    chain, findings = Chain(format=format_of(connection, path)), list[str]()
    if not chain.format:
        return chain, find_damage((), head)
    newest = last_checkpoint(connection) if chain.format > 1 else None
    begun = whole or newest is None or head is None or head.seq < newest
    first = 0 if begun or newest is None else newest
    rows = sound_rows(rows_from(connection, path, first), head, findings, begun=begun)
    try:
        for row in rows:
            if row.seq == newest:
                findings += _compare_state(chain, row, read_states(connection, path), begun=begun)
            chain.add(row)
    except LedgerError:
        for _ in rows:  # what is wrong with the chain comes before what its events cannot be
            pass
        if not findings:
            raise
    return chain, findings


def _compare_state(chain: Chain, row: ChainRow, texts: list[str], *, begun: bool) -> list[str]:
    """What is wrong with the state that an event names; a chain that is not `begun` begins with it."""
    event = row.event()
    sound = isinstance(event, Checkpointed) and event.state_sha256 == hash_of_states(texts)
    if begun:
        sound = sound and texts == chain.draft.stored()
    elif sound:
        try:
            chain.draft = resumed(texts)
        except (LookupError, TypeError, ValueError):
            sound = False
    misfit = text_of("The stored totals do not match the events before event {seq}.", seq=row.seq)
    return [] if sound else [misfit]


def reserved_at(path: Path, place: Place) -> Reserved:
    """The whole event of a reservation that the verified state names. Raises LedgerError."""
    with connection_to(path) as connection:
        event = _event_at(connection, path, place)
    if not isinstance(event, Reserved):
        raise no_ledger(path)
    return event


def draws_at(path: Path, place: Place | None) -> str:
    """What was drawn, JSON text, by an event that the verified state names.

    Raises LedgerError where what is stored is not what the event says.
    """
    with connection_to(path) as connection:
        event = _event_at(connection, path, place)
        if not isinstance(event, Spent):
            raise no_ledger(path)
        draws = read_draws(connection, event.entry) if event.draws_sha256 else event.draws
    if draws is None or (event.draws_sha256 and hash_of_draws(draws) != event.draws_sha256):
        raise LedgerError(other_draws(event.entry), where=str(path), mend=RESTORE)
    return draws


def _event_at(connection: LedgerConnection, path: Path, place: Place | None) -> Event:
    row = row_at(connection, path, place.seq) if place else None
    if row is None or row.place != place or not row.is_whole:
        raise no_ledger(path)
    return row.event()
