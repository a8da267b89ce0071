"""`practice`: one command without key, limit or passphrase; `verify` wants to be told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.cli import main


def test_one_command_and_a_bundle_that_says_what_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["practice", "--out", str(tmp_path)]) == 0
    assert "No vehicle paid for it" in capsys.readouterr().out
    bundle = str(tmp_path / "practice-surat-synthetic-bus-speed-1.0.0")
    assert main(["verify", bundle]) == 1
    assert "FAILED practice: PRACTICE" in capsys.readouterr().out
    assert main(["verify", bundle, "--practice"]) == 0
    assert main(["verify", bundle, "--practice", "--json"]) == 0
    printed = capsys.readouterr().out
    assert json.loads(printed[printed.index("{") :])["ok"] is True
    assert main(["practice", "--out", str(tmp_path)]) == 2  # never over an existing one
