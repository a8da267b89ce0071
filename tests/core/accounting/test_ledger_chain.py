"""The chain finds what was edited, removed or rolled back; the head only moves forward."""

from __future__ import annotations

import dataclasses
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.accounting.ledger_chain import (
    ORIGIN,
    ChainRow,
    Head,
    advance_head,
    extend,
    find_damage,
    read_chain_head,
)
from core.accounting.ledger_state import Place
from core.errors import LedgerError
from tests.core.accounting.ledger_cases import start_of

AT = "2026-01-01T00:00:00+00:00"
ROWS = extend(Place(), start_of("one", "two"), at=AT)
HEAD = Head(ROWS[-1].seq, ROWS[-1].hash)


def test_a_chain_starts_at_the_origin_and_is_sound() -> None:
    assert [row.seq for row in ROWS] == [1, 2, 3, 4, 5]
    assert ROWS[0].previous == ORIGIN
    assert find_damage(ROWS, HEAD) == []
    assert find_damage([], None) == []


def test_a_chain_grows_the_same_in_one_step_or_in_many() -> None:
    rows: list[ChainRow] = []
    for event in start_of("one", "two"):
        rows += extend(rows[-1].place if rows else Place(), [event], at=AT)
    assert rows == ROWS


@given(
    index=st.integers(0, len(ROWS) - 1),
    column=st.sampled_from(["at", "kind", "body", "private", "previous", "hash"]),
)
def test_any_edited_column_is_found(index: int, column: str) -> None:
    rows = list(ROWS)
    rows[index] = dataclasses.replace(rows[index], **{column: getattr(rows[index], column) + " "})
    assert find_damage(rows, HEAD)


def test_parts_do_not_run_into_each_other() -> None:
    first = extend(Place(), start_of("one"), at=AT)[1]
    moved = dataclasses.replace(first, kind=first.kind + first.body[0], body=first.body[1:])
    assert any("edited" in finding for finding in find_damage([ROWS[0], moved], None))


@given(index=st.integers(0, len(ROWS) - 1))
def test_any_removed_row_is_found(index: int) -> None:
    assert find_damage(ROWS[:index] + ROWS[index + 1 :], HEAD)


def test_a_shorter_or_another_chain_does_not_hold_the_head() -> None:
    other = extend(Place(), start_of("one", "two"), at="2026-01-02T00:00:00+00:00")
    for rows in (ROWS[:-1], [], other):
        assert "rolled back or cut short" in find_damage(rows, HEAD)[0]


def test_a_head_may_be_behind() -> None:
    assert find_damage(ROWS, Head(ROWS[1].seq, ROWS[1].hash)) == []


def test_a_missing_head_is_fine_only_while_a_ledger_is_being_created() -> None:
    assert find_damage(ROWS[:1], None) == []
    assert "missing" in find_damage(ROWS[:2], None)[0]


def test_the_head_moves_forward_only(tmp_path: Path) -> None:
    path = tmp_path / "ledger.head"
    assert read_chain_head(path) is None
    advance_head(path, ROWS[2])
    advance_head(path, ROWS[1])
    assert read_chain_head(path) == Head(3, ROWS[2].hash)
    advance_head(path, ROWS[4])
    assert read_chain_head(path) == HEAD
    if sys.platform != "win32":  # there the folder keeps others out
        assert path.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    "content",
    [
        *(b"", b"[]", b"{}", b'{"seq":"x","hash":""}', b"\xff"),
        *(b'{"seq":1e999,"hash":""}', b'{"seq":' + b"[" * 100_000, b'{"seq":' + b"9" * 5000 + b',"hash":""}'),
    ],
    ids=lambda content: repr(content[:20]),
)
def test_a_damaged_head_is_a_ledger_error(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "ledger.head"
    path.write_bytes(content)
    with pytest.raises(LedgerError, match="head file"):
        read_chain_head(path)


def test_a_head_that_another_window_replaces_at_this_moment_is_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On Windows a file cannot be opened while it is replaced."""

    class Refused(PermissionError):
        winerror = None

    path = tmp_path / "ledger.head"
    advance_head(path, ROWS[2])
    read, refusals = Path.read_bytes, iter((Refused,))

    def replaced(self: Path) -> bytes:
        for error in refusals:
            raise error
        return read(self)

    monkeypatch.setattr(Path, "read_bytes", replaced)
    assert read_chain_head(path) == Head(3, ROWS[2].hash)


def test_a_head_that_cannot_be_written_says_that_the_event_counts(tmp_path: Path) -> None:
    with pytest.raises(LedgerError, match="counts"):
        advance_head(tmp_path / "absent" / "ledger.head", ROWS[0])
