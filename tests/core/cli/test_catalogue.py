"""`catalogue`: prints JSON for a bundle that holds, and nothing for another."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from core.cli import main

BUNDLE = Path(__file__).resolve().parents[2] / "golden" / "v0.2" / "releases" / "one-query-1.0.0"


def test_the_entry_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["catalogue", str(BUNDLE), "--ckan", "--url", "https://city.example"]) == 0
    entry = json.loads(capsys.readouterr().out)
    assert entry["resources"][0]["url"] == "https://city.example/one-query-1.0.0/data/speed_by_hat.csv"


def test_a_bundle_that_does_not_hold_has_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(BUNDLE, copy)
    (copy / "README.md").write_text("other words")
    assert main(["catalogue", str(copy), "--ckan"]) == 2
    told = capsys.readouterr()
    assert (told.out, "is not valid" in told.err) == ("", True)
