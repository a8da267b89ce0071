"""A ledger is read from its newest stored state on; whatever is used of it is what the head vouches for."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from decimal import Decimal
from pathlib import Path

import pytest

from core.accounting import ledger_reading
from core.accounting.ledger import Ledger, check, head_path
from core.accounting.ledger_chain import ChainRow, Head, extend
from core.accounting.ledger_events import Checkpointed, LedgerCreated
from core.accounting.ledger_file import add_rows, hash_of_states
from core.accounting.ledger_fold import StateDraft
from core.accounting.ledger_reading import MOST_EVENTS
from core.accounting.ledger_state import Place
from core.errors import LedgerError
from tests.core.accounting.ledger_cases import (
    BUSES,
    DAY,
    charge_of,
    drawn,
    request_of,
    reserved_of,
    start_of,
    write_old,
)

DRAWS = {"values": [0.1, None], "b": "a"}
TEXT = json.dumps(DRAWS)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "ledger.sqlite"


@pytest.fixture(scope="module")
def _grown(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ledger with an entry that was drawn, a stored state after it, and an event after that."""
    path = tmp_path_factory.mktemp("grown") / "ledger.sqlite"
    ledger = Ledger(path)
    ledger.set_limit(BUSES, per_vehicle=Decimal(100))
    ledger.reserve(request_of("2")).store_draws(DRAWS)
    for number in range(MOST_EVENTS):
        ledger.set_limit(BUSES, per_vehicle=Decimal(50 + number))
    assert _count(path, "events WHERE kind = 'checkpointed'") == 1
    return path.parent


@pytest.fixture
def grown(_grown: Path, path: Path) -> Ledger:
    shutil.copytree(_grown, path.parent, dirs_exist_ok=True)
    return Ledger(path)


@pytest.fixture
def old(path: Path) -> Ledger:
    """One of format 1, with draws in its events."""
    events = [LedgerCreated(format=1, vehicle_key=b"v" * 32), *start_of(BUSES)[1:]]
    for entry in (1, 2):
        events += [reserved_of(entry, charge_of({DAY: "1"})), drawn(entry, TEXT, old=True)]
    write_old(path, events)
    return Ledger(path)


def _count(path: Path, what: str) -> int:
    with closing(sqlite3.connect(path)) as connection:
        (found,) = connection.execute(f"SELECT count(*) FROM {what}").fetchone()
        return int(found)


def _tamper(path: Path, statement: str, *values: object) -> None:
    with closing(sqlite3.connect(path)) as connection:
        triggers = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute(statement, values)
        for _, text in triggers:
            connection.execute(text)
        connection.commit()


def _spied(monkeypatch: pytest.MonkeyPatch) -> list[ChainRow]:
    """The rows that are read from now on."""
    seen: list[ChainRow] = []
    rows_from: Callable[..., Iterator[ChainRow]] = ledger_reading.rows_from

    def spy(*given: object) -> Iterator[ChainRow]:
        for row in rows_from(*given):
            seen.append(row)
            yield row

    monkeypatch.setattr(ledger_reading, "rows_from", spy)
    return seen


def test_no_event_before_the_stored_state_and_no_draws_are_read(
    grown: Ledger, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = _spied(monkeypatch)
    (population,) = Ledger.open(path).populations()
    grown.reserve(request_of("3", fingerprint="9" * 64))
    assert population.spent == 2
    assert min(row.seq for row in seen) > MOST_EVENTS
    assert len(seen) < MOST_EVENTS
    assert check(path) == []


def test_draws_lie_in_their_own_table_and_come_back_as_they_were(grown: Ledger, path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        (body,) = connection.execute("SELECT body FROM events WHERE kind = 'spent'").fetchone()
    assert json.loads(body).keys() == {"entry", "draws_sha256"}
    found = grown.find_identical(BUSES, "f" * 64)
    assert found is not None
    assert json.dumps(found.draws) == TEXT


def test_an_event_before_the_stored_state_that_was_edited_changes_nothing_and_check_finds_it(
    grown: Ledger, path: Path
) -> None:
    _tamper(path, "UPDATE events SET body = replace(body, '\"2\"', '\"1\"') WHERE kind = 'reserved'")
    assert grown.populations()[0].spent == 2
    assert any("has been edited" in finding for finding in check(path))
    with pytest.raises(LedgerError, match="ledger file is damaged"):
        grown.resume(1)  # what it bought is in that event


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE states SET content = replace(content, '\"2\"', '\"1\"') WHERE number = 0",
        "UPDATE states SET content = replace(content, 'spec_fingerprint', 'spec') WHERE number = 1",
        "DELETE FROM states WHERE number = 1",
        "DELETE FROM states",
        "INSERT INTO states (number, content) VALUES (2, '{}')",
        "DELETE FROM events WHERE kind = 'checkpointed'",
        "UPDATE events SET body = replace(body, 'a', 'b') WHERE kind = 'checkpointed'",
    ],
)
def test_a_stored_state_that_was_edited_is_refused(grown: Ledger, path: Path, statement: str) -> None:
    _tamper(path, statement)
    assert check(path)
    for use in (grown.populations, lambda: grown.reserve(request_of())):
        with pytest.raises(LedgerError) as refused:
            use()
        assert refused.value.mend


def test_a_state_that_the_head_does_not_vouch_for_is_not_believed(grown: Ledger, path: Path) -> None:
    """Who may write the ledger and not its head appends a state in which nothing was spent."""
    head = Head(**json.loads(head_path(path).read_text()))
    draft = StateDraft()
    for event in start_of(BUSES):
        draft.apply(event)
    texts = draft.stored()
    with closing(sqlite3.connect(path)) as connection:
        forged = Checkpointed(state_sha256=hash_of_states(texts))
        add_rows(connection, extend(Place(head.seq, head.hash), [forged], at="2026-01-01T00:00:00+00:00"))
        connection.execute("DELETE FROM states WHERE number > 0")
        connection.execute("UPDATE states SET content = ?", texts)
        connection.commit()
    with pytest.raises(LedgerError, match="do not match the events before"):
        grown.populations()
    assert any("do not match the events before" in finding for finding in check(path))


def test_a_state_whose_head_was_not_written_is_compared_with_every_event(
    grown: Ledger, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a kill between commit and head leaves it."""
    with closing(sqlite3.connect(path)) as connection:
        found = connection.execute("SELECT seq, hash FROM events WHERE seq = 5").fetchone()
    head_path(path).write_text(json.dumps(dict(zip(("seq", "hash"), found, strict=True))))
    seen = _spied(monkeypatch)
    assert grown.populations()[0].spent == 2
    assert seen[0].seq == 1
    assert check(path) == []
    grown.set_limit(BUSES, per_vehicle=Decimal(7))
    seen.clear()
    assert grown.populations()[0].per_vehicle == 7
    assert seen[0].seq > 1  # it has caught up


@pytest.mark.parametrize(
    ("statement", "finding"),
    [
        ("UPDATE draws SET content = replace(content, '0.1', '0.2')", "are not those that were drawn"),
        ("DELETE FROM draws", "are missing"),
        ("INSERT INTO draws (entry, content) VALUES (2, '{}')", "are not those that were drawn"),
    ],
)
def test_draws_that_were_edited_are_not_published(
    grown: Ledger, path: Path, statement: str, finding: str
) -> None:
    _tamper(path, statement)
    assert any(finding in each for each in check(path))
    if "(2" not in statement:
        with pytest.raises(LedgerError, match="are not those that were drawn"):
            grown.find_identical(BUSES, "f" * 64)


def test_the_tables_refuse_to_be_edited(grown: Ledger, path: Path) -> None:
    assert grown.populations()
    with closing(sqlite3.connect(path)) as connection:
        for statement in ("UPDATE draws SET content = ''", "DELETE FROM draws"):
            with pytest.raises(sqlite3.IntegrityError, match="append only"):
                connection.execute(statement)


def test_a_ledger_of_a_newer_format_is_refused_with_the_reason(grown: Ledger, path: Path) -> None:
    _tamper(path, "PRAGMA user_version = 3")
    with pytest.raises(LedgerError, match="has format 3, and this version of the program reads up to 2"):
        grown.populations()
    assert any("has format 3" in finding for finding in check(path))


# Format 1


def test_to_read_an_old_ledger_changes_no_byte(old: Ledger, path: Path) -> None:
    before = path.read_bytes()
    found = old.find_identical(BUSES, "a" * 64)
    assert found is not None
    assert (found.entry, json.dumps(found.draws)) == (2, TEXT)
    assert old.populations()[0].spent == 2
    assert old.with_draws(BUSES, ["b" * 64]) == ["b" * 64]
    assert check(path) == []
    assert path.read_bytes() == before


def test_the_first_event_that_is_written_changes_the_format_and_nothing_that_was(
    old: Ledger, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = _rows(path)
    shown = old.export()
    old.mark_evaluated("others")
    assert _rows(path)[: len(before)] == before
    assert [row[2] for row in _rows(path)[len(before) :]] == [
        "population_created",
        "evaluated",
        "checkpointed",  # which no version that knows format 1 alone can read
    ]
    assert {**old.export(), "populations": old.export()["populations"][:1]} == shown
    seen = _spied(monkeypatch)
    old.reserve(request_of("1")).store_draws(DRAWS)
    assert min(row.seq for row in seen) > len(before)
    for mark, entry in (("a" * 64, 2), ("f" * 64, 3)):
        found = old.find_identical(BUSES, mark)
        assert found is not None
        assert (found.entry, json.dumps(found.draws)) == (entry, TEXT)
    assert old.resume(1).allowances
    assert check(path) == []


def _rows(path: Path) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("SELECT * FROM events ORDER BY seq").fetchall()


def test_the_guards_of_every_table_are_looked_for(old: Ledger, path: Path) -> None:
    old.set_limit(BUSES, per_vehicle=Decimal(9))
    assert check(path) == []
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DROP TRIGGER draws_are_not_edited")
    assert any("guards" in finding for finding in check(path))
