"""`series`: one command for the next period, and for a period that failed the same again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.cli import main
from tests.city import write_city
from tests.commands import limit, release, snapshot


def test_one_day_after_the_other_until_there_are_no_records(
    tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    limit("100")
    template = write_city(
        tmp_path / "city", edit=(('dates = ["2022-01-03", "2022-01-04"]', 'dates = "next day"'),)
    )
    command = ["series", str(template), "--out", str(tmp_path / "out"), "--yes"]
    assert main(command) == 2
    assert "--first" in capsys.readouterr().err
    assert main([*command, "--first", "2022-01-03"]) == 0
    assert "Period:    2022-01-03, 2022-01-03 to 2022-01-03" in capsys.readouterr().out
    assert main(command) == 0
    names = ["test-speed-2022-01-03-1.0.0", "test-speed-2022-01-04-1.0.0"]
    for name in names:
        bundle = tmp_path / "out" / name
        assert main(["verify", str(bundle), "--public-key", str(home / "keys" / "release-key.pub")]) == 0
        period = json.loads((bundle / "privacy.json").read_bytes())["period"]
        assert period["date_ranges"] == [[name[11:21], name[11:21]]]
    before = snapshot(tmp_path)
    assert main(command) == 2
    assert snapshot(tmp_path) == before


def test_a_template_is_no_release(tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert home.is_dir()
    limit()
    edit = (('dates = ["2022-01-03", "2022-01-04"]', 'dates = "next month"'),)
    assert release(write_city(tmp_path / "city", edit=edit), tmp_path / "out") == 2
    assert "release it by `series`" in capsys.readouterr().err
