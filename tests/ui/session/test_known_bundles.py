"""Bundles that are found again: folders, and zips of them."""

from __future__ import annotations

from pathlib import Path

from core.system.paths import Home
from core.verify.pack_bundle import pack_bundle
from tests.builders import make_bundle
from ui.session.known_bundles import is_bundle, known_folder, known_folders
from ui.session.settings import Settings


def test_a_bundle_is_a_folder_or_the_zip_of_one(tmp_path: Path) -> None:
    bundle = make_bundle(tmp_path)
    packed = pack_bundle(bundle)
    assert is_bundle(bundle)
    assert is_bundle(packed)
    packed.write_bytes(packed.read_bytes()[:-1])
    assert not is_bundle(packed)
    assert not is_bundle(tmp_path)
    assert not is_bundle(tmp_path / "nowhere.zip")


def test_it_is_found_beside_a_recent_one(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    home.create()
    settings = Settings(home)
    bundle = make_bundle(tmp_path)
    assert known_folder(settings, bundle.name) is None
    settings.add_recent_path("bundle", pack_bundle(bundle))
    assert known_folders(settings, [bundle.name, "another-1.0.0"]) == (bundle,)
