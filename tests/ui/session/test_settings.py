"""ui.session.settings: what the window remembers, and what it shrugs off."""

from __future__ import annotations

import re
import stat
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QByteArray, QSettings, QStandardPaths

from core.store.record_cache import DEFAULT_LIMIT
from core.system.paths import Home
from ui.kit.theme import Mode
from ui.session.settings import GIGABYTE, MOST_RECENT, PUBLISHER_TEXTS, Settings


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
    assert again.language == ""
    assert again.open_sections is None
    assert again.cache_limit == DEFAULT_LIMIT
    settings = Settings(home)
    settings.language, settings.open_sections, settings.cache_limit = "hi", ("grids", "dates"), 7 * GIGABYTE
    settings.release_folder = tmp_path / "to be made"
    again = Settings(home)
    assert (again.language, again.open_sections) == ("hi", ("grids", "dates"))
    assert (again.cache_limit, again.release_folder) == (7 * GIGABYTE, tmp_path / "to be made")
    again.open_sections = ()
    assert Settings(home).open_sections == ()
    again.set_publisher_text("contact", "opendata@city.example")
    again.add_recent_path("bundle", tmp_path)
    del again
    # what this version has written is found by those that come after it
    assert set(QSettings(str(home.settings), QSettings.Format.IniFormat).allKeys()) == {
        *(f"window/{name}" for name in ("geometry", "language", "open-sections", "state", "theme")),
        *(f"publisher/{name}" for name in ("contact", "release-folder")),
        *("cache/limit-gb", "files/recent", "files/recent-bundle", "folders/data"),
    }
    assert (home.folder / "settings.ini").is_file()


def test_where_no_file_can_be_made_this_run_remembers(home):
    settings = Settings(home)
    home.create()
    home.settings.mkdir()
    settings.language = "hi"
    assert settings.language == "hi"


def test_a_folder_is_proposed_until_one_was_used(home, tmp_path):
    settings = Settings(home)
    documents = settings.folder_for("project")
    assert documents.is_absolute()
    assert settings.folder_for("release") == documents / "hexveil-releases"
    settings.set_last_folder("release", tmp_path)
    assert (settings.folder_for("release"), settings.folder_for("project")) == (tmp_path, documents)


@pytest.mark.parametrize("there", [True, False])
def test_what_is_saved_begins_in_a_folder_that_is_there(home, tmp_path, monkeypatch, there):
    """Else a dialog would begin where records were opened last."""
    documents = tmp_path / "Documents"
    if there:
        documents.mkdir()
    monkeypatch.setattr(QStandardPaths, "writableLocation", lambda _: str(documents))
    settings = Settings(home)
    settings.set_last_folder("data", tmp_path)
    assert settings.folder_for("project") == (documents if there else Path.home())


@pytest.mark.skipif(sys.platform == "win32", reason="modes are POSIX")
def test_the_home_that_writing_makes_is_private(home):
    Settings(home).theme = Mode.LIGHT
    assert stat.S_IMODE(home.folder.stat().st_mode) == 0o700
    assert stat.S_IMODE(home.settings.stat().st_mode) == 0o600
    Settings(home).theme = Mode.DARK  # Qt writes it anew
    assert stat.S_IMODE(home.settings.stat().st_mode) == 0o600


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
    cache = {"5": "0", "[5]": "-3"}.get(recent, recent)
    lines = [
        "[files]",
        f"recent={recent}",
        "[window]",
        "theme=pink",
        "geometry=5",
        "[cache]",
        f"limit-gb={cache}",
    ]
    (home.folder / "settings.ini").write_text("\n".join(lines))
    settings = Settings(home)
    assert settings.cache_limit == DEFAULT_LIMIT
    assert settings.theme is Mode.SYSTEM
    assert settings.window_geometry.isEmpty()
    assert all(isinstance(path, Path) for group in settings.recent_files for path in group)


def test_a_home_that_cannot_be_made_is_no_failure(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("")
    settings = Settings(Home(blocked / "home"))
    settings.theme = Mode.DARK
    assert settings.theme is Mode.DARK


def test_projects_and_bundles_are_remembered_apart(tmp_path: Path) -> None:
    settings = Settings(Home(tmp_path / "home"))
    for number in range(MOST_RECENT + 2):
        settings.add_recent_path("bundle", tmp_path / str(number))
    settings.add_recent_path("bundle", tmp_path / "5")
    again = Settings(Home(tmp_path / "home"))
    assert len(again.recent("bundle")) == MOST_RECENT
    assert again.recent("bundle")[:2] == (tmp_path / "5", tmp_path / "9")
    assert again.recent("project") == ()


def test_what_an_office_says_of_itself_and_its_key_are_kept(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    settings = Settings(home)
    assert [settings.publisher_text(name) for name in PUBLISHER_TEXTS] == ["", "", ""]
    assert settings.key_file == home.default_key
    settings.set_publisher_text("publisher", " City of Example ")
    settings.key_file = tmp_path / "office.pem"
    again = Settings(home)
    assert again.publisher_text("publisher") == "City of Example"
    assert again.key_file == tmp_path / "office.pem"
    again.key_file = home.default_key
    assert Settings(home).key_file == home.default_key


def test_only_what_is_set_is_said_of_an_office(home: Home) -> None:
    settings = Settings(home)
    assert settings.publisher_texts == {}
    settings.set_publisher_text("contact", "opendata@city.example")
    assert Settings(home).publisher_texts == {"contact": "opendata@city.example"}


def test_the_card_for_newcomers_stays_closed_until_it_is_asked_for(home):
    assert not Settings(home).newcomer_card_closed
    Settings(home).newcomer_card_closed = True
    assert Settings(home).newcomer_card_closed
    Settings(home).newcomer_card_closed = False
    assert not Settings(home).newcomer_card_closed


def test_recent_paths_that_cannot_be_read_are_none(home, tmp_path):
    Settings(home).add_recent_path("bundle", tmp_path / "a")
    text = home.settings.read_text()
    home.settings.write_text(re.sub("recent-bundle=.*", "recent-bundle=nonsense", text))
    assert Settings(home).recent("bundle") == ()


def test_a_folder_in_the_place_of_the_settings_is_set_aside(home):
    home.settings.mkdir(parents=True)
    Settings(home).theme = Mode.DARK
    assert home.settings.is_file()
    assert home.settings.with_name(f"{home.settings.name}.set-aside").is_dir()
