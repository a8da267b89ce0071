"""What a table under a passphrase gives away, and to whom."""

from __future__ import annotations

from pathlib import Path

import pyarrow.parquet as pq
import pytest

from core.contributions.encryption import (
    TableCipher,
    TableLock,
    WrongPassphrase,
    damage_as_input_error,
    is_encrypted,
    new_cipher,
)
from core.contributions.file_read import read_contributions
from core.contributions.file_write import write_contributions
from core.contributions.part_marks import mark_of
from core.errors import InputError
from core.system import passphrase_key
from tests.contribution_files import small_table
from tests.records import SECRET, assert_same
from tests.strategies import window

WORDS = "correct horse battery"


@pytest.fixture
def table(tmp_path: Path) -> Path:
    write_contributions(small_table(), tmp_path / "table.parquet", passphrase=WORDS)
    return tmp_path / "table.parquet"


def test_a_table_comes_back_with_its_passphrase_asked_once(table: Path) -> None:
    asked: list[Path] = []

    def answer(path: Path) -> str:
        asked.append(path)
        return WORDS

    assert_same(read_contributions(table, passphrase=answer), small_table())
    assert asked == [table]


def test_nothing_of_it_lies_on_the_disk_in_the_clear(table: Path, tmp_path: Path) -> None:
    """Neither ids nor metadata; the same in the clear tells both."""
    write_contributions(small_table(), tmp_path / "clear.parquet")
    assert is_encrypted(table)
    assert not is_encrypted(tmp_path / "clear.parquet")
    for told in (SECRET.casefold().encode(), b"Asia/Kolkata", b"hexveil_contributions"):
        assert told in (tmp_path / "clear.parquet").read_bytes()
        assert told not in table.read_bytes()
    with pytest.raises(OSError, match="encrypted"):
        pq.ParquetFile(table)


def test_another_passphrase_and_none_are_told(table: Path) -> None:
    with pytest.raises(WrongPassphrase, match="does not open") as wrong:
        read_contributions(table, passphrase=lambda _: "wrong horse battery")
    assert wrong.value.where == str(table)
    with pytest.raises(InputError, match="encrypted") as unasked:
        read_contributions(table)
    assert not isinstance(unasked.value, WrongPassphrase)


def test_a_table_in_the_clear_asks_for_nothing(tmp_path: Path) -> None:
    def answer(_: Path) -> str:
        raise AssertionError

    write_contributions(small_table(), tmp_path / "table.parquet")
    assert_same(read_contributions(tmp_path / "table.parquet", passphrase=answer), small_table())


@pytest.mark.parametrize("part", [0.1, 0.5, 0.9])
def test_a_changed_byte_is_noticed(table: Path, part: float) -> None:
    content = bytearray(table.read_bytes())
    content[int(part * len(content))] ^= 1
    table.write_bytes(content)
    with pytest.raises(InputError, match=r"damaged|not readable Parquet|does not open"):
        read_contributions(table, passphrase=lambda _: WORDS)


def test_a_short_passphrase_is_refused_for_writing(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="too short"):
        write_contributions(small_table(), tmp_path / "table.parquet", passphrase="short")
    assert not list(tmp_path.iterdir())


def test_each_file_has_a_key_of_its_own() -> None:
    cipher = new_cipher(WORDS)
    key, mark = bytes(range(32)), mark_of("run", "", 1, window(days=2))
    one, other = cipher.wrap(key, mark), cipher.wrap(key, mark)
    assert one != other
    assert one.split(b":")[2] == other.split(b":")[2], "one salt, so that the passphrase is stretched once"
    assert TableCipher(WORDS).unwrap(one) == (key, mark) == TableCipher(WORDS).unwrap(other)


@pytest.mark.parametrize(
    "wrapped",
    [
        b"",
        b"hexveil-scrypt-1:16:AAAA",
        b"hexveil-scrypt-2:16:AAAA:AAAA",
        b"hexveil-scrypt-1:1073741824:AAAA:AAAA",
        b"hexveil-scrypt-1:17:AAAA:AAAA",
        b"hexveil-scrypt-1:16:!:AAAA",
        b"hexveil-scrypt-1:16:AAAA:AAAA",
        b"\xff:16:AAAA:AAAA",
    ],
)
def test_a_key_that_is_none_of_ours_is_no_error_of_ours(wrapped: bytes, tmp_path: Path) -> None:
    """One that would take all memory neither."""
    with pytest.raises(WrongPassphrase), damage_as_input_error(tmp_path, encrypted=True):
        TableCipher(WORDS).unwrap(wrapped)


def test_another_cost_is_read_as_it_was_written(monkeypatch: pytest.MonkeyPatch, table: Path) -> None:
    monkeypatch.setattr(passphrase_key, "COST", 1 << 6)
    assert_same(read_contributions(table, passphrase=lambda _: WORDS), small_table())


def test_what_asking_raises_stops_the_reading(table: Path) -> None:
    def cancelled(_: Path) -> str:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        read_contributions(table, passphrase=cancelled)


def test_a_lock_has_no_keys_for_what_is_open(tmp_path: Path) -> None:
    write_contributions(small_table(), tmp_path / "table.parquet")
    assert TableLock(tmp_path, None).opened(tmp_path / "table.parquet") is None
    with pytest.raises(ValueError, match="other"), damage_as_input_error(tmp_path, encrypted=True):
        raise ValueError("other")
