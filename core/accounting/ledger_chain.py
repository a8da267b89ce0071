"""The chain of hashes and the head file, which show that events are missing or a ledger was rolled back.

Every row's hash covers its content and the hash before it, so that an edited or removed row is found.
The head file names a row that must be in the chain: a ledger cut short, or replaced by an older copy,
no longer holds it. Somebody who replaces both files by older copies, or computes the chain anew, is not
found: this guards against accidents and against casual edits, not against the owner of the machine.

Every so many events one of them names the hash of what all before it add up to, which is stored beside the
chain. From a head at or after it everything up to it follows: who forges what is stored must compute that
event, all after it and the head anew, as who edits an event must.

Source: method 13.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from core.accounting.ledger_events import Event, read_event, write_parts
from core.accounting.ledger_state import Place
from core.errors import InputError, LedgerError
from core.system.files import write_atomic
from core.system.files_in_use import when_released
from core.system.nested_texts import json_value
from core.system.regular_files import read_regular
from core.texts import text_of

ORIGIN = "0" * 64
"""What stands in place of the hash before the first row."""


@dataclass(frozen=True, slots=True)
class ChainRow:
    """One stored event, in the order of the table's columns."""

    seq: int
    at: str
    """Instant of writing, ISO 8601 in UTC."""
    kind: str
    body: str = field(repr=False)
    private: str = field(repr=False)
    previous: str
    hash: str

    @property
    def is_whole(self) -> bool:
        """Whether its hash is that of its content."""
        return self.hash == _hash(self.previous, self.seq, self.at, self.kind, self.body, self.private)

    @property
    def place(self) -> Place:
        """Where it lies."""
        return Place(self.seq, self.hash)

    def event(self, *, allowances: bool = True) -> Event:
        """What it holds. Raises LedgerError for what this version cannot read."""
        return read_event(self.kind, self.body, self.private, allowances=allowances)


@dataclass(frozen=True, slots=True)
class Head:
    """The newest row that the head file vouches for."""

    seq: int
    hash: str


def extend(last: Place, events: Iterable[Event], *, at: str) -> list[ChainRow]:
    """The rows that continue the chain after its row `last`, `Place()` for none, with `events`."""
    added = []
    for event in events:
        seq, previous = last.seq + 1, last.hash or ORIGIN
        body, private = write_parts(event)
        row_hash = _hash(previous, seq, at, event.kind, body, private)
        added.append(ChainRow(seq, at, event.kind, body, private, previous, row_hash))
        last = added[-1].place
    return added


def find_damage(rows: Iterable[ChainRow], head: Head | None, *, begun: bool = True) -> list[str]:
    """Everything wrong with a chain and its head, as sentences; empty when sound.

    `head` must have been read before `rows`: then it is never ahead of a sound ledger. begun: whether the
    rows are all of the chain, and not those from one of its rows on.
    """
    findings: list[str] = []
    for _ in sound_rows(rows, head, findings, begun=begun):
        pass
    return findings


def sound_rows(
    rows: Iterable[ChainRow], head: Head | None, findings: list[str], *, begun: bool = True
) -> Iterator[ChainRow]:
    """The same rows, one by one; what is wrong with them and the head is added to `findings` on the way."""
    last, named = Place(), False
    for number, row in enumerate(rows):
        if number or begun:
            if row.seq != last.seq + 1:
                findings.append(
                    text_of("Events are missing from the ledger before event {seq}.", seq=row.seq)
                )
            elif row.previous != (last.hash or ORIGIN):
                findings.append(text_of("Event {seq} does not follow the event before it.", seq=row.seq))
        if not row.is_whole:
            findings.append(text_of("Event {seq} has been edited.", seq=row.seq))
        named = named or head == Head(row.seq, row.hash)
        last = Place(row.seq, row.hash)
        yield row
    if head is None:
        # One event without a head is what a crash leaves while a ledger is being created.
        if last.seq > 1:
            findings.append(text_of("The head file of the ledger is missing."))
    elif not named:
        findings.append(
            text_of(
                "The ledger has been rolled back or cut short: event {seq}, named in its head file, is not "
                "in it.",
                seq=head.seq,
            )
        )


def _hash(previous: str, seq: int, at: str, kind: str, body: str, private: str) -> str:
    digest = hashlib.sha256()
    for part in (previous, str(seq), at, kind, body, private):
        content = part.encode()
        digest.update(len(content).to_bytes(8, "big") + content)
    return digest.hexdigest()


def read_chain_head(path: Path) -> Head | None:
    """The head, or None where there is no file. Raises LedgerError when it cannot be read."""
    try:
        stored = json_value(when_released(lambda: read_regular(path)))
        return Head(int(stored["seq"]), str(stored["hash"]))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (LookupError, OSError, OverflowError, TypeError, ValueError):
        raise LedgerError(
            "The head file of the ledger cannot be read.",
            where=str(path),
            mend="restore the ledger and its head from the newest backup",
        ) from None


def advance_head(path: Path, row: ChainRow) -> None:
    """Let the head name `row`, unless another window has moved it further. Raises LedgerError."""
    present = read_chain_head(path)
    if present is not None and present.seq >= row.seq:
        return
    content = json.dumps({"seq": row.seq, "hash": row.hash}) + "\n"
    try:
        write_atomic(path, content.encode(), mode=0o600)
    except InputError as error:
        raise LedgerError(
            "The event is in the ledger and counts, but the head file was not written. {what}",
            what=error.what,
            where=str(path),
            mend="make room on the disk and make the folder writable, then try again",
        ) from None
