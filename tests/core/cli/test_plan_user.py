"""`plan` in relation `user`: from public counts alone, whatever data there are."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from core.advice.user_advice import TIMES
from core.cli import main
from tests.builders import make_key
from tests.taxis import CELLS, ENFORCED, REGIONS, ledger_in, released, write_taxis
from tests.timetables import write_timetable

TYPED = ("--fleet", "60", "--vehicles", "20", "--records", "3")


@pytest.fixture(autouse=True)
def _in_home(home: Path) -> None:
    assert home.is_dir()


def told(capsys: pytest.CaptureFixture[str], spec: Path, *more: str) -> dict[str, Any]:
    capsys.readouterr()
    assert main(["plan", str(spec), *more, "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_the_list_needs_no_data(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spec = write_taxis(tmp_path / "city")
    (spec.parent / "records.csv").unlink()
    found = told(capsys, spec, *TYPED)
    assert (found["relation"], found["total"], found["candidates"]) == ("user", "40", 21)
    assert {one["hats_per_vehicle"] for one in found["bounded"]} >= {1, 4, 7}
    assert len(found["best"]) == len(found["enforced"]) == len(TIMES)
    assert {one["noise"] for one in found["bounded"]} == {"laplace"}
    assert found["source"].startswith("20 vehicles with 3 records")
    both = told(capsys, spec, *TYPED, "--delta", "1e-6", "--total", "2")
    assert "gauss" in {one["noise"] for one in both["bounded"]}
    assert both["gaussian_from"] > 0
    assert main(["plan", str(spec), *TYPED]) == 0
    text = capsys.readouterr().out
    assert text.startswith("From constants and public counts alone")
    assert found["reason"].replace(". ", ".\n") in text


@pytest.mark.parametrize(("edits", "constant"), [((), True), (ENFORCED, False)])
def test_an_error_asks_for_a_total(
    edits: Sequence[tuple[str, str]], constant: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spec = write_taxis(tmp_path / "city", [], edits)
    found = told(capsys, spec, *TYPED, "--error", "3")
    assert (found["hats_per_vehicle"] is not None) == constant
    again = told(capsys, spec, *TYPED, "--total", found["total"])
    column = again["best"] if constant else again["enforced"]
    assert column[TIMES.index(1)]["error"] <= 3.0
    assert main(["plan", str(spec), *TYPED, "--error", "3"]) == 0
    assert f"A total of {found['total']}" in capsys.readouterr().out


def test_numbers_of_the_spec_are_taken_and_options_go_before(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spec = write_taxis(tmp_path / "city", [], ENFORCED)
    assert told(capsys, spec) == told(capsys, spec, *TYPED)
    assert told(capsys, spec, "--fleet", "200")["hats_expected"] == pytest.approx(21 * 20 / 200)


def test_every_public_source_is_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spec = write_taxis(tmp_path / "city", [], ENFORCED)
    (tmp_path / "counts.csv").write_text(f"h3_cell,slot_start,vehicles,records\n{CELLS[0]},09:00,7,2\n")
    listed = told(capsys, spec, "--public-counts", str(tmp_path / "counts.csv"))
    assert listed["listed"] == 1
    older = released(
        write_taxis(tmp_path / "older", edits=ENFORCED), ledger_in(tmp_path / "own"), make_key(), tmp_path
    ).bundle
    key = make_key().public_text
    found = told(capsys, spec, "--public-counts", str(older), "--public-key", key)
    assert "signature is valid" in found["source"]
    assert 0 < found["listed"] <= 21
    named = spec.read_text("utf-8").replace(
        'total = "40"\n', f'total = "40"\npublic_counts = "{older.as_posix()}"\npublic_counts_key = "{key}"\n'
    )
    (spec.parent / "named.toml").write_text(named, encoding="utf-8")
    assert told(capsys, spec.parent / "named.toml")["enforced"] == found["enforced"]
    table = tmp_path / "timetable"
    table.mkdir()
    rides = told(capsys, spec, "--public-counts", str(write_timetable(table)), "--seconds-per-ping", "60")
    # two vehicles in four HATs, whatever fleet the spec types
    assert (rides["listed"], rides["hats_expected"]) == (4, 2.0)
    assert "every 60 seconds" in rides["source"]


@pytest.mark.parametrize(
    ("more", "where"),
    [
        ((), "query.public_counts"),
        (("--vehicles", "20", "--records", "3"), "query.parameters.fleet"),
        ((*TYPED, "--raw"), "--raw"),
        ((*TYPED, "--error", "1e-9"), "query"),
        (("--public-counts", "absent.csv"), "absent.csv"),
    ],
)
def test_what_cannot_be_told_is_refused(
    more: tuple[str, ...], where: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["plan", str(write_taxis(tmp_path / "city")), *more]) == 2
    assert where in capsys.readouterr().err


def test_regions_are_told_for_each_total(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spec = write_taxis(tmp_path / "city", edits=REGIONS)
    (spec.parent / "records.csv").unlink()
    found = told(capsys, spec)
    assert (found["relation"], found["total"], found["promised_error"]) == ("user", "8", 2.0)
    assert [one["total"] for one in found["regions"]] == ["2", "4", "8", "16", "32"]
    assert all(one["kept_error"] <= 2.0 for one in found["regions"])
    assert main(["plan", str(spec)]) == 0
    text = capsys.readouterr().out
    assert "keep an error of 2 km/h if public counts are right" in text
    assert "records in them" in text
    assert main(["plan", str(spec), "--error", "3"]) == 2
    assert "the promised error" in capsys.readouterr().err
    weighed = write_taxis(
        tmp_path / "city", edits=(*REGIONS, ("regions = true", 'regions = true\nimportance = "vehicles"'))
    )
    assert main(["plan", str(weighed)]) == 2
