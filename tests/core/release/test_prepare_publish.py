"""The whole job: order of steps, repeats, refusals, and what survives a kill."""

from __future__ import annotations

import csv
import dataclasses
import datetime as dt
import json
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from core.accounting import ledger_room
from core.accounting.ledger import Ledger, LedgerReservation
from core.bundle.release_result import Release
from core.codec import from_json
from core.contributions import contributions_of
from core.errors import BudgetRefused, InputError, LedgerError, ReleaseAborted
from core.fixed_point import THOUSAND
from core.hats.cells import cell_text
from core.keys.signing_key import SigningKey, generate_key
from core.planning.planning_room import ROOM, NoRoom
from core.release import bundle as bundles
from core.release.bundle import Staging
from core.release.prepare_publish import PublishedRelease, prepare, publish
from core.release.prepared import Prepared
from core.release.review import PAID_BEFORE
from core.spec import ReleaseSpec, load_spec
from core.store.load_records import load_records
from core.verify.key_note import publish_key_note
from core.verify.verify import verify_bundle
from tests.city import BOUNDARY, DERIVED, PASSPHRASE, POPULATION, SUPPRESSING, write_city, write_records
from tests.core.accounting.ledger_cases import request_of
from tests.geojson import box, feature, features, polygon, write_geojson
from tests.taxis import write_taxis
from tests.unpacked import unpacked

NOW = dt.datetime(2026, 11, 21, 12, 0, tzinfo=dt.UTC)


def prepared(spec: Path, ledger: Ledger) -> Prepared:
    return prepare(load_spec(spec), ledger)


def released(spec: Path, ledger: Ledger, key: SigningKey, out: Path) -> PublishedRelease:
    return publish(prepared(spec, ledger), ledger, key=key, out=out, now=NOW)


def files_below(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_a_request_is_paid_once_and_another_is_refused_or_warned_of(
    tmp_path: Path, ledger: Ledger, key: SigningKey
) -> None:
    spec, out = write_city(tmp_path / "city"), tmp_path / "out"
    assert PAID_BEFORE not in prepared(spec, ledger).review.warnings
    first = released(spec, ledger, key, out)
    (population,) = ledger.populations()
    spent = population.spent
    assert spent == first.release.charge.per_vehicle <= Decimal(6)
    assert (population.entries[0].state, first.repeated) == ("published", False)
    assert first.bundle == out / "test-speed-1.0.0"
    assert [path.name for path in out.iterdir()] == ["test-speed-1.0.0"]
    # once more: the same bytes, at no cost
    assert PAID_BEFORE not in prepared(spec, ledger).review.warnings
    again = released(spec, ledger, key, tmp_path / "again")
    assert again.repeated
    assert files_below(again.bundle / "data") == files_below(first.bundle / "data")
    # other texts are no other request
    renamed = write_city(tmp_path / "city", edit=(('"1.0.0"', '"1.1.0"'), ('"City"', '"Town"')))
    assert prepared(renamed, ledger).stored is not None
    # another grid, over the limit, changes nothing
    other = write_city(tmp_path / "city", edit=(("threshold = 2", "threshold = 3"),))
    before = files_below(tmp_path)
    with pytest.raises(BudgetRefused) as refused:
        released(other, ledger, key, tmp_path / "more")
    assert refused.value.exit_code == 3
    assert files_below(tmp_path) == before
    assert ledger.populations()[0].spent == spent
    # nor do other values; where there is budget for them, who pays for the same spec again is warned: a table
    # of several resolutions has no visits, and its release was charged again without a word
    spec = write_city(tmp_path / "city")
    write_records(tmp_path / "city" / "records.csv", bump=1.0)
    with pytest.raises(BudgetRefused):
        prepared(spec, ledger)
    ledger.set_limit(POPULATION, per_vehicle=Decimal(100))
    assert prepared(spec, ledger).review.warnings[0] == PAID_BEFORE


PLACES = """
[release.places]
file = "stops.geojson"
name_field = "stop"
within_m = 50000
[data]
"""


def write_placed(folder: Path, **properties: object) -> Path:
    """The city, named by one stop in the middle of it."""
    path = write_city(folder)
    stop = feature({"type": "Point", "coordinates": [72.83, 21.18]}, properties)
    write_geojson(folder / "stops.geojson", {"type": "FeatureCollection", "features": [stop]})
    path.write_text(path.read_text("utf-8").replace("\n[data]\n", PLACES, 1), "utf-8")
    return path


def test_names_of_places_are_published_beside_the_hexagons(
    tmp_path: Path, ledger: Ledger, key: SigningKey
) -> None:
    plain = released(write_city(tmp_path / "city"), ledger, key, tmp_path / "out")
    placed = released(write_placed(tmp_path / "city", stop="=Udhna\nGate"), ledger, key, tmp_path / "placed")
    assert placed.repeated, "names are no part of the request: the draws are the same and cost nothing"
    rows, before = (
        list(csv.DictReader((result.bundle / "data" / "speed_by_hat.csv").read_text("utf-8").splitlines()))
        for result in (placed, plain)
    )
    assert {row["place"] for row in rows} == {"near =Udhna Gate"}
    assert [{name: cell for name, cell in row.items() if name != "place"} for row in rows] == before
    assert "place" not in before[0]
    assert verify_bundle(placed.bundle).ok
    assert "near =Udhna Gate" in (placed.bundle / "report.html").read_text("utf-8")
    told = dict(prepared(tmp_path / "city" / "spec.toml", ledger).review.signed)
    assert "stops.geojson" in told["Places"]


@pytest.mark.parametrize(
    ("spoilt", "what"),
    [
        (lambda file: file.unlink(), "no such file"),
        (lambda file: file.write_text("{}", "utf-8"), "not GeoJSON"),
        (lambda file: write_geojson(file, features(polygon(box(72, 21, 73, 22)))), "no field"),
    ],
)
def test_a_layer_of_places_that_is_no_use_spends_nothing(
    tmp_path: Path, ledger: Ledger, spoilt: Callable[[Path], object], what: str
) -> None:
    spec = write_placed(tmp_path / "city", stop="Udhna")
    spoilt(tmp_path / "city" / "stops.geojson")
    with pytest.raises(InputError, match=what) as caught:
        prepared(spec, ledger)
    assert "stops.geojson" in caught.value.where
    assert ledger.populations()[0].spent == 0


def claims_evaluation(published: PublishedRelease) -> bool:
    stated: bool = json.loads((published.bundle / "privacy.json").read_bytes())[
        "parameters_chosen_after_confidential_evaluation"
    ]
    return stated


def test_only_releases_after_an_evaluation_say_so(tmp_path: Path, ledger: Ledger, key: SigningKey) -> None:
    ledger.set_limit(POPULATION, per_vehicle=Decimal(20))
    before = released(write_city(tmp_path / "city"), ledger, key, tmp_path / "before")
    ledger.mark_evaluated(POPULATION)
    spec = write_city(tmp_path / "city")
    assert not prepared(spec, ledger).review.evaluated
    repeated = released(spec, ledger, key, tmp_path / "repeated")
    other = write_city(tmp_path / "city", edit=(("threshold = 2", "threshold = 3"),))
    assert prepared(other, ledger).review.evaluated
    after = released(other, ledger, key, tmp_path / "after")
    again = released(other, ledger, key, tmp_path / "again")
    assert [claims_evaluation(one) for one in (before, repeated, after, again)] == [False, False, True, True]
    assert verify_bundle(after.bundle, key.public_text).ok


def test_an_evaluation_between_review_and_reservation_counts(
    tmp_path: Path, ledger: Ledger, key: SigningKey
) -> None:
    plan = prepared(write_city(tmp_path / "city"), ledger)
    ledger.mark_evaluated(POPULATION)
    assert claims_evaluation(publish(plan, ledger, key=key, out=tmp_path / "out", now=NOW))


def stated_sums(published: PublishedRelease) -> set[tuple[str, str, str]]:
    """Unit, cumulative epsilon and limit, as `epsilon_summary.csv` has them."""
    with (published.bundle / "data" / "epsilon_summary.csv").open(encoding="utf-8", newline="") as file:
        return {
            (row["unit"], row["epsilon_cumulative"], row["epsilon_limit"]) for row in csv.DictReader(file)
        }


def test_a_bundle_states_the_sum_and_smallest_limit_of_linked_populations_at_its_reservation(
    tmp_path: Path, ledger: Ledger, key: SigningKey
) -> None:
    zone = "Asia/Kolkata"
    ledger.set_limit("Same buses", per_vehicle=Decimal(9), per_vehicle_day=Decimal(8))
    ledger.reserve(request_of("2.5", population="Same buses", zone=zone))
    ledger.link(POPULATION, "Same buses")
    spec = write_city(tmp_path / "city")
    first = released(spec, ledger, key, tmp_path / "out")
    told = {unit: (spent, limit) for unit, spent, limit in stated_sums(first)}
    assert told["vehicle"] == ("8.499994", "9")
    assert told["vehicle-day"][1] == "8"
    stated = json.loads((first.bundle / "privacy.json").read_bytes())
    assert (stated["cumulative"]["vehicle"], stated["limits"]["vehicle"]) == told["vehicle"]
    ledger.set_limit("Same buses", per_vehicle=Decimal(20))
    ledger.reserve(request_of("1", population="Same buses", zone=zone))
    again = released(spec, ledger, key, tmp_path / "again")
    assert again.repeated
    assert stated_sums(again) == stated_sums(first)
    assert verify_bundle(again.bundle, key.public_text).ok


def write_buses(folder: Path, population: str) -> Path:
    return write_city(folder, edit=((POPULATION, population),))


def write_cabs(folder: Path, population: str) -> Path:
    return write_taxis(folder, edits=[('population = "Taxis"', f'population = "{population}"')])


@pytest.mark.parametrize("write", [write_buses, write_cabs], ids=["values", "user"])
def test_the_same_vehicles_have_no_other_budget_under_another_name(
    write: Callable[[Path, str], Path], tmp_path: Path, ledger: Ledger, key: SigningKey
) -> None:
    """Each release tells the ledger who is in its records."""
    for name in ("First", "Second"):
        ledger.set_limit(name, per_vehicle=Decimal(100))
    released(write(tmp_path / "city", "First"), ledger, key, tmp_path / "out")
    other = write(tmp_path / "city", "Second")
    with pytest.raises(BudgetRefused, match="More than 5 %") as refused:
        prepared(other, ledger)
    assert refused.value.exit_code == 3
    ledger.link("First", "Second")
    assert prepared(other, ledger).stored is None


def test_the_exact_charge_is_checked_where_epsilon_is_per_hat(tmp_path: Path, ledger: Ledger) -> None:
    spec = write_city(tmp_path / "city", edit=(('total = "6"', 'epsilon = "4"'),))
    with pytest.raises(BudgetRefused):
        prepared(spec, ledger)


def test_unconfirmed_is_refused_before_data_are_read(tmp_path: Path, ledger: Ledger) -> None:
    spec = write_city(tmp_path / "city", edit=(("confirmed = true", "confirmed = false"),))
    (tmp_path / "city" / "records.csv").unlink()
    with pytest.raises(InputError, match="not confirmed"):
        prepared(spec, ledger)


def test_a_known_total_is_refused_before_data_are_read(tmp_path: Path, ledger: Ledger) -> None:
    spec = write_city(tmp_path / "city", edit=(('total = "6"', 'total = "11"'),))
    (tmp_path / "city" / "records.csv").unlink()
    with pytest.raises(BudgetRefused):
        prepared(spec, ledger)


def test_an_existing_target_is_never_replaced(tmp_path: Path, ledger: Ledger, key: SigningKey) -> None:
    target = tmp_path / "out" / "test-speed-1.0.0"
    target.mkdir(parents=True)
    plan = prepared(write_city(tmp_path / "city"), ledger)
    with pytest.raises(InputError) as refused:
        publish(plan, ledger, key=key, out=tmp_path / "out", now=NOW)
    assert refused.value.exit_code == 2
    assert ledger.populations()[0].spent == 0
    assert list(target.iterdir()) == []


def test_a_full_disk_after_the_draw_leaves_draws_that_cost_nothing(
    tmp_path: Path, ledger: Ledger, key: SigningKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = write_city(tmp_path / "city")

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(bundles, "write_synced", full)
        with pytest.raises(ReleaseAborted):
            released(spec, ledger, key, tmp_path / "out")
    assert not (tmp_path / "out").exists()
    spent = ledger.populations()[0].spent
    assert released(spec, ledger, key, tmp_path / "out").repeated
    assert ledger.populations()[0].spent == spent > 0


def test_the_same_release_at_once_is_paid_once(tmp_path: Path, ledger: Ledger, key: SigningKey) -> None:
    spec, out = write_city(tmp_path / "city"), tmp_path / "out"
    plans = [prepare(load_spec(spec), ledger, out=out) for _ in range(4)]
    ready = threading.Barrier(len(plans))

    def run(number: int) -> PublishedRelease:
        ready.wait()
        return publish(plans[number], ledger, key=key, out=out / str(number), now=NOW)

    with ThreadPoolExecutor(len(plans)) as pool:
        published = list(pool.map(run, range(len(plans))))
    (population,) = ledger.populations()
    assert len(population.entries) == 1
    assert population.spent == plans[0].review.charge.per_vehicle
    assert sorted(one.repeated for one in published) == [False, True, True, True]
    assert len({(one.bundle / "data" / "speed_by_hat.csv").read_bytes() for one in published}) == 1


def test_who_finds_the_target_taken_is_told_so_and_what_it_cost(
    tmp_path: Path, ledger: Ledger, key: SigningKey
) -> None:
    """Another run of the name was faster: a repeated request lost nothing, a drawn one has its draws."""
    spec, out = write_city(tmp_path / "city"), tmp_path / "out"
    plan = prepared(spec, ledger)

    def taken(*_: object, **__: object) -> None:
        (out / "test-speed-1.0.0").mkdir()

    for expected in (ReleaseAborted, InputError):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Staging, "_write", taken)
            with pytest.raises(expected, match="Another run has published") as told:
                publish(plan, ledger, key=key, out=out, now=NOW)
        assert "at no cost" in told.value.mend
        (out / "test-speed-1.0.0").rmdir()
    assert len(ledger.populations()[0].entries) == 1


KILLED = """
import os, signal, sys
from core.cli import main
from core.planning.separate import Separate
from core.release.bundle import Staging

def die(*_, **__):
    os.kill(os.getpid(), signal.SIGKILL)

if sys.argv[1] == "before-draw":
    draws = iter((Separate.draw, die))  # the first is the rehearsal
    Separate.draw = lambda *given: next(draws)(*given)
elif sys.argv[1] == "before-writing":
    Staging.publish = die
else:
    path, rename = type(__import__("pathlib").Path()), os.rename
    # the cache renames too, and before the budget is reserved
    path.rename = lambda self, target: rename(self, target) if "cache" in self.parts else die()
main(sys.argv[2:])
"""


@pytest.mark.skipif(os.name == "nt", reason="kill -9 is a POSIX matter")
@pytest.mark.parametrize(
    "moment", ["before-draw", "before-rename", pytest.param("before-writing", marks=pytest.mark.audit)]
)
def test_kill_9_leaves_no_bundle_and_counts_as_spent(
    tmp_path: Path, ledger: Ledger, key: SigningKey, moment: str
) -> None:
    spec = write_city(tmp_path / "city")
    home, out = tmp_path / "home", tmp_path / "out"
    generate_key(home / "keys" / "release-key", PASSPHRASE)
    arguments = ["release", str(spec), "--out", str(out), "--home", str(home), "--yes"]
    run = subprocess.run(
        [sys.executable, "-c", KILLED, moment, *arguments],
        env=os.environ | {"HEXVEIL_PASSPHRASE": PASSPHRASE, "PYTHONPATH": "."},
        capture_output=True,
        check=False,
    )
    assert run.returncode == -signal.SIGKILL, run.stderr
    assert not (out / "test-speed-1.0.0").exists()
    spent = ledger.populations()[0].spent
    assert spent > 0
    if moment == "before-draw":
        with pytest.raises(BudgetRefused):
            prepared(spec, ledger)
        return
    result = released(spec, ledger, key, out)
    assert result.repeated
    assert ledger.populations()[0].spent == spent
    assert [path.name for path in out.iterdir()] == ["test-speed-1.0.0"]


@pytest.mark.parametrize("large", [False, True])
def test_a_bundle_that_was_killed_before_it_was_noted_is_known_again(
    large: bool, tmp_path: Path, ledger: Ledger, key: SigningKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    """large: some of its files are read for a stranger with the publisher's key alone."""
    spec, out = write_city(tmp_path / "city"), tmp_path / "out"

    def busy(*_: object) -> None:
        raise LedgerError("Another window is using the ledger.")

    with monkeypatch.context() as patch:
        patch.setattr(LedgerReservation, "mark_published", busy)
        with pytest.raises(ReleaseAborted, match="The release is published, and the ledger could not note"):
            released(spec, ledger, key, out)
    bundle, (population,) = out / "test-speed-1.0.0", ledger.populations()
    assert verify_bundle(bundle).ok
    assert population.entries[0].bundles == ()
    if large:
        monkeypatch.setattr("core.verify.folder._LARGEST_UNKNOWN", 1000)
    with pytest.raises(InputError, match="Entry 1 of the ledger had published") as told:
        prepare(load_spec(spec), ledger, out=out)
    assert told.value.mend.endswith("give a new release another name or the next version")
    (noted,) = ledger.populations()
    assert (noted.entries[0].bundles, noted.spent) == (("test-speed-1.0.0",), population.spent)
    with pytest.raises(InputError, match="exists already"):
        prepare(load_spec(spec), ledger, out=out)


def test_another_bundle_of_the_name_is_not_noted(tmp_path: Path, ledger: Ledger, key: SigningKey) -> None:
    """Draws without a bundle, and a bundle of other draws in their place."""
    spec, out = write_city(tmp_path / "city"), tmp_path / "out"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Staging, "publish", _full)
        with pytest.raises(ReleaseAborted):
            released(spec, ledger, key, out)
    other = Ledger.open(tmp_path / "other" / "ledger.sqlite")
    other.set_limit(POPULATION, per_vehicle=Decimal(10))
    released(spec, other, key, out)
    with pytest.raises(InputError, match="exists already"):
        prepare(load_spec(spec), ledger, out=out)
    assert ledger.populations()[0].entries[0].bundles == ()


def _full(*_: object, **__: object) -> None:
    raise OSError(28, "No space left on device")


def test_without_room_for_the_draws_nothing_is_reserved(
    tmp_path: Path, ledger: Ledger, key: SigningKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = prepared(write_city(tmp_path / "city"), ledger)
    monkeypatch.setattr(ledger_room, "_fill", _refuses)
    with pytest.raises(InputError, match="no room"):
        publish(plan, ledger, key=key, out=tmp_path / "out", now=NOW)
    assert ledger.populations()[0].entries == ()
    assert not (tmp_path / "out").exists()


def test_a_target_on_a_full_disk_is_refused_before_anything_is_reserved(
    tmp_path: Path, ledger: Ledger, key: SigningKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = prepared(write_city(tmp_path / "city"), ledger)
    monkeypatch.setattr(bundles.shutil, "disk_usage", lambda _: SimpleNamespace(free=100_000))
    with pytest.raises(InputError, match="No space left"):
        publish(plan, ledger, key=key, out=tmp_path / "out", now=NOW)
    assert ledger.populations()[0].entries == ()
    assert not (tmp_path / "out").exists()


def test_a_revoked_key_is_refused_before_anything_is_reserved(
    tmp_path: Path, ledger: Ledger, key: SigningKey
) -> None:
    plan, out = prepared(write_city(tmp_path / "city"), ledger), tmp_path / "out"
    publish_key_note(out, key=key, reason="Stolen.", now=NOW)
    before = sorted(out.iterdir())
    with pytest.raises(InputError, match=r"revoked on 20\d\d-\d\d-\d\d"):
        publish(plan, ledger, key=key, out=out, now=NOW)
    assert ledger.populations()[0].entries == ()
    assert sorted(out.iterdir()) == before


def _refuses(*_: object) -> None:
    raise InputError("The ledger's disk has no room.")


def test_no_true_mean_and_no_vehicle_is_in_any_file_or_the_ledger(
    tmp_path: Path, key: SigningKey, caplog: pytest.LogCaptureFixture
) -> None:
    """In both of two releases: noise brings some number of one upon some true mean once in sixty."""
    spec = load_spec(write_city(tmp_path / "city", edit=(('total = "6"', 'total = "0.5"'),)))
    loaded = load_records(spec.data.paths(), spec.data.rules)
    table = contributions_of(loaded.records, spec.resolution, spec.window)
    sums = np.zeros(table.hats)
    np.add.at(sums, np.repeat(table.hat, table.counts), table.values[:])
    means = [f"{mean:.3f}" for mean in sums / np.bincount(table.hat, weights=table.counts) / THOUSAND]
    one, two = (texts_of_a_release(spec, tmp_path / home, key, caplog) for home in ("one", "two"))
    assert shown(means, ["speed,24.5081"]) == {"24.508"}  # one of them, as a file would show it
    assert not shown(means, one) & shown(means, two)


def shown(numbers: list[str], texts: list[str]) -> set[str]:
    """Those of `numbers` with which some number in the texts begins."""
    patterns = {number: re.compile(rf"(?<![\d.]){re.escape(number)}") for number in numbers}
    return {number for number, pattern in patterns.items() if any(map(pattern.search, texts))}


def texts_of_a_release(
    spec: ReleaseSpec, folder: Path, key: SigningKey, caplog: pytest.LogCaptureFixture
) -> list[str]:
    """All that a release of its own ledger wrote; no vehicle is in it."""
    ledger = Ledger.open(folder / "home" / "ledger.sqlite")
    ledger.set_limit(POPULATION, per_vehicle=Decimal(10))
    result = publish(prepare(spec, ledger), ledger, key=key, out=folder / "out", now=NOW)
    texts = [unpacked(name, content).decode() for name, content in files_below(result.bundle).items()]
    texts += [caplog.text, str(ledger.export())]
    assert b"bus-0" not in (folder / "home" / "ledger.sqlite").read_bytes()
    assert not any("bus-0" in text for text in texts)
    return texts


def test_a_boundary_releases_its_hexagons_with_records_or_not(
    tmp_path: Path, ledger: Ledger, key: SigningKey
) -> None:
    spec_path = write_city(tmp_path / "city", edit=BOUNDARY)
    ward = write_geojson(tmp_path / "city" / "ward.geojson", polygon(box(72.78, 21.12, 72.88, 21.22)))
    spec = load_spec(spec_path)
    loaded = load_records(spec.data.paths(), spec.data.rules)
    table = contributions_of(loaded.records, spec.resolution, spec.window)
    recorded = {cell_text(cell) for cell in table.cell}
    result = publish(prepare(spec, ledger), ledger, key=key, out=tmp_path / "out", now=NOW)
    rows = result.release.queries[0].rows
    cells = [cell_text(cell) for cell in spec.selection.cells]
    assert [(row.cell, row.slot_start) for row in rows] == [
        (cell, start) for cell in cells for start in ("09:00", "10:00", "11:00")
    ]
    empty = set(cells) - recorded
    assert len(empty) > 10
    assert {row.status for row in rows if row.cell in empty} == {"suppressed"}
    assert {row.cell for row in rows if row.status == "published"} <= recorded
    assert any(row.status == "published" for row in rows)
    assert verify_bundle(result.bundle, key.public_text).ok
    assert not any(ward.name.encode() in content for content in files_below(result.bundle).values())


def test_a_boundary_redrawn_round_the_same_hexagons_repeats_and_another_does_not(
    tmp_path: Path, ledger: Ledger, key: SigningKey
) -> None:
    spec = write_city(tmp_path / "city", edit=BOUNDARY)
    ward = tmp_path / "city" / "ward.geojson"
    write_geojson(ward, polygon(box(72.78, 21.12, 72.88, 21.22)))
    released(spec, ledger, key, tmp_path / "out")
    write_geojson(
        ward,
        features(polygon(box(72.78, 21.12, 72.83, 21.22)), polygon(box(72.82, 21.12, 72.88, 21.22))),
    )
    assert prepared(spec, ledger).stored is not None
    write_geojson(ward, polygon(box(72.78, 21.12, 72.88, 21.26)))
    with pytest.raises(BudgetRefused):
        prepared(spec, ledger)


def test_a_derived_speed_is_refused_in_relation_values(tmp_path: Path, ledger: Ledger) -> None:
    spec = write_city(tmp_path / "city", edit=DERIVED)
    with pytest.raises(InputError, match="which hexagon slots a vehicle was") as refused:
        prepared(spec, ledger)
    assert refused.value.where == "data.derived_speed"


def test_users_may_be_suppressed_from_every_kind_of_mean_and_count(
    tmp_path: Path, ledger: Ledger, key: SigningKey
) -> None:
    """The charge is that of who stays; every table states its bias, and the bundle verifies."""
    spec = write_city(tmp_path / "city", edit=SUPPRESSING)
    ledger.set_limit(POPULATION, per_vehicle=Decimal(20))
    job = prepared(spec, ledger)
    for plan in job.plans:
        assert plan.retained is not None
        assert plan.retained.after < plan.retained.before
        assert plan.charge.per_vehicle == Decimal("0.6") * plan.retained.after
    result = released(spec, ledger, key, tmp_path / "out")
    assert verify_bundle(result.bundle).ok
    for name, column in (
        ("speed_by_hat", "bias_bound_kmh"),
        ("vehicle_day_speed_by_hat", "bias_bound_kmh"),
        ("vehicles_above_limit_by_hat", "bias_bound_vehicles"),
    ):
        with (result.bundle / "data" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        bounds = [float(row[column]) for row in rows if row["status"] == "published"]
        assert max(bounds) > 0
        assert column in (result.bundle / "README.md").read_text("utf-8")


GAUSSIAN = """[[query]]
id = "mean_speed"
statistic = "mean"
mechanism = "tokens"
total = "6"
[query.parameters]
noise = "gauss"
"""
MILLIONTH = Decimal("1e-6")


def _with_tokens(folder: Path, *edits: tuple[str, str]) -> Path:
    path = write_city(folder)
    text = path.read_text(encoding="utf-8").split("[[query]]")[0] + GAUSSIAN
    for old, new in edits:
        assert old in text
        text = text.replace(old, new)
    path.write_text(text, encoding="utf-8")
    return path


def test_gaussian_noise_is_bought_in_rho_and_needs_a_delta(
    tmp_path: Path, ledger: Ledger, key: SigningKey
) -> None:
    spec = _with_tokens(tmp_path / "city")
    with pytest.raises(InputError, match="needs a delta"):
        prepared(spec, ledger)
    ledger.set_limit(POPULATION, per_vehicle=Decimal(10), delta=MILLIONTH)
    result = released(spec, ledger, key, tmp_path / "out")
    (population,) = ledger.populations()
    assert population.loss.pure == 0
    assert Decimal("5.99") < population.spent <= 6
    assert result.release.delta == MILLIONTH
    assert result.release.charge.rho.per_vehicle == population.loss.rho
    assert all(check.passed for check in verify_bundle(result.bundle).checks)


def test_draws_of_gaussian_noise_are_published_again_whatever_the_delta_is_now(
    tmp_path: Path, ledger: Ledger, key: SigningKey
) -> None:
    """What was paid stays paid: also where no Gaussian noise may be bought any more."""
    ledger.set_limit(POPULATION, per_vehicle=Decimal(10), delta=MILLIONTH)
    spec = _with_tokens(tmp_path / "city")
    first = released(spec, ledger, key, tmp_path / "out")
    for number, delta in enumerate(("1e-9", "0"), start=1):
        ledger.set_limit(POPULATION, per_vehicle=Decimal(10), delta=Decimal(delta))
        spec = _with_tokens(tmp_path / "city", ('"1.0.0"', f'"1.0.{number}"'))
        again = released(spec, ledger, key, tmp_path / "out")
        assert again.repeated
        assert again.release == first.release
        assert files_below(again.bundle / "data") == files_below(first.bundle / "data")
        assert prepared(_with_tokens(tmp_path / "city"), ledger).review.delta == MILLIONTH


def test_where_a_city_has_no_room_any_more_what_was_drawn_is_said_to_be_paid(
    tmp_path: Path, ledger: Ledger, key: SigningKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A limit of memory that fell since: nothing is lost, and the message says so."""
    ledger.set_limit(POPULATION, per_vehicle=Decimal(10), delta=MILLIONTH)
    spec = _with_tokens(tmp_path / "city")
    released(spec, ledger, key, tmp_path / "out")
    monkeypatch.setenv(ROOM, "1e-9")
    with pytest.raises(NoRoom, match="are drawn, stored and paid for") as caught:
        prepared(spec, ledger)
    assert "costs nothing" in caught.value.mend
    with pytest.raises(NoRoom, match="are allowed") as caught:
        prepared(_with_tokens(tmp_path / "city", ('total = "6"', 'total = "5"')), ledger)
    assert "drawn" not in str(caught.value)


def test_a_delta_that_was_raised_since_an_earlier_total_is_stated(
    tmp_path: Path, ledger: Ledger, key: SigningKey
) -> None:
    """The published total falls by it: whoever compares two bundles learns why."""
    told = []
    for number, delta in enumerate(("1e-9", "1e-6", "1e-6", "1e-10")):
        ledger.set_limit(POPULATION, per_vehicle=Decimal(100), delta=Decimal(delta))
        spec = _with_tokens(
            tmp_path / "city", ('"1.0.0"', f'"1.0.{number}"'), ('total = "6"', f'total = "{number + 3}"')
        )
        result = released(spec, ledger, key, tmp_path / "out")
        assert verify_bundle(result.bundle).ok
        told.append(json.loads((result.bundle / "privacy.json").read_bytes()).get("delta_before"))
        stored = ledger.find_identical(POPULATION, prepared(spec, ledger).fingerprint)
        assert stored is not None
        assert from_json(Release, stored.draws) == dataclasses.replace(result.release, places=None)
    assert told == [None, "0.000000001", "0.000000001", None]


def test_totals_of_gaussian_noise_are_not_added_before_they_are_converted(
    tmp_path: Path, ledger: Ledger, key: SigningKey
) -> None:
    """6 and 5 come to 7.9 together, not to 11: the limit of 10 holds them both."""
    ledger.set_limit(POPULATION, per_vehicle=Decimal(10), delta=MILLIONTH)
    released(_with_tokens(tmp_path / "city"), ledger, key, tmp_path / "out")
    more = _with_tokens(tmp_path / "city", ('"1.0.0"', '"1.1.0"'), ('total = "6"', 'total = "5"'))
    released(more, ledger, key, tmp_path / "out")
    (population,) = ledger.populations()
    assert Decimal("7.8") < population.spent < 8
    too_much = _with_tokens(tmp_path / "city", ('"1.0.0"', '"1.2.0"'), ('total = "6"', 'total = "9"'))
    with pytest.raises(BudgetRefused, match=r"limit 10, spent 7\.8.*with this release 1"):
        prepared(too_much, ledger)
