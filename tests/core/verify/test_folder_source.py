"""What lies in a folder; links, pipes and what is beyond the most entries are told, never followed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from core.verify.folder_source import FolderSource
from core.verify.source import Listing


def test_files_have_names_and_sizes(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "a.csv").write_bytes(b"abc")
    source = FolderSource(tmp_path)
    assert source.listing() == Listing(files={"data/a.csv": 3}, folders=frozenset({"data"}))
    with source.open("data/a.csv") as file:
        assert file.read() == b"abc"
    assert source.name == tmp_path.name


@pytest.mark.skipif(os.name == "nt", reason="links of POSIX")
def test_links_are_strange(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "data")
    assert FolderSource(tmp_path).listing() == Listing(
        files={}, folders=frozenset({"data"}), strange=("link",)
    )


def test_a_folder_that_is_not_there_is_strange(tmp_path: Path) -> None:
    assert FolderSource(tmp_path / "nowhere").listing().strange == (".",)


def test_it_ends_with_the_most_entries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.verify.folder_source.MOST_ENTRIES", 2)
    (tmp_path / "a" / "b" / "c").mkdir(parents=True)
    assert FolderSource(tmp_path).listing().strange == ("a/b/",)
