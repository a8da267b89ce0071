"""core.accounting.ledger_room: the bytes are really there, and gone afterwards."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from core.accounting.ledger_room import room_beside
from core.errors import InputError


@pytest.mark.parametrize("size", [0, 1, 1 << 20, (1 << 20) + 3])
def test_room_is_taken_and_given_back(tmp_path: Path, size: int) -> None:
    ledger = tmp_path / "ledger.sqlite"
    with room_beside(ledger, size) as free:
        (filler,) = tmp_path.iterdir()
        assert filler.stat().st_size == size
        if os.name != "nt":
            assert filler.stat().st_mode & 0o777 == 0o600
        free()
        assert list(tmp_path.iterdir()) == []
    assert list(tmp_path.iterdir()) == []


def test_what_fails_inside_leaves_nothing_and_what_a_dead_run_left_is_removed(tmp_path: Path) -> None:
    ledger = tmp_path / "ledger.sqlite"
    (tmp_path / ".ledger.sqlite.0123456789ab.room").write_bytes(b"0")
    (tmp_path / "other.room").write_bytes(b"0")
    with pytest.raises(ZeroDivisionError), room_beside(ledger, 10):
        raise ZeroDivisionError
    assert [path.name for path in tmp_path.iterdir()] == ["other.room"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = os.open
    monkeypatch.setattr(os, "open", lambda *_: opened("/dev/full", os.O_WRONLY))
    with pytest.raises(InputError, match="no room"), room_beside(tmp_path / "ledger.sqlite", 1 << 20):
        pytest.fail("there is no room")
