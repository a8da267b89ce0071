"""Where the ledger, the keys and the resources are."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

import pytest

from core.errors import InputError
from core.system import paths
from core.system.paths import Home, find_home, how_to_add, program_name, resources
from tests.records import assert_tells


def test_the_chosen_home_comes_before_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HEXVEIL_HOME", str(tmp_path / "named"))
    assert find_home(tmp_path / "chosen").folder == tmp_path / "chosen"
    assert find_home().folder == tmp_path / "named"
    monkeypatch.delenv("HEXVEIL_HOME")
    assert find_home().folder.is_absolute()
    assert "hexveil" in find_home().folder.parts


def test_a_relative_home_becomes_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert find_home("here").folder == tmp_path / "here"


def test_the_home_is_made_private(tmp_path: Path) -> None:
    home = Home(tmp_path / "a" / "b")
    home.create()
    home.create()
    assert home.folder.is_dir()
    assert home.ledger.parent == home.folder
    assert home.folder in home.default_key.parents
    if os.name != "nt":
        assert stat.S_IMODE(home.folder.stat().st_mode) == 0o700


def test_a_home_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    for folder in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(InputError, match="cannot be created") as caught:
            Home(folder).create()
        assert_tells(caught.value)


def test_resources_are_found_in_a_checkout_and_in_a_frozen_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (resources().parent / "core").is_dir()
    monkeypatch.setattr(sys, "_MEIPASS", str(tmp_path), raising=False)
    assert resources() == tmp_path / "resources"


def test_the_program_and_its_extras_are_called_as_the_reader_can_call_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert program_name() == "python main.py"
    assert '`pip install ".[spark]"`' in how_to_add("spark", "pyspark")
    monkeypatch.setattr(paths, "_TOP", tmp_path)  # no sources: an installed copy, or a built program
    assert program_name() == "hexveil"
    assert "`pipx inject hexveil pyspark`" in how_to_add("spark", "pyspark")


def test_everything_kept_lies_in_the_home(tmp_path: Path) -> None:
    home = Home(tmp_path)
    for place in (home.ledger, home.settings, home.cache, home.default_key):
        assert tmp_path in place.parents
