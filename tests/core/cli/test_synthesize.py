"""`synthesize`: as many records as asked for, never over a file."""

from __future__ import annotations

from pathlib import Path

from core.cli import main


def test_synthesize_refuses_to_overwrite(tmp_path: Path) -> None:
    out, maps = tmp_path / "new" / "made.csv", tmp_path / "deep" / "maps"
    assert main(["synthesize", "--records", "500", "--out", str(out), "--maps", str(maps)]) == 0
    assert len(list(maps.iterdir())) == 2
    assert len(out.read_text().splitlines()) == 501
    assert main(["synthesize", "--records", "500", "--out", str(out)]) == 2
