"""`pack`: one file beside the bundle, which the other commands open as they open its folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.cli import main
from tests.builders import usual_bundle
from tests.hostile_zips import attacked


def _told(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    assert main([str(one) for one in arguments]) == 0
    return capsys.readouterr().out


def test_each_command_reads_what_it_packed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bundle = usual_bundle(tmp_path)
    packed = tmp_path / f"{bundle.name}.zip"
    assert _told(capsys, "pack", bundle).startswith(f"Packed: {packed} (")
    for command in (
        ("verify",),
        ("read",),
        ("catalogue", "--ckan", "--url", "https://city.example"),
        ("catalogue", "--iudx", "--url", "https://city.example"),
    ):
        assert _told(capsys, *command, packed) == _told(capsys, *command, bundle)
    for one, out in ((bundle, "a"), (packed, "b")):
        _told(capsys, "policy", one, "--out", tmp_path / out)
    assert (tmp_path / "a" / "policy.md").read_bytes() == (tmp_path / "b" / "policy.md").read_bytes()


def test_exit_codes_tell(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bundle = usual_bundle(tmp_path)
    assert main(["pack", str(tmp_path)]) == 2
    assert main(["pack", str(bundle)]) == 0
    assert main(["pack", str(bundle)]) == 2
    hostile = attacked(tmp_path / f"{bundle.name}.zip", "leads out")
    assert main(["verify", str(hostile)]) == 1
    assert "is NOT valid" in capsys.readouterr().out
    assert main(["read", str(hostile)]) == 2
    assert "(packed)" in capsys.readouterr().err
