"""What lies in a bundle's folder, and what its manifest lists."""

from __future__ import annotations

import os
import tracemalloc
from pathlib import Path

import pytest

from core.bundle.formats import FORMATS, NEWEST_FORMAT
from core.bundle.resources import map_paths
from core.signed.bundle_names import GIT_ATTRIBUTES, MANIFEST
from core.signed.findings import Finding
from core.verify.folder import check_files, check_sums, read_folder
from tests.builders import SPEED_BY_HAT, usual_bundle


def test_a_bundle_is_read_whole(tmp_path: Path) -> None:
    folder = read_folder(usual_bundle(tmp_path))
    assert folder.files == {
        *(*NEWEST_FORMAT.files, GIT_ATTRIBUTES, SPEED_BY_HAT.path),
        *map_paths([SPEED_BY_HAT]),
    }
    assert folder.folders == {"data", "map"}
    assert folder.strange == ()
    assert "16 files" in check_files(folder)
    assert "14 files" in check_sums(folder)


@pytest.mark.parametrize(
    ("statement", "name"),
    [
        (b'{"format": "hexveil-privacy-1"}', "hexveil-privacy-1"),
        (b'{"format": "hexveil-privacy-2"}', "hexveil-privacy-2"),
        (b'{"format": "hexveil-privacy-3"}', "hexveil-privacy-3"),
        (b'{"format": "hexveil-privacy-4"}', "hexveil-privacy-3"),
        (b'{"format": ["hexveil-privacy-1"]}', "hexveil-privacy-3"),
        (b"{}", "hexveil-privacy-3"),
        (b"[]", "hexveil-privacy-3"),
        (b"\xff", "hexveil-privacy-3"),
    ],
)
def test_the_statement_names_the_format(tmp_path: Path, statement: bytes, name: str) -> None:
    bundle = usual_bundle(tmp_path)
    (bundle / "privacy.json").write_bytes(statement)
    assert read_folder(bundle).format is FORMATS[name]


def _plant_file(bundle: Path) -> None:
    (bundle / "data" / "extra.csv").write_text("")


def _plant_hidden(bundle: Path) -> None:
    (bundle / ".hidden").write_text("")


def _plant_folder(bundle: Path) -> None:
    (bundle / "empty").mkdir()


def _plant_link(bundle: Path) -> None:
    (bundle / "link").symlink_to(bundle / "README.md")


def _replace_by_link(bundle: Path) -> None:
    (bundle / "README.md").rename(bundle.parent / "README.md")
    (bundle / "README.md").symlink_to(bundle.parent / "README.md")


def _replace_by_folder(bundle: Path) -> None:
    (bundle / "README.md").unlink()
    (bundle / "README.md").mkdir()


def _link_data(bundle: Path) -> None:
    (bundle / "data").rename(bundle.parent / "data")
    (bundle / "data").symlink_to(bundle.parent / "data")


def _plant_pipe(bundle: Path) -> None:
    os.mkfifo(bundle / "pipe")


def _plant_odd_name(bundle: Path) -> None:
    Path(os.fsdecode(os.fsencode(bundle) + b"/\xff\x1b[31m")).write_text("")


@pytest.mark.skipif(os.name == "nt", reason="links, pipes and names of POSIX")
@pytest.mark.parametrize(
    "plant",
    [
        _plant_file,
        _plant_hidden,
        _plant_folder,
        _plant_link,
        _replace_by_link,
        _replace_by_folder,
        _link_data,
        _plant_pipe,
        _plant_odd_name,
    ],
    ids=lambda plant: plant.__name__.strip("_"),
)
def test_what_is_not_listed_is_found(tmp_path: Path, plant: object) -> None:
    bundle = usual_bundle(tmp_path)
    assert callable(plant)
    plant(bundle)
    with pytest.raises(Finding) as caught:
        check_files(read_folder(bundle))
    assert str(caught.value).isascii()
    assert str(caught.value).isprintable()


def test_a_required_file_must_be_listed(tmp_path: Path) -> None:
    bundle = usual_bundle(tmp_path)
    lines = (bundle / MANIFEST).read_bytes().splitlines(keepends=True)
    (bundle / MANIFEST).write_bytes(b"".join(line for line in lines if b"README" not in line))
    with pytest.raises(Finding, match="README"):
        check_files(read_folder(bundle))
    with pytest.raises(Finding, match="README"):
        check_sums(read_folder(bundle))


def test_a_changed_or_missing_file_is_named(tmp_path: Path) -> None:
    bundle = usual_bundle(tmp_path)
    (bundle / "LICENSE.txt").write_text("none")
    with pytest.raises(Finding, match=r"LICENSE\.txt was changed"):
        check_sums(read_folder(bundle))
    (bundle / "LICENSE.txt").unlink()
    with pytest.raises(Finding, match=r"LICENSE\.txt is missing"):
        check_sums(read_folder(bundle))


def test_reading_takes_the_memory_of_the_files(tmp_path: Path) -> None:
    bundle = usual_bundle(tmp_path)
    size = sum(path.stat().st_size for path in bundle.rglob("*") if path.is_file())
    tracemalloc.start()
    try:
        folder = read_folder(bundle)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert folder.files
    assert peak < size + (8 << 20)


def test_a_file_too_large_to_read_is_a_finding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bundle = usual_bundle(tmp_path)
    monkeypatch.setattr("core.verify.folder.LARGEST_READ_WHOLE", 2000)
    folder = read_folder(bundle)
    with pytest.raises(Finding, match="too large"):
        folder.read("privacy.json")
    check_sums(folder)


def test_a_folder_without_end_is_not_walked_through(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bundle = usual_bundle(tmp_path)
    monkeypatch.setattr("core.verify.folder_source.MOST_ENTRIES", 3)
    (bundle / "a" / "b" / "c").mkdir(parents=True)
    with pytest.raises(Finding):
        check_files(read_folder(bundle))
