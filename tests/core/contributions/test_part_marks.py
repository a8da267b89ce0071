"""A folder of encrypted parts is read as it was written, or not at all: each attack is refused."""

from __future__ import annotations

import dataclasses
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from core.contributions.file_look import look_at_table
from core.contributions.file_read import read_contributions
from core.contributions.file_write import write_contributions, write_partitioned
from core.contributions.table import Contributions
from core.errors import InputError
from tests.contribution_files import small_table
from tests.records import assert_same, assert_tells
from tests.strategies import window

WORDS = "correct horse battery"
OLD = Path(__file__).resolve().parents[2] / "golden" / "tables" / "encrypted-unbound"
"""The small table in two parts under `WORDS`, as it was encrypted before parts were bound to one another."""


def write(folder: Path, *by: str, passphrase: str | None = WORDS) -> Path:
    write_partitioned(small_table(), folder, by or ("date",), passphrase=passphrase)
    return folder


@pytest.fixture(name="table")
def _table(tmp_path: Path) -> Path:
    return write(tmp_path / "table")


def part(table: Path, day: int = 1) -> Path:
    return table / f"date=2022-01-0{day}" / "part-0.parquet"


def read(table: Path, **how: object) -> Contributions:
    return read_contributions(table, passphrase=lambda _: WORDS, **how)  # type: ignore[arg-type]


def refused(table: Path, text: str, **how: object) -> InputError:
    with pytest.raises(InputError, match=text) as error:
        read(table, **how)
    assert_tells(error.value)
    with pytest.raises(InputError, match=text):
        look_at_table(table, lambda _: WORDS)
    return error.value


def other_run(table: Path) -> None:
    shutil.copy(part(write(table.with_name("other"))), part(table))


def other_run_of_one_part(table: Path) -> None:
    """Of another length: it would be the same run twice, or half of one."""
    write_contributions(small_table(), table / "date=2022-01-01" / "more.parquet", passphrase=WORDS)
    part(table).unlink()


def removed(table: Path) -> None:
    part(table).unlink()


def plain_part_added(table: Path) -> None:
    shutil.copy(part(write(table.with_name("plain"), passphrase=None)), table / "more.parquet")


def plain_part_in_its_place(table: Path) -> None:
    shutil.copy(part(write(table.with_name("plain"), passphrase=None)), part(table))


def renamed(table: Path) -> None:
    part(table).rename(part(table).with_name("part-1.parquet"))


def days_exchanged(table: Path) -> None:
    part(table, 1).rename(table / "first")
    part(table, 2).rename(part(table, 1))
    (table / "first").rename(part(table, 2))


def duplicated(table: Path) -> None:
    shutil.copy(part(table), part(table).with_name("part-1.parquet"))


def duplicated_beside(table: Path) -> None:
    (table / "copy" / "date=2022-01-01").mkdir(parents=True)
    shutil.copy(part(table), table / "copy" / "date=2022-01-01")


def run_twice(table: Path) -> None:
    for day in (1, 2):
        (part(table / "copy", day)).parent.mkdir(parents=True)
        shutil.copy(part(table, day), part(table / "copy", day))


def unbound_part(table: Path) -> None:
    shutil.copy(part(OLD), part(table))


ATTACKS: dict[Callable[[Path], None], str] = {
    other_run: "different runs",
    other_run_of_one_part: "not whole",
    removed: "wrote 2 parts, and 1 can be found",
    plain_part_added: "encrypted, and others are not",
    plain_part_in_its_place: "encrypted, and others are not",
    renamed: "has been renamed",
    days_exchanged: "has been renamed",
    duplicated: "has been renamed",
    duplicated_beside: "one run twice",
    run_twice: "one run twice",
    unbound_part: "earlier version",
}


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.__name__)
@pytest.mark.parametrize("days", [1, 2])
def test_a_part_that_does_not_belong_is_refused(
    attack: Callable[[Path], None], days: int, table: Path
) -> None:
    """Also where a release needs the first date alone."""
    attack(table)
    refused(table, ATTACKS[attack], window=window(days=days))


def test_a_plain_part_is_read_without_passphrase_where_all_are_plain(table: Path, tmp_path: Path) -> None:
    plain_part_in_its_place(table)
    with pytest.raises(InputError, match="others are not") as mixed:
        read_contributions(table, window=window(days=1))
    assert str(part(table, 1)) in mixed.value.where
    assert str(part(table, 2)) in mixed.value.where
    assert_same(read_contributions(tmp_path / "plain"), small_table())


def test_a_part_exchanged_after_the_look_is_refused(table: Path, tmp_path: Path) -> None:
    for place, passphrase in (("plain", None), ("other", WORDS)):
        theirs = write(tmp_path / place, passphrase=passphrase)

        def exchange(done: float, _: str = "", theirs: Path = theirs) -> None:
            if done == 0.0:
                shutil.copy(part(theirs, 2), part(table, 2))

        with pytest.raises(InputError, match=r"exchanged|does not open"):
            read_contributions(table, exchange, passphrase=lambda _: WORDS)
        shutil.rmtree(table)
        write(table)


@pytest.mark.parametrize("by", [("date",), ("resolution",), ("resolution", "date")])
def test_a_whole_run_is_read_wherever_it_lies(by: tuple[str, ...], tmp_path: Path) -> None:
    folder = write(tmp_path / "table", *by).rename(tmp_path / "moved")
    assert_same(read(folder), small_table())
    offer = look_at_table(folder, lambda _: WORDS)
    assert offer is not None
    assert offer.bound


def test_a_table_of_one_file_may_have_any_name(tmp_path: Path) -> None:
    write_contributions(small_table(), tmp_path / "table.parquet", passphrase=WORDS)
    path = (tmp_path / "table.parquet").rename(tmp_path / "city.parquet")
    assert_same(read(path), small_table())


def test_runs_in_folders_of_their_own_are_one_table(table: Path) -> None:
    """As months are added: in a folder below, or as a file."""
    days = window(days=6).dates
    later, last = (
        dataclasses.replace(small_table(), window=dataclasses.replace(window(), date_ranges=((begin, end),)))
        for begin, end in (days[2:4], days[4:6])
    )
    write_partitioned(later, table / "february", ("date",), passphrase=WORDS)
    assert read(table).window.dates == days[:4]
    write_contributions(last, table / "march.parquet", passphrase=WORDS)
    assert read(table).window.dates == days


def test_a_folder_that_was_encrypted_before_is_read_and_said_to_be_unbound() -> None:
    assert_same(read(OLD), small_table())
    offer = look_at_table(OLD, lambda _: WORDS)
    assert offer is not None
    assert offer.bound is False


def test_a_table_in_the_clear_is_neither(tmp_path: Path) -> None:
    offer = look_at_table(write(tmp_path / "table", passphrase=None))
    assert offer is not None
    assert offer.bound is None
