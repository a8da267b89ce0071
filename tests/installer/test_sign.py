"""Checksums and signatures beside the installers."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from pathlib import Path

import pytest

from core.keys.signing_key import generate_key
from core.signed.minisign import parse_public_key, parse_signature, signed_by
from resources.installer.sign import KEY, PASSPHRASE, PUBLIC_NAME, sign, signing_key


def test_every_file_gets_its_checksum_and_signature(tmp_path: Path) -> None:
    files = [tmp_path / "a.deb", tmp_path / "b.run"]
    for number, path in enumerate(files):
        path.write_bytes(bytes([number]) * 5000)
    sign(files, generate_key(tmp_path / "key", "for tests alone"))
    key = parse_public_key((tmp_path / PUBLIC_NAME).read_text())
    assert key is not None
    for path in files:
        told = (tmp_path / f"{path.name}.sha256").read_text()
        assert told == f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n"
        signature = parse_signature((tmp_path / f"{path.name}.minisig").read_bytes())
        assert signature is not None
        assert signature.trusted_comment.endswith(f"\tfile:{path.name}")
        assert signed_by(key, path.read_bytes(), signature)
        assert not signed_by(key, path.read_bytes() + b"x", signature)


@pytest.mark.skipif(not shutil.which("minisign"), reason="minisign is not installed")
def test_minisign_accepts_it(tmp_path: Path) -> None:
    path = tmp_path / "a.deb"
    path.write_bytes(b"content")
    sign([path], generate_key(tmp_path / "key", "for tests alone"))
    line = ["minisign", "-Vm", str(path), "-p", str(tmp_path / PUBLIC_NAME)]
    assert subprocess.run(line, capture_output=True, check=False).returncode == 0
    path.write_bytes(b"other")
    assert subprocess.run(line, capture_output=True, check=False).returncode != 0


def test_a_named_key_signs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    key = generate_key(tmp_path / "project", "for tests alone")
    monkeypatch.setenv(KEY, str(tmp_path / "project.pem"))
    monkeypatch.setenv(PASSPHRASE, "for tests alone")
    assert signing_key().public == key.public


def test_a_throw_away_key_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv(KEY, raising=False)
    assert signing_key().public != signing_key().public
    assert "throw-away" in capsys.readouterr().err
