"""Relation `user`: nothing that is chosen, proposed or said before the draw follows from the records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from core.cli import main, release
from core.privacy import Relation
from core.release import draw
from core.release.prepare_publish import prepare, publish
from core.release.request_identity import canonical
from core.spec import load_spec
from core.spec.schema import NEWEST_IDENTITY
from core.verify.verify import verify_bundle
from tests.builders import make_key
from tests.fakes import ScriptedResults
from tests.taxis import (
    BY_DAY,
    CELLS,
    ENFORCED,
    NOW,
    OUTSIDE,
    POPULATION,
    Ping,
    ledger_in,
    pings,
    write_taxis,
)

LATER = [row._replace(time=row.time.replace("2022-01-0", "2022-03-0")) for row in pings()]
PLANTED = {
    "absent": [],
    "usual": pings(),
    "one vehicle": pings(vehicles=1),
    "many vehicles, long and slow": [row._replace(speed=0.0) for row in pings(vehicles=90, each=30)],
    "elsewhere": pings(cells=[OUTSIDE]),
    "other dates, dirty": [*LATER, pings()[0]._replace(speed=float("nan"), time="yesterday")],
}
BUS = [
    Ping("bus 1", f"2022-01-03T09:{second // 60:02d}:{second % 60:02d}+05:30", CELLS[0], 20.0)
    for second in range(0, 2000, 10)
]
"""One vehicle at a fixed rate, enough to hide that the taxis' records are events."""
ONE_VEHICLE: dict[str, str] = {
    "spacing": "".join(f"{row.vehicle},{row.time},21.17,72.83,{row.speed}\n" for row in BUS),
    "ids": "Taxi 0.0,2022-01-03T09:00:00+05:30,21.17,72.83,20\n" * 300,
    "decimal commas": 'x,2022-01-03T09:00:00+05:30,21.17,72.83,"20,5"\n' * 300,
    "dates": "x,03/01/2022 09:00:00 +0530,21.17,72.83,20\n" * 300,
    "zone": "x,2022-01-03T09:00:00-06:00,30.27,-97.74,20\n" * 300,
    "letters": "b\xfcs,2022-01-03T09:00:00+05:30,21.17,72.83,20\n",
    "swapped": "x,2022-01-03T09:00:00+05:30,72.83,21.17,20\n" * 300,
    "no numbers": "x,never,north,east,fast\n" * 300,
}
"""Rows of one vehicle as they stand in a file, before all others."""
TYPED = ("--fleet", "60", "--vehicles", "20", "--records", "3")
MEANS: dict[str, Sequence[tuple[str, str]]] = {
    "bounded": (),
    "enforced": ENFORCED,
    "enforced by day": (*ENFORCED, *BY_DAY),
}
EVERY_MEAN = pytest.mark.parametrize("edits", MEANS.values(), ids=MEANS.keys())


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With a key, a population and its delta."""
    folder = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        _enter(patch, folder)
        assert main(["keygen"]) == 0
        assert main(["ledger", "set-limit", POPULATION, "--per-vehicle", "1000", "--delta", "1e-6"]) == 0
    return folder


@pytest.fixture(autouse=True)
def _in_home(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _enter(monkeypatch, home)


def _enter(patch: pytest.MonkeyPatch, folder: Path) -> None:
    patch.setenv("HEXVEIL_HOME", str(folder))
    patch.setenv("HEXVEIL_PASSPHRASE", "correct horse")


def specs(folder: Path, edits: Sequence[tuple[str, str]]) -> Iterator[Path]:
    """The same spec beside other data."""
    for name, rows in PLANTED.items():
        yield write_taxis(folder / name, rows, edits)


@EVERY_MEAN
@pytest.mark.parametrize("more", [(), ("--json",), ("--error", "4")], ids=["text", "json", "error"])
def test_a_plan_is_byte_equal_whatever_the_data_are(
    edits: Sequence[tuple[str, str]],
    more: Sequence[str],
    tmp_path: Path,
    capfdbinary: pytest.CaptureFixture[bytes],
) -> None:
    told = set()
    for number, spec in enumerate(specs(tmp_path, edits)):
        if number == 0:
            (spec.parent / "records.csv").unlink()
        capfdbinary.readouterr()
        assert main(["plan", str(spec), *TYPED, *more]) == 0
        told.add(tuple(capfdbinary.readouterr()))
    assert len(told) == 1


@EVERY_MEAN
def test_reviews_and_messages_are_the_same_until_the_draw(
    edits: Sequence[tuple[str, str]],
    tmp_path: Path,
    capfdbinary: pytest.CaptureFixture[bytes],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Once the data are read, which `test_presence` looks at, nothing that is said differs."""
    told = set()
    for spec in specs(tmp_path, edits):
        if spec.parent.name == "absent":
            continue
        progress: list[tuple[float, str]] = []
        monkeypatch.setattr(release, "progress_line", lambda *said: progress.append(said))  # noqa: B023
        capfdbinary.readouterr()
        assert main(["release", str(spec), "--out", str(tmp_path / "out")]) == 2  # nobody answers
        told.add((*capfdbinary.readouterr(), tuple(one for one in progress if one[0] >= 0.9)))
    assert len(told) == 1


@pytest.fixture(params=[Relation.USER.value, None], ids=["user", "no relation"])
def relation(request: pytest.FixtureRequest) -> tuple[str, ...]:
    return ("--relation", request.param) if request.param else ()


def test_a_spec_that_is_begun_follows_from_the_headers_alone(
    relation: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither the spacing of one vehicle's times nor its marks, its letters or where it was."""
    write_taxis(tmp_path)
    header, rest = (tmp_path / "records.csv").read_text("utf-8").split("\n", 1)
    monkeypatch.chdir(tmp_path)
    written = set()
    for rows in ("", *ONE_VEHICLE.values()):
        Path("records.csv").write_bytes(f"{header}\n{rows}{rest}".encode("latin-1"))
        main(["inspect", "records.csv", "--write-spec", "spec.toml", "--overwrite", *relation])
        written.add(Path("spec.toml").read_bytes())
    assert len(written) == 1
    assert b'vehicle = "vehicle"' in written.pop()


def test_how_records_come_is_no_part_of_a_release(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever `pings` says and one vehicle's times look like: one request, and one bundle."""
    key, results = make_key(), ScriptedResults((0.3, -0.8, 1.7, -0.1), (0.5,))
    events = (('zone = "Asia/Kolkata"', 'zone = "Asia/Kolkata"\npings = "events"'),)
    asked, bundles = set(), []
    for number, (rows, edits) in enumerate(((pings(), ()), ([*BUS, *pings()], events))):
        source = results = results.again() if number else results
        monkeypatch.setattr(draw, "SecureNoise", lambda _, source=source: source)
        spec = load_spec(write_taxis(tmp_path / "city", rows, edits))
        asked |= {canonical(spec, version) for version in range(NEWEST_IDENTITY, 0, -1)}
        ledger = ledger_in(tmp_path / f"home {number}")
        bundle = publish(prepare(spec, ledger), ledger, key=key, out=tmp_path / f"out {number}", now=NOW)
        assert verify_bundle(bundle.bundle).ok
        bundles.append({path.name: path.read_bytes() for path in bundle.bundle.rglob("*") if path.is_file()})
    assert len(asked) == NEWEST_IDENTITY
    assert bundles[0] == bundles[1]
    assert b'"pings"' not in bundles[0]["privacy.json"]
