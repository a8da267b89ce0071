"""What engines make is their owner's alone, in the cache or else in the temporary folder."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from core.engines.set_aside import set_aside
from core.store.record_cache import RecordCache


@pytest.mark.skipif(os.name == "nt", reason="modes are those of POSIX")
@pytest.mark.parametrize("writable", [True, False])
def test_what_is_made_is_private_and_goes(
    writable: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    home = tmp_path / "home"
    if not writable:
        home.touch()
    mask = os.umask(0o022)
    try:
        with set_aside(RecordCache(home / "cache")) as folder:
            (folder / "records").touch()
            (folder / "more").mkdir()
            modes = [stat.S_IMODE((folder / name).stat().st_mode) for name in ("records", "more", ".")]
        assert os.umask(0o022) == 0o022
    finally:
        os.umask(mask)
    assert modes == [0o600, 0o700, 0o700]
    assert (folder.parent == home / "cache") == writable
    assert list(folder.parent.iterdir()) == []
