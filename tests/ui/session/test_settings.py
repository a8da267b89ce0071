"""ui.session.settings: what the window remembers, and what it shrugs off."""

from __future__ import annotations

import stat
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QByteArray

from core.paths import Home
from ui.kit.theme import Mode
from ui.session.settings import MOST_RECENT, Settings


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "some home, with a comma")


def test_a_new_home_has_defaults_and_is_not_made_by_reading(home):
    settings = Settings(home)
    assert settings.recent_files == ()
    assert settings.theme is Mode.SYSTEM
    assert settings.window_geometry.isEmpty()
    assert settings.window_state.isEmpty()
    assert settings.last_folder("data") is None
    assert not home.folder.exists()


def test_everything_comes_back_in_the_next_run(home, tmp_path):
    settings = Settings(home)
    settings.theme = Mode.DARK
    settings.window_geometry = QByteArray(b"\0geometry,=\xff")
    settings.window_state = QByteArray(b"state")
    settings.set_last_folder("data", tmp_path)
    settings.add_recent([tmp_path / "a, b.csv", tmp_path / 'c "d" é.csv'])
    del settings
    again = Settings(home)
    assert again.theme is Mode.DARK
    assert again.window_geometry == QByteArray(b"\0geometry,=\xff")
    assert again.window_state == QByteArray(b"state")
    assert again.last_folder("data") == tmp_path
    assert again.recent_files == ((tmp_path / "a, b.csv", tmp_path / 'c "d" é.csv'),)
    assert (home.folder / "settings.ini").is_file()


def test_a_folder_is_proposed_until_one_was_used(home, tmp_path):
    settings = Settings(home)
    documents = settings.folder_for("spec")
    assert documents.is_absolute()
    assert settings.folder_for("release") == documents / "hexveil-releases"
    settings.set_last_folder("release", tmp_path)
    assert (settings.folder_for("release"), settings.folder_for("spec")) == (tmp_path, documents)


@pytest.mark.skipif(sys.platform == "win32", reason="modes are POSIX")
def test_the_home_that_writing_makes_is_private(home):
    Settings(home).theme = Mode.LIGHT
    assert stat.S_IMODE(home.folder.stat().st_mode) == 0o700


def test_recent_files_newest_first_each_group_once_at_most_eight(home, tmp_path):
    settings = Settings(home)
    files = [tmp_path / f"{number}.csv" for number in range(MOST_RECENT + 3)]
    for path in files:
        settings.add_recent([path])
    settings.add_recent([files[5]])
    names = [group[0].name for group in settings.recent_files]
    assert names == ["5.csv", "10.csv", "9.csv", "8.csv", "7.csv", "6.csv", "4.csv", "3.csv"]


def test_a_folder_that_is_gone_is_not_offered(home, tmp_path):
    gone = tmp_path / "gone"
    gone.mkdir()
    settings = Settings(home)
    settings.set_last_folder("data", gone)
    assert settings.last_folder("data") == gone
    gone.rmdir()
    assert settings.last_folder("data") is None


@pytest.mark.parametrize("recent", ["nonsense", "5", "[5]", "[[5]]", '{"a": 1}'])
def test_a_damaged_file_counts_as_never_set(home, recent):
    home.create()
    lines = ["[files]", f"recent={recent}", "[window]", "theme=pink", "geometry=5"]
    (home.folder / "settings.ini").write_text("\n".join(lines))
    settings = Settings(home)
    assert settings.theme is Mode.SYSTEM
    assert settings.window_geometry.isEmpty()
    assert all(isinstance(path, Path) for group in settings.recent_files for path in group)


def test_a_home_that_cannot_be_made_is_no_failure(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("")
    settings = Settings(Home(blocked / "home"))
    settings.theme = Mode.DARK
    assert settings.theme is Mode.DARK


def test_who_makes_releases_is_remembered_as_a_whole(home):
    settings = Settings(home)
    assert settings.office == {}
    office = {"publisher": "City, buses", "contact": "opendata@city.example", "licence": "CC0-1.0"}
    settings.office = office
    assert Settings(home).office == office
    settings.office = office | {"contact": ""}
    assert Settings(home).office == {}
