"""`read`: bundles as CSV on standard output or as a file, and changes between them."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from core.cli import main
from tests.builders import make_bundle
from tests.compared_city import compared_release

RELEASES = Path(__file__).resolve().parents[2] / "golden" / "v0.2" / "releases"
ONE, QUANTILES = str(RELEASES / "one-query-1.0.0"), str(RELEASES / "quantiles-1.0.0")


def test_one_bundle_is_printed_as_it_was_published(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read", ONE]) == 0
    printed = list(csv.reader(io.StringIO(capsys.readouterr().out)))
    with (Path(ONE) / "data" / "speed_by_hat.csv").open(encoding="utf-8", newline="") as file:
        published = list(csv.reader(file))
    assert printed[0] == ["release", *published[0]]
    assert len(printed) == len(published)
    for told, row in zip(printed[1:], published[1:], strict=True):
        assert told[:3] == ["one-query-1.0.0", *row[:2]]
        value = published[0].index("speed_mean_kmh")
        assert (told[value + 1] == "") == (row[value] == "")
        assert not row[value] or float(told[value + 1]) == float(row[value])


def test_parts_of_one_bundle_are_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As often as asked, with what may be chance."""
    bundle = make_bundle(tmp_path, release=compared_release())
    asked = ["--differences", "middle", "edge", "--differences", "late", "10:00-12:00"]
    assert main(["read", str(bundle), *asked]) == 0
    told = capsys.readouterr()
    first, second = csv.DictReader(io.StringIO(told.out))
    assert (first["first"], first["second"], first["clear"]) == ("middle", "edge", "True")
    assert float(first["difference_low"]) < float(first["difference"]) < float(first["difference_high"]) < 0.0
    assert second["clear"] == "False"
    assert "Middle against edge: " in told.err
    assert "No clear difference" in told.err
    assert "chance would call fewer than one of them clear (0.1 of 2)" in told.err
    assert main(["read", ONE, "--differences", "middle", "edge"]) == 2
    assert "do not state their noise" in capsys.readouterr().err


def test_changes_go_from_the_first_to_the_next(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "changes.xlsx"
    assert main(["read", ONE, QUANTILES, "--changes", "--out", str(out)]) == 0
    told = capsys.readouterr()
    assert "rows" in told.out
    assert "of 12 rows 0 rose and 0 fell by more than the noise; by chance alone at most about 1" in told.err
    assert "With at most 5 % of them false, 0 rose and 0 fell." in told.err
    assert out.stat().st_size > 0
    assert main(["read", ONE, QUANTILES, "--changes"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert {(row["before"], row["after"]) for row in rows} == {("one-query-1.0.0", "quantiles-1.0.0")}
    known = [row for row in rows if row["speed_mean_kmh_change"]]
    assert known
    figures = [
        row[f"speed_mean_kmh_{name}"] for row in known for name in ("change", "change_low", "change_high")
    ]
    assert all(len(text.partition(".")[2]) <= 3 for text in figures)  # as many decimals as are published
    for row in known:
        ends = float(row["speed_mean_kmh_change_low"]), float(row["speed_mean_kmh_change_high"])
        assert row["speed_mean_kmh_changed"] == str(not ends[0] <= 0.0 <= ends[1])


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (["read", ONE, "--changes"], "takes two bundles"),
        (["read", ONE, QUANTILES, ONE], "one-query-1.0.0 is named twice"),
        (["read", ONE, "--statistic", "median"], "has no median"),
        (["read", ONE, "--out", "table.doc"], "no table format"),
        (["read", "nowhere"], "nowhere"),
    ],
)
def test_wrong_use_says_how_to_mend(
    command: list[str],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(command) == 2
    assert said in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
