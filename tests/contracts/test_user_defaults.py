"""Relation `user`: nothing that is chosen, proposed or said before the draw follows from the records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from core.cli import main, release
from tests.taxis import BY_DAY, ENFORCED, OUTSIDE, POPULATION, pings, write_taxis

LATER = [row._replace(time=row.time.replace("2022-01-0", "2022-03-0")) for row in pings()]
PLANTED = {
    "absent": [],
    "usual": pings(),
    "one vehicle": pings(vehicles=1),
    "many vehicles": pings(vehicles=200),
    "long": pings(each=60),
    "elsewhere": pings(cells=[OUTSIDE]),
    "other dates": LATER,
    "dirty": [*pings(), pings()[0]._replace(speed=float("nan"), time="yesterday")],
    "slow": [row._replace(speed=0.0) for row in pings()],
}
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
