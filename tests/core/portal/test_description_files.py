"""All describing files of a bundle."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from core.bundle.data_files import data_files
from core.portal.description_files import describe_files
from core.release_texts import ReleaseTexts
from core.signed.bundle_names import (
    CATALOGUE_RECORD,
    DATAPACKAGE,
    GIT_ATTRIBUTES,
    LICENSE,
    MAP_PAGE,
    PRIVACY,
    README,
    REPORT,
)
from core.verify.verify import verify_bundle
from tests.builders import NOW, make_key, make_release, make_texts, usual_bundle

PARQUET = "map/speed_by_hat.parquet"


def _files(texts: ReleaseTexts | None = None) -> dict[str, bytes]:
    release = make_release()
    return describe_files(release, texts or make_texts(), make_key().public, NOW.date(), data_files(release))


def test_every_file_is_there_in_utf8_with_lf() -> None:
    files = _files()
    assert set(files) == {
        *(README, LICENSE, DATAPACKAGE, PRIVACY, REPORT, MAP_PAGE, CATALOGUE_RECORD),
        *("map/speed_by_hat.geojson", PARQUET, GIT_ATTRIBUTES),
    }
    for content in (content for name, content in files.items() if name != PARQUET):
        text = content.decode("utf-8")
        assert text.endswith("\n")
        assert "\r" not in text
        assert not text.startswith("\ufeff")


def test_the_documents_name_the_same_release() -> None:
    files = _files()
    for name in (DATAPACKAGE, PRIVACY):
        document = json.loads(files[name])
        assert (document["name"], document["version"]) == ("austin-bus-speed", "1.0.0")
    assert b"austin-bus-speed-1.0.0" in files[README]
    assert b"austin-bus-speed-1.0.0" in files[REPORT]


def test_the_same_input_gives_the_same_bytes() -> None:
    assert _files() == _files()


def test_other_scripts_stay_readable() -> None:
    files = _files(make_texts(title="बसों की गति", publisher="शहर"))
    for name, content in files.items():
        if name.startswith("map/") or name == GIT_ATTRIBUTES:
            continue
        assert "शहर".encode() in content, name


@pytest.mark.skipif(shutil.which("git") is None, reason="there is no git")
def test_a_bundle_survives_version_control_that_changes_ends_of_lines(tmp_path: Path) -> None:
    bundle = usual_bundle(tmp_path / "made")
    there = tmp_path / "clone"
    git = ["git", "-c", "core.autocrlf=true", "-c", "user.name=City", "-c", "user.email=a@city.example"]
    for command in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "bundle"]):
        subprocess.run([*git, *command], cwd=bundle, check=True, capture_output=True)
    subprocess.run([*git, "clone", "-q", str(bundle), str(there)], check=True, capture_output=True)
    shutil.rmtree(there / ".git")
    renamed = there.rename(tmp_path / bundle.name)
    assert verify_bundle(renamed, make_key().public_text).ok
