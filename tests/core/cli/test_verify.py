"""`verify`: exit codes, and what is said of the signer."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.cli import main
from tests.city import write_city
from tests.commands import limit, release


def test_verify_without_a_key_says_that_the_signer_is_not_checked(
    tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    limit()
    assert release(write_city(tmp_path / "city"), tmp_path / "out") == 0
    capsys.readouterr()
    assert home.is_dir()
    assert main(["verify", str(tmp_path / "out" / "test-speed-1.0.0"), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["ok"] is True
    assert told["trusted"] is False


def test_a_changed_byte_fails_verification(tmp_path: Path, home: Path) -> None:
    limit()
    assert home.is_dir()
    assert release(write_city(tmp_path / "city"), tmp_path / "out") == 0
    bundle = tmp_path / "out" / "test-speed-1.0.0"
    table = bundle / "data" / "speed_by_hat.csv"
    table.write_bytes(table.read_bytes().replace(b"published", b"Published", 1))
    assert main(["verify", str(bundle)]) == 1
    assert main(["verify", str(tmp_path / "city")]) == 2


def test_what_is_too_large_to_read_without_a_key_is_not_called_invalid(
    tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    limit()
    assert home.is_dir()
    assert release(write_city(tmp_path / "city"), tmp_path / "out") == 0
    bundle = tmp_path / "out" / "test-speed-1.0.0"
    monkeypatch.setattr("core.verify.folder._LARGEST_UNKNOWN", 20_000)
    capsys.readouterr()
    assert main(["verify", str(bundle)]) == 1
    said = capsys.readouterr().out
    assert "NOT valid" not in said
    assert "Its files are those that were signed." in said
    assert main(["read", str(bundle)]) == 2
    assert "name the key with --public-key" in capsys.readouterr().err
    assert main(["verify", str(bundle), "--public-key", str(bundle / "release-key.pub")]) == 0
