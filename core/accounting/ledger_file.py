"""SQL statements of the ledger's file, and its refusals: network drive, format, damage, another window.

`events` is the chain; `draws` holds what was drawn for an entry, the SHA-256 of which its event names;
`states` holds what all events before the newest checkpoint add up to, row 0 all but the entries. Format 1 had
`events` alone, with the draws in them: a file of it stays so until something is written, and its events stay
as they are for good.

Source: method 13.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from core.accounting.ledger_chain import ChainRow
from core.accounting.ledger_events import EVENT_FORMAT, Checkpointed
from core.errors import LedgerError
from core.system.files import private_opener, sync_folder
from core.system.network_drive import is_on_network
from core.system.paths import program_name
from core.texts import text_of

LedgerConnection = sqlite3.Connection
BUSY_SECONDS = 5.0
RESTORE = text_of(
    "restore the ledger and its head from the newest backup; `{value} ledger check` lists the damage",
    value=program_name(),
)
_APPLICATION_ID = 0x48584C47
_GUARDED = ("events", "draws")
_TABLES = {
    "events": "CREATE TABLE events (seq INTEGER PRIMARY KEY, at TEXT NOT NULL, kind TEXT NOT NULL,"
    " body TEXT NOT NULL, private TEXT NOT NULL, previous TEXT NOT NULL, hash TEXT NOT NULL) STRICT",
    "draws": "CREATE TABLE draws (entry INTEGER PRIMARY KEY, content TEXT NOT NULL) STRICT",
    "states": "CREATE TABLE states (number INTEGER PRIMARY KEY, content TEXT NOT NULL) STRICT",
}
_MARKED = f"kind = '{Checkpointed.kind}'"
_SELECT = "SELECT seq, at, kind, body, private, previous, hash FROM events WHERE seq >= ? ORDER BY seq"
_INSERT = "INSERT INTO events (seq, at, kind, body, private, previous, hash) VALUES (?, ?, ?, ?, ?, ?, ?)"


class UnwritableLedger(LedgerError):
    """The disk is full, or the file may not be written."""

    passing = True


class BusyLedger(LedgerError):
    """Another window holds the ledger."""

    passing = True


def require_local(path: Path) -> None:
    """Raise LedgerError for a drive of another computer: two of them could spend the same budget there."""
    if is_on_network(path.absolute()):
        raise LedgerError(
            "The ledger is on a network drive. Locks and writes are not safe there, so two computers could "
            "spend the same budget.",
            where=str(path),
            mend="keep the home on a disk of this computer (--home or HEXVEIL_HOME); move ledger.sqlite and "
            "ledger.head there, and let one computer release for a population",
        )


def create_private(path: Path) -> None:
    """An empty file with mode 0600, in a folder with mode 0700, where there is none. Raises LedgerError."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with suppress(FileExistsError):
            os.close(private_opener(str(path), os.O_WRONLY | os.O_CREAT | os.O_EXCL))
            sync_folder(path.parent)
    except OSError as error:
        raise LedgerError(
            "The ledger cannot be created: {strerror}.",
            strerror=error.strerror,
            where=str(path),
            mend="name another folder with --home or HEXVEIL_HOME",
        ) from None


@contextmanager
def connection_to(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection that never creates a file; what SQLite raises becomes LedgerError."""
    # asked by its name: to close another handle of the file would give up the locks of this process
    if path.exists() and not path.is_file():
        raise LedgerError(
            "This is not a file but a folder, a pipe or a device.", where=str(path), mend=RESTORE
        )
    try:
        uri = f"{path.absolute().as_uri()}?mode=rw"
        with closing(
            sqlite3.connect(uri, uri=True, timeout=BUSY_SECONDS, isolation_level=None)
        ) as connection:
            connection.execute("PRAGMA journal_mode = DELETE")
            connection.execute("PRAGMA synchronous = EXTRA")
            yield connection
    except sqlite3.Error as error:
        raise _translate(error, path) from None
    except UnicodeDecodeError:
        # sqlite3 raises it for a name or a message of SQLite's that quotes damaged bytes of the file
        raise no_ledger(path) from None


@contextmanager
def writing(connection: sqlite3.Connection) -> Iterator[None]:
    """One write transaction: committed durably at the end, or as if it had never been."""
    with _transaction(connection, "BEGIN IMMEDIATE"):
        yield


@contextmanager
def reading(connection: sqlite3.Connection) -> Iterator[None]:
    """One read transaction: all that is read in it is of one moment."""
    with _transaction(connection, "BEGIN"):
        yield


@contextmanager
def _transaction(connection: sqlite3.Connection, begin: str) -> Iterator[None]:
    connection.execute(begin)
    try:
        yield
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def no_ledger(path: Path) -> LedgerError:
    """Of a file that holds what no ledger does."""
    return LedgerError("The ledger file is damaged.", where=str(path), mend=RESTORE)


def _translate(error: sqlite3.Error, path: Path) -> LedgerError:
    name = getattr(error, "sqlite_errorname", "") or ""
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return BusyLedger(
            "Another window is using the ledger.",
            where=str(path),
            mend="wait until it has finished, then retry",
        )
    if name.startswith(("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_FULL", "SQLITE_PERM", "SQLITE_IOERR")):
        return UnwritableLedger(
            "The ledger cannot be read or written.",
            where=str(path),
            mend="make room on the disk and make the ledger's file and folder writable",
        )
    return no_ledger(path)


def format_of(connection: sqlite3.Connection, path: Path) -> int:
    """1 or 2; 0 for a file that a crash left empty while the ledger was being created. Raises LedgerError."""
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    if tables == 0 and application == 0:
        return 0
    if application != _APPLICATION_ID:
        raise LedgerError("The file is a database, but not a ledger.", where=str(path), mend=RESTORE)
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version > EVENT_FORMAT:
        raise LedgerError(
            "The ledger has format {found}, and this version of the program reads up to {newest}.",
            found=version,
            newest=EVENT_FORMAT,
            where=str(path),
            mend="open it with the version that wrote it, or a newer one",
        )
    return max(int(version), 1)


def make_tables(connection: sqlite3.Connection, found: int) -> None:
    """Those that a file of the format `found` (0: empty) lacks, in the transaction that is open."""
    names = [name for name in _TABLES if found == 0 or name != "events"]
    for name in names:
        connection.execute(_TABLES[name])
        for guard, action in _guards(name).items():
            connection.execute(
                f"CREATE TRIGGER {guard} BEFORE {action} ON {name} BEGIN"
                " SELECT RAISE(ABORT, 'append only'); END"
            )
    connection.execute(f"CREATE INDEX checkpoints ON events (seq) WHERE {_MARKED}")
    connection.execute(f"PRAGMA application_id = {_APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {EVENT_FORMAT}")


def _guards(table: str) -> dict[str, str]:
    """Name of a trigger -> what it forbids."""
    if table not in _GUARDED:
        return {}
    return {f"{table}_are_not_edited": "UPDATE", f"{table}_are_not_removed": "DELETE"}


def rows_from(connection: sqlite3.Connection, path: Path, first: int) -> Iterator[ChainRow]:
    """The rows from one on, in order, one by one: in format 1 they hold the draws. Raises LedgerError."""
    for seq, *texts in connection.execute(_SELECT, (first,)):
        if not (isinstance(seq, int) and all(isinstance(text, str) for text in texts)):
            raise no_ledger(path)
        yield ChainRow(seq, *texts)


def row_at(connection: sqlite3.Connection, path: Path, seq: int) -> ChainRow | None:
    """The row of this number; None where there is none. Raises LedgerError."""
    row = next(rows_from(connection, path, seq), None)
    return row if row is not None and row.seq == seq else None


def add_rows(connection: sqlite3.Connection, rows: Iterable[ChainRow]) -> None:
    """Append to the chain."""
    connection.executemany(_INSERT, map(_columns, rows))


def _columns(row: ChainRow) -> tuple[int, str, str, str, str, str, str]:
    return (row.seq, row.at, row.kind, row.body, row.private, row.previous, row.hash)


def last_checkpoint(connection: sqlite3.Connection) -> int | None:
    """The number of the newest event that names a stored state; None where there is none."""
    (seq,) = connection.execute(f"SELECT max(seq) FROM events WHERE {_MARKED}").fetchone()
    return seq if isinstance(seq, int) else None


def read_states(connection: sqlite3.Connection, path: Path) -> list[str]:
    """The stored texts, that of all but the entries first. Raises LedgerError."""
    found = connection.execute("SELECT number, content FROM states ORDER BY number").fetchall()
    if not all(number == at and isinstance(text, str) for at, (number, text) in enumerate(found)):
        raise no_ledger(path)
    return [text for _, text in found]


def write_states(connection: sqlite3.Connection, texts: Mapping[int, str]) -> None:
    """Replace stored texts, or add them."""
    connection.executemany("INSERT OR REPLACE INTO states (number, content) VALUES (?, ?)", texts.items())


def hash_of_states(texts: Sequence[str]) -> str:
    """SHA-256 over the stored texts, each with its length before it, as hexadecimal digits."""
    digest = hashlib.sha256()
    for text in texts:
        content = text.encode()
        digest.update(len(content).to_bytes(8, "big") + content)
    return digest.hexdigest()


def add_draws(connection: sqlite3.Connection, entry: int, content: str) -> None:
    """Store what was drawn for an entry."""
    connection.execute("INSERT INTO draws (entry, content) VALUES (?, ?)", (entry, content))


def read_draws(connection: sqlite3.Connection, entry: int) -> str | None:
    """What was drawn for an entry; None where nothing readable is stored."""
    found = connection.execute("SELECT content FROM draws WHERE entry = ?", (entry,)).fetchone()
    return found[0] if found and isinstance(found[0], str) else None


def hash_of_draws(content: str) -> str:
    """SHA-256 as hexadecimal digits."""
    return hashlib.sha256(content.encode()).hexdigest()


def other_draws(entry: int) -> str:
    """Said of draws that their event does not name."""
    return text_of("The stored draws of entry {entry} are not those that were drawn.", entry=entry)


def find_draws_damage(connection: sqlite3.Connection, hashes: Mapping[int, str]) -> list[str]:
    """What is wrong with draws, the hashes of which their events name, as sentences."""
    findings, missing = [], dict(hashes)
    for entry, content in connection.execute("SELECT entry, content FROM draws ORDER BY entry"):
        if not isinstance(content, str) or missing.pop(entry, "") != hash_of_draws(content):
            findings.append(other_draws(entry))
    lost = text_of("The draws of entry {entry} are missing.", entry=min(missing)) if missing else ""
    return findings + ([lost] if lost else [])


def find_structure_damage(connection: sqlite3.Connection, found: int) -> list[str]:
    """What is wrong with the file of a format apart from what it holds, as sentences."""
    findings = []
    (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall()
    if verdict != "ok":
        findings.append(text_of("The database file of the ledger is damaged."))
    guards = {guard for table in _GUARDED[:found] for guard in _guards(table)}
    if not {name for (name,) in names} >= guards:
        findings.append(text_of("The guards that keep events from being edited have been removed."))
    return findings
