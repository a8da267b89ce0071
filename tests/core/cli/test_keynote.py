"""`keynote`: a key's successor, and a revoked key, from the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.cli import main


def test_rotate_then_revoke(tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["keygen", "--out", str(tmp_path / "new")]) == 0
    bundles = tmp_path / "not" / "there"
    about = ["keynote", "--out", str(bundles), "--reason"]
    assert main([*about, "Ten years.", "--replaced-by", str(tmp_path / "new.pub")]) == 0
    assert "its successor on" in capsys.readouterr().out
    assert main([*about, "Stolen.", "--revoke"]) == 0
    assert "REVOKED" in capsys.readouterr().out
    assert main([*about, "Found again.", "--replaced-by", str(tmp_path / "new.pub")]) == 2
    assert "final" in capsys.readouterr().err
    key_id = (home / "keys" / "release-key.pub").read_text().split()[5]
    assert {f"{key_id}.key.json", f"{key_id}.key.json.minisig"} <= {path.name for path in bundles.iterdir()}
