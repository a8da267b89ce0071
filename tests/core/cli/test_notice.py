"""`notice`: withdraw and correct from the command line; `verify` and `ledger show` tell."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.cli import main
from tests.city import write_city
from tests.commands import limit, release


def test_a_withdrawn_bundle_fails_and_the_ledger_tells(
    tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    limit()
    assert home.is_dir()
    assert release(write_city(tmp_path / "city"), tmp_path / "out") == 0
    bundle = str(tmp_path / "out" / "test-speed-1.0.0")
    assert main(["notice", bundle, "--replaced-by", bundle, "--reason", "x"]) == 2
    assert main(["notice", bundle, "--reason", "The units were wrong."]) == 0
    printed = capsys.readouterr().out
    assert "WITHDRAWN by its publisher" in printed
    assert "does not have the bundle" not in printed
    assert main(["verify", bundle]) == 1
    told = capsys.readouterr().out
    assert "FAILED notice: WITHDRAWN" in told
    assert told.splitlines()[-1].endswith("its publisher has withdrawn it: do not use it.")
    assert "is NOT valid" not in told
    assert main(["ledger", "show"]) == 0
    assert "test-speed-1.0.0 was withdrawn on" in capsys.readouterr().out
    assert main(["ledger", "check"]) == 0


def test_a_notice_that_a_killed_command_had_signed_is_noted_by_the_next(
    tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    limit()
    assert home.is_dir()
    assert release(write_city(tmp_path / "city"), tmp_path / "out") == 0
    notice = ["notice", str(tmp_path / "out" / "test-speed-1.0.0"), "--reason", "The units were wrong."]
    with monkeypatch.context() as killed:
        killed.delattr("core.accounting.ledger.Ledger.note_notice")
        assert main(notice) == 1
    for _ in range(2):
        assert main(notice) == 2
        assert "already" in capsys.readouterr().err
        assert main(["ledger", "show"]) == 0
        assert capsys.readouterr().out.count("test-speed-1.0.0 was withdrawn on") == 1
