"""The ledger on disk: durable, shared by windows, and telling when it was tampered with."""

from __future__ import annotations

import datetime as dt
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from decimal import Decimal
from pathlib import Path

import pytest

from core.accounting import ledger as ledger_module
from core.accounting import ledger_file
from core.accounting.ledger import AlreadyDrawn, Ledger, LedgerReservation, check, head_path
from core.accounting.ledger_events import write_parts
from core.accounting.ledger_state import EntryState
from core.accounting.privacy_loss import PrivacyLoss
from core.accounting.zcdp import epsilon_of
from core.errors import BudgetRefused, HexveilError, InputError, LedgerError
from core.noise.source import Reservation
from core.privacy import Relation, Unit
from tests.core.accounting.ledger_cases import (
    BUSES,
    DAY,
    FLEET,
    NEXT,
    ZONE,
    charge_of,
    request_of,
    reserved_of,
)

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where a ledger may come into being."""
    return tmp_path / "home" / "ledger.sqlite"


@pytest.fixture
def ledger(path: Path) -> Ledger:
    """A ledger with one population that may spend 10 per vehicle."""
    with Ledger.open(path) as opened:
        opened.set_limit(BUSES, per_vehicle=Decimal(10))
    return opened


def _files(path: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in path.parent.iterdir()}


def _tamper(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        for name in ("events_are_not_edited", "events_are_not_removed"):
            connection.execute(f"DROP TRIGGER {name}")
        for statement in statements:
            connection.execute(statement)
        connection.commit()


# Coming into being


def test_reading_creates_nothing(path: Path) -> None:
    with Ledger.open(path) as ledger:
        assert ledger.populations() == ()
        assert ledger.export()["entries"] == []
        assert check(path) == []
        with pytest.raises(BudgetRefused, match="no limit"):
            ledger.tie_key(BUSES)
        with pytest.raises(BudgetRefused, match="no limit"):
            ledger.reserve(request_of())
        with pytest.raises(BudgetRefused, match="no limit"):
            ledger.link("a", "b")
        with pytest.raises(InputError):
            ledger.set_limit(BUSES, per_vehicle=Decimal("NaN"))
    assert not path.parent.exists()


@pytest.mark.skipif(sys.platform == "win32", reason="modes are those of POSIX; rights: test_owner_rights")
def test_files_and_folder_are_private(ledger: Ledger, path: Path) -> None:
    assert ledger.populations()[0].per_vehicle == 10
    assert path.parent.stat().st_mode & 0o777 == 0o700
    for file in path.parent.iterdir():
        assert file.stat().st_mode & 0o777 == 0o600
    assert sorted(_files(path)) == ["ledger.head", "ledger.sqlite"]


def test_a_file_that_a_crash_left_empty_becomes_a_ledger(path: Path) -> None:
    path.parent.mkdir()
    path.touch()
    assert check(path) == []
    ledger = Ledger.open(path)
    with pytest.raises(BudgetRefused):
        ledger.reserve(request_of())
    ledger.set_limit(BUSES, per_vehicle=Decimal(1))
    assert check(path) == []


def test_a_crash_before_the_first_head_is_mended(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(ledger_module, "advance_head", crash)
        with pytest.raises(KeyboardInterrupt):
            Ledger.open(path).set_limit(BUSES, per_vehicle=Decimal(1))
    assert not head_path(path).exists()
    assert check(path) == []
    Ledger.open(path).set_limit(BUSES, per_vehicle=Decimal(1))
    assert head_path(path).exists()
    assert check(path) == []


def test_a_folder_that_cannot_be_made_is_a_ledger_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(LedgerError, match="cannot be created"):
        Ledger(tmp_path / "file" / "ledger.sqlite").set_limit(BUSES, per_vehicle=Decimal(1))


# Administration and keys


def test_limits_can_be_raised_and_keep_the_keys(ledger: Ledger) -> None:
    key, mark = ledger.tie_key(BUSES), ledger.fingerprint(BUSES, b"x")
    with pytest.raises(BudgetRefused, match="limit 10, spent 0, asked 11"):
        ledger.reserve(request_of("11"))
    ledger.set_limit(f" {BUSES} ", per_vehicle=Decimal(11), per_vehicle_day=Decimal("11.5"))
    ledger.reserve(request_of("11"))
    (population,) = ledger.populations()
    assert (population.per_vehicle, population.per_vehicle_day) == (11, Decimal("11.5"))
    assert population.left == 0
    assert (ledger.tie_key(BUSES), ledger.fingerprint(BUSES, b"x")) == (key, mark)


def test_keys_differ_between_populations_and_parts_do_not_run_together(ledger: Ledger) -> None:
    ledger.set_limit("trams", per_vehicle=Decimal(1))
    assert len(ledger.tie_key(BUSES)) == 32
    assert ledger.tie_key(BUSES) != ledger.tie_key("trams")
    for name, key in ((BUSES, ledger.tie_key(BUSES)), ("trams", ledger.tie_key("trams")), ("none", None)):
        assert ledger.populations_and_key(name) == (ledger.populations(), key)
    marks = {
        ledger.fingerprint(BUSES, b"ab", b"c"),
        ledger.fingerprint(BUSES, b"a", b"bc"),
        ledger.fingerprint(BUSES, b"abc"),
        ledger.fingerprint("trams", b"abc"),
    }
    assert len(marks) == 4
    assert all(len(mark) == 64 for mark in marks)


def test_overlapping_populations_are_refused_until_they_are_linked(ledger: Ledger) -> None:
    ledger.set_limit("same buses", per_vehicle=Decimal(10))
    ledger.reserve(request_of("6"))
    request = request_of("5", population="same buses")
    with pytest.raises(BudgetRefused, match=r'main\.py ledger link "same buses" "City buses"'):
        ledger.check_exact(request)
    ledger.link("same buses", BUSES)
    with pytest.raises(BudgetRefused, match=r'"same buses".*limit 10, spent 6, asked 5'):
        ledger.check_exact(request)
    reservation = ledger.reserve(request_of("4", population="same buses"))
    assert reservation.cumulative[Unit.VEHICLE] == 10
    assert reservation.limits[Unit.VEHICLE] == 10
    assert {each.name: each.left for each in ledger.populations()} == {BUSES: 0, "same buses": 0}
    assert [each.linked for each in ledger.populations()] == [("same buses",), (BUSES,)]


@pytest.mark.parametrize(
    ("relation", "zone"),
    [(Relation.USER, ZONE), (Relation.VALUES, "Europe/Oslo")],
    ids=["relation", "zone"],
)
def test_a_link_that_would_be_refused_is_not_proposed(ledger: Ledger, relation: Relation, zone: str) -> None:
    ledger.set_limit("same buses", per_vehicle=Decimal(10))
    ledger.reserve(request_of("6"))
    request = request_of("1", population="same buses", relation=relation, zone=zone)
    with pytest.raises(BudgetRefused, match="also belong") as caught:
        ledger.check_exact(request)
    assert "ledger link" not in caught.value.mend
    assert f'relation "values" and its zone "{ZONE}"' in caught.value.mend
    assert "ledger different" in caught.value.mend


def test_a_repeated_release_has_the_sums_of_its_reservation(ledger: Ledger) -> None:
    ledger.set_limit("same buses", per_vehicle=Decimal(8))
    first = ledger.reserve(request_of("3", fingerprint="1" * 64))
    first.store_draws({})
    other = request_of("2", population="same buses", vehicles=["another"])
    ledger.reserve(other).store_draws({})
    ledger.link(BUSES, "same buses")
    assert ledger.resume(first.entry).cumulative[Unit.VEHICLE] == 3
    assert ledger.resume(first.entry).limits[Unit.VEHICLE] == 10
    second = ledger.reserve(request_of("1", fingerprint="2" * 64))
    assert (second.cumulative[Unit.VEHICLE], second.limits[Unit.VEHICLE]) == (6, 8)


def test_populations_marked_different_do_not_refuse_each_other(ledger: Ledger, path: Path) -> None:
    ledger.set_limit("sensors", per_vehicle=Decimal(10))
    ledger.reserve(request_of("6"))
    request = request_of("5", population="sensors")
    with pytest.raises(BudgetRefused, match=r'main\.py ledger different "sensors" "City buses"'):
        ledger.reserve(request)
    with pytest.raises(InputError, match="itself"):
        ledger.mark_different(BUSES, f" {BUSES}")
    with pytest.raises(BudgetRefused, match='"unknown" has no limit'):
        ledger.mark_different(BUSES, "unknown")
    ledger.mark_different("sensors", BUSES)
    before = _files(path)
    ledger.mark_different(BUSES, "sensors")
    assert _files(path) == before
    assert ledger.reserve(request).cumulative[Unit.VEHICLE] == 5
    assert [each.different for each in ledger.populations()] == [("sensors",), (BUSES,)]
    assert [one.get("different") for one in ledger.export()["populations"]] == [["sensors"], [BUSES]]
    assert check(path) == []


def test_links_need_two_known_populations_and_are_made_once(ledger: Ledger, path: Path) -> None:
    ledger.set_limit("trams", per_vehicle=Decimal(1))
    with pytest.raises(InputError, match="itself"):
        ledger.link(BUSES, f" {BUSES}")
    for pair in [(BUSES, "unknown"), ("unknown", BUSES)]:
        with pytest.raises(BudgetRefused, match='"unknown" has no limit'):
            ledger.link(*pair)
    ledger.link(BUSES, "trams")
    before = _files(path)
    ledger.link("trams", BUSES)
    assert _files(path) == before


def test_an_evaluation_is_recorded_once_and_for_good(ledger: Ledger, path: Path) -> None:
    assert not ledger.was_evaluated(BUSES)
    assert ledger.reserve(request_of(fingerprint="1" * 64)).evaluated is False
    ledger.mark_evaluated(f" {BUSES}")
    before = _files(path)
    ledger.mark_evaluated(BUSES)
    assert _files(path) == before
    assert check(path) == []
    again = Ledger.open(path)
    assert again.was_evaluated(BUSES)
    assert again.populations()[0].evaluated_on == dt.datetime.now(dt.UTC).date()
    assert again.reserve(request_of(fingerprint="2" * 64)).evaluated is True


def test_an_evaluation_holds_for_linked_populations(ledger: Ledger) -> None:
    for name in ("trams", "ferries"):
        ledger.set_limit(name, per_vehicle=Decimal(1))
    ledger.mark_evaluated("trams")
    assert not ledger.was_evaluated(BUSES)
    ledger.link(BUSES, "trams")
    assert ledger.was_evaluated(BUSES)
    assert ledger.was_evaluated("trams")
    assert not ledger.was_evaluated("ferries")
    assert ledger.reserve(request_of()).evaluated


def test_an_evaluation_holds_for_those_linked_through_others(ledger: Ledger) -> None:
    for name in ("trams", "ferries"):
        ledger.set_limit(name, per_vehicle=Decimal(1))
    ledger.mark_evaluated("trams")
    ledger.link("trams", "ferries")
    ledger.link("ferries", BUSES)
    assert ledger.was_evaluated(BUSES)


def test_an_entry_keeps_what_was_true_when_it_was_reserved(ledger: Ledger) -> None:
    reservation = ledger.reserve(request_of())
    reservation.store_draws({})
    ledger.mark_evaluated(BUSES)
    assert ledger.resume(reservation.entry).evaluated is False


def test_an_evaluation_creates_a_population_without_a_limit(path: Path) -> None:
    ledger = Ledger.open(path)
    assert not ledger.was_evaluated("new")
    assert not path.parent.exists()
    ledger.mark_evaluated(" new")
    assert check(path) == []
    (population,) = ledger.populations()
    assert (population.name, population.per_vehicle, population.entries) == ("new", None, ())
    before = _files(path)
    ledger.mark_evaluated("new")
    for refused in (
        lambda: ledger.reserve(request_of(population="new")),
        lambda: ledger.check_known("new", Relation.VALUES, ZONE, per_vehicle=None, least=Decimal(1)),
        lambda: ledger.tie_key("new"),
        lambda: ledger.link("new", "other"),
    ):
        with pytest.raises(BudgetRefused, match='"new" has no limit'):
            refused()
    assert _files(path) == before
    ledger.set_limit("new", per_vehicle=Decimal(1))
    assert ledger.reserve(request_of(population="new")).evaluated
    assert [population.name for population in ledger.populations()] == ["new"]


def test_an_unusable_name_is_not_evaluated(ledger: Ledger, path: Path) -> None:
    before = _files(path)
    for ask in (ledger.mark_evaluated, ledger.was_evaluated):
        with pytest.raises(InputError):
            ask(" ")
    assert _files(path) == before


def test_an_evaluation_cannot_be_taken_back(ledger: Ledger, path: Path) -> None:
    ledger.mark_evaluated(BUSES)
    _tamper(path, "DELETE FROM events WHERE kind = 'evaluated'")
    assert check(path)
    with pytest.raises(LedgerError):
        Ledger.open(path)


# From reservation to publication


def test_a_reservation_says_what_it_bought(ledger: Ledger) -> None:
    ledger.reserve(request_of(charge=charge_of({DAY: "1", NEXT: "0.5"})))
    before = dt.datetime.now(dt.UTC).date()
    reservation = ledger.reserve(request_of("2"))
    paid: Reservation = reservation
    paid.confirm()
    assert [allowance.epsilon for allowance in paid.allowances] == [Decimal(2)]
    assert reservation.entry == 2
    assert reservation.cumulative == {
        Unit.VEHICLE: Decimal("3.5"),
        Unit.VEHICLE_DAY: Decimal(3),
        Unit.VEHICLE_HAT_DAY: Decimal(3),
    }
    assert reservation.limits == {
        Unit.VEHICLE: Decimal(10),
        Unit.VEHICLE_DAY: None,
        Unit.VEHICLE_HAT_DAY: None,
    }
    assert before <= reservation.reserved_on <= dt.datetime.now(dt.UTC).date()


def test_an_entry_goes_from_reserved_to_spent_to_published(ledger: Ledger) -> None:
    reservation = ledger.reserve(request_of(fingerprint="1" * 64))
    assert ledger.find_identical(BUSES, "1" * 64) is None
    with pytest.raises(LedgerError, match='"reserved"'):
        reservation.mark_published("city-1", "0" * 64)
    with pytest.raises(LedgerError, match='"reserved"'):
        ledger.resume(1)
    draws = {"z": [1, None, "é"], "a": {"y": 0.1, "x": True}}
    reservation.store_draws(draws)
    stored = ledger.find_identical(BUSES, "1" * 64)
    assert stored is not None
    assert (stored.entry, stored.state) == (1, EntryState.SPENT)
    assert json.dumps(stored.draws) == json.dumps(draws)
    for step in (reservation.confirm, lambda: reservation.store_draws(draws)):
        with pytest.raises(LedgerError, match='"spent"'):
            step()
    reservation.mark_published("city-1", "0" * 64)
    published = ledger.find_identical(BUSES, "1" * 64)
    assert published is not None
    assert published.state == EntryState.PUBLISHED
    with pytest.raises(LedgerError, match='"published"'):
        reservation.store_draws(draws)


def test_stored_draws_are_published_again_at_no_cost(ledger: Ledger) -> None:
    first = ledger.reserve(request_of("3", fingerprint="1" * 64))
    first.store_draws({})
    first.mark_published("city-1", "0" * 64)
    again = ledger.resume(1)
    assert (again.cumulative, again.limits, again.reserved_on) == (
        first.cumulative,
        first.limits,
        first.reserved_on,
    )
    with pytest.raises(LedgerError):
        again.confirm()
    again.mark_published("city-1-copy", "0" * 64)
    (population,) = ledger.populations()
    assert population.spent == 3
    assert population.entries[0].bundles == ("city-1", "city-1-copy")


def test_a_request_is_found_by_its_place_first_and_else_by_its_name(ledger: Ledger) -> None:
    """Names alone may be those of other files; an entry of an earlier version has no other mark."""
    earlier = request_of(fingerprint="1" * 64)
    for request in (request_of(fingerprint="2" * 64, place_fingerprint="a" * 64), earlier):
        ledger.reserve(request).store_draws({})

    def entry_of(*marks: str) -> int | None:
        stored = ledger.find_identical(BUSES, *marks)
        return stored.entry if stored else None

    assert entry_of("a" * 64, "1" * 64) == 1
    assert entry_of("b" * 64, "1" * 64) == 2
    assert entry_of("b" * 64, "2" * 64) == 1
    assert entry_of("b" * 64, "3" * 64) is None
    assert entry_of("", "") is None
    with pytest.raises(AlreadyDrawn):
        ledger.reserve(request_of(fingerprint="3" * 64, place_fingerprint="a" * 64))
    assert "place_fingerprint" not in write_parts(reserved_of(1, charge_of({DAY: "1"})))[1]


def test_identical_means_same_population_and_fingerprint_with_draws(ledger: Ledger) -> None:
    ledger.set_limit("trams", per_vehicle=Decimal(10))
    first, second, _ = [ledger.reserve(request_of(fingerprint="1" * 64)) for _ in range(3)]
    first.store_draws({"value": 1})
    second.store_draws({"value": 2})
    stored = ledger.find_identical(BUSES, "1" * 64)
    assert stored is not None
    assert (stored.entry, stored.draws) == (2, {"value": 2})
    newest = ledger.newest_draws(BUSES)
    assert newest is not None
    assert (newest.entry, newest.draws) == (2, {"value": 2})
    assert ledger.newest_draws("trams") is ledger.newest_draws("nobody") is None
    assert ledger.find_identical("trams", "1" * 64) is None
    assert ledger.find_identical(BUSES, "2" * 64) is None


def test_what_was_drawn_meanwhile_is_not_paid_again(ledger: Ledger) -> None:
    """Looked for in the transaction itself: whoever asked in between has paid."""
    request = request_of(fingerprint="1" * 64)
    ledger.reserve(request).store_draws({"value": 1})
    spent = ledger.populations()[0].spent
    with pytest.raises(AlreadyDrawn) as other:
        ledger.reserve(request)
    assert (other.value.stored.entry, other.value.stored.draws) == (1, {"value": 1})
    assert ledger.populations()[0].spent == spent
    ledger.reserve(request_of(fingerprint="2" * 64))
    assert ledger.populations()[0].spent > spent


def test_runs_draw_one_after_the_other_and_a_dead_one_gives_its_turn_up(
    ledger: Ledger, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ledger_module, "_TURN_SECONDS", 0.05)
    other = Ledger.open(path)

    def fails() -> None:
        with ledger.drawing():
            with pytest.raises(LedgerError, match="has been drawing"), other.drawing():
                pytest.fail("two at a time")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fails()
    with other.drawing():
        pass


def test_a_request_that_was_drawn_before_passes_the_first_check(ledger: Ledger) -> None:
    request = request_of("10", spec_fingerprint="5" * 64)

    def first_check(mark: str) -> None:
        ledger.check_known(
            BUSES, Relation.VALUES, ZONE, per_vehicle=Decimal(10), least=Decimal(1), spec_fingerprint=mark
        )

    first_check("")
    reservation = ledger.reserve(request)
    for mark in ("", "5" * 64):
        with pytest.raises(BudgetRefused):
            first_check(mark)
    reservation.store_draws({})
    first_check("5" * 64)
    for mark in ("", "6" * 64):
        with pytest.raises(BudgetRefused):
            first_check(mark)


def test_an_unknown_entry_cannot_be_resumed(ledger: Ledger) -> None:
    with pytest.raises(LedgerError, match="no entry 7"):
        ledger.resume(7)


def test_draws_must_be_json(ledger: Ledger) -> None:
    reservation = ledger.reserve(request_of())
    with pytest.raises(ValueError, match="JSON"):
        reservation.store_draws({"value": float("nan")})
    reservation.confirm()


# Nothing changes, nothing leaks


def test_a_refusal_changes_no_byte(ledger: Ledger, path: Path) -> None:
    ledger.set_limit("trams", per_vehicle=Decimal(10))
    reservation = ledger.reserve(request_of("6"))
    before = _files(path)
    refusals: list[Callable[[], object]] = [
        lambda: ledger.check_exact(request_of("5")),
        lambda: ledger.reserve(request_of("5")),
        lambda: ledger.reserve(request_of(relation=Relation.USER)),
        lambda: ledger.reserve(request_of(zone="Asia/Kolkata")),
        lambda: ledger.reserve(request_of(population="trams")),
        lambda: ledger.check_known(BUSES, Relation.VALUES, ZONE, per_vehicle=Decimal(5), least=Decimal(1)),
        lambda: reservation.mark_published("city-1", "0" * 64),
        lambda: ledger.link(BUSES, "unknown"),
    ]
    for refuse in refusals:
        with pytest.raises(HexveilError):
            refuse()
    assert _files(path) == before
    reservation.confirm()


def test_ids_of_vehicles_are_nowhere(ledger: Ledger, path: Path) -> None:
    ledger.set_limit("trams", per_vehicle=Decimal(10))
    texts = [repr(ledger.reserve(request_of("6")))]
    for request in (request_of("5"), request_of(population="trams")):
        with pytest.raises(BudgetRefused) as refused:
            ledger.reserve(request)
        texts.append(str(refused.value))
    texts += [repr(ledger.populations()), json.dumps(ledger.export())]
    assert not any(vehicle in text for vehicle in FLEET for text in texts)
    for content in _files(path).values():
        assert not any(vehicle.encode() in content for vehicle in FLEET)


def test_an_export_has_no_key_hash_fingerprint_or_draw(ledger: Ledger, path: Path) -> None:
    ledger.reserve(request_of(fingerprint="1" * 64, spec_fingerprint="2" * 64)).store_draws({"drawn": 77})
    text = json.dumps(ledger.export())
    with closing(sqlite3.connect(path)) as connection:
        private = [json.loads(row) for (row,) in connection.execute("SELECT private FROM events")]
    secrets = [value for part in private for value in part.values()]
    flat = [item for value in secrets for item in ([value] if isinstance(value, str) else value)]
    assert len(flat) == 1 + 2 + 2 + len(FLEET)
    assert not any(secret in text for secret in flat)
    assert "drawn" not in text


# Windows, threads and kills


def test_two_windows_share_a_ledger(ledger: Ledger, path: Path) -> None:
    second = Ledger.open(path)
    first_entry = ledger.reserve(request_of("6"))
    with pytest.raises(BudgetRefused, match="spent 6"):
        second.reserve(request_of("6"))
    second_entry = second.reserve(request_of("4"))
    first_entry.store_draws({})
    second_entry.store_draws({})
    assert [entry.state for entry in ledger.populations()[0].entries] == [EntryState.SPENT] * 2
    assert check(path) == []


def test_a_race_never_overspends(ledger: Ledger, path: Path) -> None:
    won: list[LedgerReservation] = []
    lost: list[BudgetRefused] = []

    def compete() -> None:
        try:
            won.append(Ledger.open(path).reserve(request_of("3")))
        except BudgetRefused as refused:
            lost.append(refused)

    threads = [threading.Thread(target=compete) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(won), len(lost)) == (3, 3)
    assert sorted(reservation.entry for reservation in won) == [1, 2, 3]
    assert ledger.populations()[0].spent == 9
    assert check(path) == []


def test_windows_that_create_the_ledger_together_make_one(path: Path) -> None:
    names = [f"population {number}" for number in range(5)]
    threads = [
        threading.Thread(target=lambda name=name: Ledger(path).set_limit(name, per_vehicle=Decimal(1)))
        for name in names
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [population.name for population in Ledger.open(path).populations()] == names
    assert check(path) == []


def test_a_busy_ledger_says_so(ledger: Ledger, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ledger_file, "BUSY_SECONDS", 0.05)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(LedgerError, match="Another window is using the ledger"):
            ledger.reserve(request_of())
        assert ledger.populations()[0].spent == 0
        other.execute("ROLLBACK")
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(LedgerError, match="Another window"):
            check(path)
    ledger.reserve(request_of())


KILLED_CODE = signal.SIGTERM if sys.platform == "win32" else -signal.SIGKILL
"""Windows ends a process at once, with the number that it is told."""
KILLED = """
import os, signal, sys
from pathlib import Path
from core.accounting.ledger import Ledger
from tests.core.accounting.ledger_cases import request_of
Ledger.open(Path(sys.argv[1])).reserve(request_of("4", fingerprint="1" * 64))
os.kill(os.getpid(), getattr(signal, "SIGKILL", signal.SIGTERM))
"""


def test_a_killed_release_counts_as_spent(ledger: Ledger, path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", KILLED, str(path)], cwd=ROOT, check=False)
    assert done.returncode == KILLED_CODE
    (population,) = ledger.populations()
    assert population.spent == 4
    assert population.entries[0].state == EntryState.RESERVED
    assert ledger.find_identical(BUSES, "1" * 64) is None
    assert check(path) == []


KILLED_WITHIN = """
import os, signal, sys
from pathlib import Path
from core.accounting import ledger, ledger_file
from tests.core.accounting.ledger_cases import request_of
columns = ledger_file._columns
def kill(row):
    yield columns(row)
    os.kill(os.getpid(), getattr(signal, "SIGKILL", signal.SIGTERM))
ledger_file.map = lambda _, rows: (each for row in rows for each in kill(row))
ledger.Ledger.open(Path(sys.argv[1])).reserve(request_of("4"))
"""


def test_a_kill_inside_the_transaction_leaves_no_entry(ledger: Ledger, path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", KILLED_WITHIN, str(path)], cwd=ROOT, check=False)
    assert done.returncode == KILLED_CODE
    assert ledger.populations()[0].spent == 0
    assert check(path) == []
    ledger.reserve(request_of("4"))


def test_a_crash_between_commit_and_head_is_fine(
    ledger: Ledger, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def crash(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(ledger_module, "advance_head", crash)
        with pytest.raises(KeyboardInterrupt):
            ledger.reserve(request_of("4"))
    assert check(path) == []
    assert ledger.populations()[0].spent == 4
    assert ledger.reserve(request_of("4")).entry == 2


def test_a_reservation_is_drawn_although_its_head_could_not_be_written(
    ledger: Ledger, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise LedgerError("The head file was not written.")

    with monkeypatch.context() as patched:
        patched.setattr(ledger_module, "advance_head", refuse)
        entry = ledger.reserve(request_of("4"))
        with pytest.raises(LedgerError, match="head file"):
            ledger.set_limit(BUSES, per_vehicle=Decimal(9))
    assert check(path) == []
    entry.store_draws({"values": [1]})
    assert ledger.find_identical(BUSES, "f" * 64) is not None
    assert json.loads(head_path(path).read_bytes())["seq"] == 6  # it has caught up


@pytest.mark.parametrize("confirmed", [True, False])
def test_a_commit_that_fails_in_its_last_step_is_kept_and_said_so(
    ledger: Ledger, path: Path, monkeypatch: pytest.MonkeyPatch, confirmed: bool
) -> None:
    """SQLite removes its journal, which commits, and then syncs the folder: only that fails."""
    writing = ledger_module.writing

    @contextmanager
    def unsynced(connection: sqlite3.Connection) -> Iterator[None]:
        with writing(connection):
            yield
        error = sqlite3.OperationalError("disk I/O error")
        error.sqlite_errorname = "SQLITE_IOERR_DIR_FSYNC"
        raise error

    def sync(_: Path) -> None:
        if not confirmed:
            raise OSError(5, "Input/output error")

    with monkeypatch.context() as patched:
        patched.setattr(ledger_module, "writing", unsynced)
        patched.setattr(ledger_module, "sync_folder", sync)
        if confirmed:
            assert ledger.reserve(request_of("4")).entry == 1
        else:
            with pytest.raises(LedgerError, match="in the ledger and counts, but its disk does not confirm"):
                ledger.reserve(request_of("4"))
    assert ledger.populations()[0].spent == 4
    assert check(path) == []


def test_a_commit_that_fails_before_its_event_is_kept_changes_nothing(
    ledger: Ledger, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    @contextmanager
    def full(connection: sqlite3.Connection) -> Iterator[None]:
        connection.execute("BEGIN IMMEDIATE")
        yield
        connection.execute("ROLLBACK")
        error = sqlite3.OperationalError("database or disk is full")
        error.sqlite_errorname = "SQLITE_FULL"
        raise error

    with monkeypatch.context() as patched:
        patched.setattr(ledger_module, "writing", full)
        with pytest.raises(LedgerError, match="cannot be read or written"):
            ledger.reserve(request_of("4"))
    assert ledger.populations()[0].spent == 0
    assert check(path) == []


# Damage


def _damaged(path: Path, ledger: Ledger, finding: str) -> None:
    """Every use of a damaged ledger is refused, and the check tells what is wrong."""
    assert any(finding in each for each in check(path)), check(path)
    uses: list[Callable[[], object]] = [
        lambda: Ledger.open(path),
        lambda: ledger.reserve(request_of()),
        lambda: ledger.set_limit(BUSES, per_vehicle=Decimal(99)),
        ledger.populations,
    ]
    for use in uses:
        with pytest.raises(LedgerError) as refused:
            use()
        assert refused.value.where
        assert refused.value.mend


def test_the_table_refuses_to_be_edited(ledger: Ledger, path: Path) -> None:
    assert ledger.populations()
    with closing(sqlite3.connect(path)) as connection:
        for statement in ("UPDATE events SET at = ''", "DELETE FROM events"):
            with pytest.raises(sqlite3.IntegrityError, match="append only"):
                connection.execute(statement)


def test_an_edited_event_is_found(ledger: Ledger, path: Path) -> None:
    ledger.reserve(request_of("6"))
    _tamper(path, "UPDATE events SET body = replace(body, '\"6\"', '\"1\"') WHERE kind = 'reserved'")
    _damaged(path, ledger, "Event 4 has been edited")
    assert any("guards" in finding for finding in check(path))


def test_removed_guards_are_found(ledger: Ledger, path: Path) -> None:
    assert ledger.populations()
    _tamper(path)
    assert any("guards" in finding for finding in check(path))


def test_a_truncated_ledger_is_found(ledger: Ledger, path: Path) -> None:
    ledger.reserve(request_of("6"))
    _tamper(path, "DELETE FROM events WHERE seq = 4")
    _damaged(path, ledger, "cut short")


def test_an_event_missing_within_is_found(ledger: Ledger, path: Path) -> None:
    ledger.reserve(request_of("6"))
    _tamper(path, "DELETE FROM events WHERE seq = 3")
    _damaged(path, ledger, "missing from the ledger before event 4")


def test_a_rolled_back_copy_is_found(ledger: Ledger, path: Path, tmp_path: Path) -> None:
    shutil.copy(path, tmp_path / "copy")
    ledger.reserve(request_of("6"))
    shutil.copy(tmp_path / "copy", path)
    _damaged(path, ledger, "rolled back")


def test_a_missing_ledger_beside_its_head_is_found(ledger: Ledger, path: Path) -> None:
    path.unlink()
    _damaged(path, ledger, "missing")
    assert not path.exists()


def test_an_emptied_ledger_beside_its_head_is_found(ledger: Ledger, path: Path) -> None:
    path.write_bytes(b"")
    _damaged(path, ledger, "rolled back")
    assert path.read_bytes() == b""


def test_a_missing_or_damaged_head_is_found(ledger: Ledger, path: Path) -> None:
    head_path(path).write_text("{}")
    _damaged(path, ledger, "head file")
    head_path(path).unlink()
    _damaged(path, ledger, "head file of the ledger is missing")


@pytest.mark.parametrize("content", [b"no database at all, only words" * 40, os.urandom(4096)])
def test_a_file_that_is_no_database_is_found(ledger: Ledger, path: Path, content: bytes) -> None:
    path.write_bytes(content)
    _damaged(path, ledger, "ledger file is damaged")
    assert path.read_bytes() == content


def test_a_damaged_page_is_found(ledger: Ledger, path: Path) -> None:
    ledger.reserve(request_of("6"))
    content = bytearray(path.read_bytes())
    content[4096 : 2 * 4096] = bytes(4096)
    path.write_bytes(content)
    _damaged(path, ledger, "")


def test_another_database_is_left_alone(path: Path) -> None:
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE events (seq)")
        connection.commit()
    before = _files(path)
    _damaged(path, Ledger(path), "not a ledger")
    assert _files(path) == before


# Gaussian noise


def test_a_reservation_of_rho_is_on_disk_with_its_delta_and_its_parts(ledger: Ledger, path: Path) -> None:
    ledger.set_limit(BUSES, per_vehicle=Decimal(10), delta=Decimal("1e-6"))
    assert ledger.delta_of(BUSES) == Decimal("1e-6")
    request = request_of("0.5", charge=charge_of({DAY: "0.5"}, rho={DAY: "0.125"}))
    ledger.check_exact(request)
    made = ledger.reserve(request)
    made.store_draws({})
    found = Ledger.open(path).resume(made.entry)
    for one in (made, found):
        assert [(item.epsilon, item.rho) for item in one.allowances] == [(Decimal("0.5"), Decimal("0.125"))]
        assert one.delta == Decimal("1e-6")
        assert set(one.cumulative_parts.values()) == {PrivacyLoss(Decimal("0.5"), Decimal("0.125"))}
        assert set(one.cumulative.values()) == {epsilon_of(Decimal("0.5"), Decimal("0.125"), one.delta)}
    ledger.set_limit(BUSES, per_vehicle=Decimal(10), delta=Decimal("1e-9"))
    assert ledger.resume(made.entry).delta == Decimal("1e-6"), "an entry keeps what it was reserved with"
    ledger.set_limit(BUSES, per_vehicle=Decimal(10))
    assert check(path) == []
    assert ledger.find_identical(BUSES, request.fingerprint) is not None
    with pytest.raises(BudgetRefused, match="delta is 0"):
        ledger.reserve(request_of("0.1", fingerprint="e" * 64))


def test_a_refused_rho_changes_no_byte(ledger: Ledger, path: Path) -> None:
    before = _files(path)
    with pytest.raises(BudgetRefused, match="allows no Gaussian noise"):
        ledger.reserve(request_of("0", charge=charge_of({DAY: "0"}, rho={DAY: "0.125"})))
    assert _files(path) == before


def test_gaussian_noise_is_bought_at_the_smallest_delta_of_those_who_pay(ledger: Ledger) -> None:
    assert ledger.delta_of(BUSES) == ledger.delta_of("nobody") == 0
    ledger.set_limit(BUSES, per_vehicle=Decimal(10), delta=Decimal("1e-6"))
    ledger.set_limit("same buses", per_vehicle=Decimal(10), delta=Decimal("1e-9"))
    assert ledger.delta_of(BUSES) == Decimal("1e-6")
    ledger.link(BUSES, "same buses")
    assert ledger.delta_of(BUSES) == ledger.delta_of("same buses") == Decimal("1e-9")
    ledger.set_limit("same buses", per_vehicle=Decimal(10))
    assert ledger.delta_of(BUSES) == 0


def test_a_flipped_byte_is_a_finding_or_a_ledger_error_wherever_it_is(ledger: Ledger, path: Path) -> None:
    """The header, the schema and its text, a page, an event: SQLite's messages may quote damaged bytes."""
    ledger.set_limit(BUSES, per_vehicle=Decimal(3))
    sound = path.read_bytes()
    schema = sound.rindex(b"CREATE TRIGGER")
    for place in (0, 17, 59, 100, 107, schema, schema + 40, sound.rindex(b"BEFORE"), len(sound) - 30):
        damaged = bytearray(sound)
        damaged[place] ^= 0xA5
        path.write_bytes(damaged)
        with suppress(LedgerError):
            assert isinstance(check(path), object)
    path.write_bytes(sound)
    assert ledger.populations()
