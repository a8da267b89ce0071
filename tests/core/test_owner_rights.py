"""Rights of files on Windows; elsewhere their modes say it (`test_files`)."""

from __future__ import annotations

import os
import stat
import subprocess
from pathlib import Path

import pytest

from core.files import write_synced
from core.owner_rights import restrict_to_owner


@pytest.mark.skipif(os.name != "nt", reason="access lists are those of Windows")
def test_nobody_but_the_owner_and_the_system_has_rights(tmp_path: Path) -> None:
    write_synced(tmp_path / "key", b"secret", mode=0o600)
    told = subprocess.run(["icacls", tmp_path / "key"], capture_output=True, text=True, check=True).stdout
    assert told.count(":(") == 2
    assert "Users" not in told
    assert (tmp_path / "key").read_bytes() == b"secret"


@pytest.mark.skipif(os.name == "nt", reason="modes are those of POSIX")
def test_elsewhere_it_leaves_the_mode_alone(tmp_path: Path) -> None:
    write_synced(tmp_path / "a", b"x", mode=0o640)
    before = stat.S_IMODE((tmp_path / "a").stat().st_mode)
    restrict_to_owner(tmp_path / "a")
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == before
