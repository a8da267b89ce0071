"""core.system.open_home: others are kept out, and the owner hears that they were not."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from core.cli import main
from core.system.open_home import close_to_others
from core.system.paths import Home
from tests.records import assert_tells

pytestmark = pytest.mark.skipif(os.name == "nt", reason="modes are those of POSIX")


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def opened(tmp_path: Path) -> Home:
    """As a copy of a home that forgot its modes."""
    home = Home(tmp_path / "home")
    home.create()
    for path in (home.ledger, home.settings):
        path.write_bytes(b"")
        path.chmod(0o644)
    (home.folder / "of-another-program").touch()
    (home.folder / "of-another-program").chmod(0o644)
    home.folder.chmod(0o755)
    return home


def test_a_home_that_is_open_to_others_is_closed_and_said_once(opened: Home) -> None:
    said = close_to_others(opened)
    assert said is not None
    assert_tells(said)
    assert "closed to them now" in said.what
    assert [mode_of(path) for path in (opened.folder, opened.ledger, opened.settings)] == [
        0o700,
        0o600,
        0o600,
    ]
    assert mode_of(opened.folder / "of-another-program") == 0o644
    assert close_to_others(opened) is None


def test_a_command_says_so(opened: Home, capsys: pytest.CaptureFixture[str]) -> None:
    main(["mechanisms", "--home", str(opened.folder)])
    told = capsys.readouterr()
    assert told.err.startswith("note: Others could open the home folder")
    assert mode_of(opened.folder) == 0o700


def test_the_home_of_another_account_is_said_and_stays(opened: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    said = close_to_others(opened)
    assert said is not None
    assert "belongs to another account" in said.what
    assert mode_of(opened.folder) == 0o755


def test_a_folder_that_is_no_home_stays_as_it_is(tmp_path: Path) -> None:
    folder = tmp_path / "shared"
    folder.mkdir()
    folder.chmod(0o755)
    assert close_to_others(Home(folder)) is None
    assert close_to_others(Home(folder / "missing")) is None
    assert mode_of(folder) == 0o755


def test_links_are_not_followed(opened: Home, tmp_path: Path) -> None:
    target = tmp_path / "elsewhere"
    target.touch()
    target.chmod(0o644)
    opened.fault_log.symlink_to(target)
    close_to_others(opened)
    assert mode_of(target) == 0o644
