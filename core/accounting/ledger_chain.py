"""The chain that ties a ledger's events together, and the head stored beside it.

Every row's hash covers its content and the hash before it, so that an edited or removed row is found.
The head file names a row that must be in the chain: a ledger cut short, or replaced by an older copy,
no longer holds it. Somebody who replaces both files by older copies, or computes the chain anew, is not
found: this guards against accidents and against casual edits, not against the owner of the machine.

Source: method 13.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from core.accounting.ledger_events import Event, write_parts
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


@dataclass(frozen=True, slots=True)
class Head:
    """The newest row that the head file vouches for."""

    seq: int
    hash: str


def extend(rows: Sequence[ChainRow], events: Iterable[Event], *, at: str) -> list[ChainRow]:
    """The rows that continue the chain `rows` with `events`."""
    seq, previous = (rows[-1].seq, rows[-1].hash) if rows else (0, ORIGIN)
    added = []
    for event in events:
        seq += 1
        body, private = write_parts(event)
        row_hash = _hash(previous, seq, at, event.kind, body, private)
        added.append(ChainRow(seq, at, event.kind, body, private, previous, row_hash))
        previous = row_hash
    return added


def find_damage(rows: Sequence[ChainRow], head: Head | None) -> list[str]:
    """Everything wrong with a chain and its head, as sentences; empty when sound.

    `head` must have been read before `rows`: then it is never ahead of a sound ledger.
    """
    findings = []
    seq, previous = 0, ORIGIN
    for row in rows:
        if row.seq != seq + 1:
            findings.append(text_of("Events are missing from the ledger before event {seq}.", seq=row.seq))
        elif row.previous != previous:
            findings.append(text_of("Event {seq} does not follow the event before it.", seq=row.seq))
        if row.hash != _hash(row.previous, row.seq, row.at, row.kind, row.body, row.private):
            findings.append(text_of("Event {seq} has been edited.", seq=row.seq))
        seq, previous = row.seq, row.hash
    return findings + _find_head_damage(rows, head)


def _find_head_damage(rows: Sequence[ChainRow], head: Head | None) -> list[str]:
    if head is None:
        # One event without a head is what a crash leaves while a ledger is being created.
        return ["The head file of the ledger is missing."] if len(rows) > 1 else []
    if not any(row.seq == head.seq and row.hash == head.hash for row in rows):
        return [
            text_of(
                "The ledger has been rolled back or cut short: event {seq}, named in its head file, is not "
                "in it.",
                seq=head.seq,
            )
        ]
    return []


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
            mend="make room on the disk and let the folder be written, then try again",
        ) from None
