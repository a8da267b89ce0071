"""The tables of a ledger's file, and what stands for them."""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from pathlib import Path

import pytest

from core.accounting.ledger_file import (
    add_draws,
    connection_to,
    format_of,
    hash_of_states,
    make_tables,
    read_draws,
    read_states,
    reading,
    row_at,
    write_states,
    writing,
)
from core.errors import LedgerError


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "ledger.sqlite").touch()
    return tmp_path / "ledger.sqlite"


def test_a_file_is_empty_until_its_tables_are_committed(path: Path) -> None:
    with connection_to(path) as connection:
        with suppress(KeyboardInterrupt), writing(connection):
            make_tables(connection, 0)
            assert format_of(connection, path) == 2
            raise KeyboardInterrupt
        assert format_of(connection, path) == 0
        with writing(connection):
            make_tables(connection, 0)
    with connection_to(path) as connection, reading(connection):
        assert format_of(connection, path) == 2
        assert row_at(connection, path, 1) is None
        assert read_draws(connection, 1) is None


def test_texts_are_replaced_and_read_in_their_order(path: Path) -> None:
    with connection_to(path) as connection, writing(connection):
        make_tables(connection, 0)
        write_states(connection, {1: "one", 0: "none", 2: "two"})
        write_states(connection, {2: "deux"})
        add_draws(connection, 1, "{}")
        assert read_states(connection, path) == ["none", "one", "deux"]
        assert read_draws(connection, 1) == "{}"
        connection.execute("DELETE FROM states WHERE number = 1")
        with pytest.raises(LedgerError, match="ledger file is damaged"):
            read_states(connection, path)


def test_texts_do_not_run_into_each_other_in_their_hash() -> None:
    texts = (["ab", "c"], ["a", "bc"], ["abc"], ["abc", ""], [])
    assert len({hash_of_states(one) for one in texts}) == len(texts)


def test_another_database_is_no_ledger(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE events (seq)")
    with connection_to(path) as connection, pytest.raises(LedgerError, match="not a ledger"):
        format_of(connection, path)
