"""A bundle on disk: whole or absent, and accepted by the public's own programs."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from core.errors import InputError
from core.release.bundle import Staging, bundle_files, manifest_bytes
from core.signed.bundle_names import MANIFEST
from tests.builders import (
    DATA_PATHS,
    NOW,
    make_bundle,
    make_key,
    make_mixed_release,
    make_release,
    make_texts,
)

FOLDER = make_texts().folder
FRICTIONLESS = Path(sys.executable).parent / "frictionless"


def _run(folder: Path, *command: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def _files(folder: Path) -> dict[str, bytes]:
    paths = [path for path in folder.rglob("*") if path.is_file()]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def _names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.skipif(not shutil.which("minisign"), reason="needs the minisign program")
def test_minisign_accepts_it_and_shows_the_release(tmp_path: Path) -> None:
    done = _run(make_bundle(tmp_path), "minisign", "-Vm", MANIFEST, "-P", make_key().public_text)
    assert done.returncode == 0, done.stderr
    assert f"timestamp:1714979289\tfile:SHA256SUMS\trelease:{FOLDER}" in done.stdout


@pytest.mark.skipif(not shutil.which("sha256sum"), reason="needs sha256sum")
def test_sha256sum_accepts_it(tmp_path: Path) -> None:
    done = _run(make_bundle(tmp_path), "sha256sum", "-c", "--strict", MANIFEST)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count(": OK") == 14


@pytest.mark.skipif(os.name == "nt", reason="the Windows program has nothing beside it but what ships")
def test_frictionless_accepts_it_and_finds_a_change(tmp_path: Path) -> None:
    from frictionless import validate

    bundle = make_bundle(tmp_path)
    described = bundle / "datapackage.json"
    assert _run(bundle, FRICTIONLESS, "validate", described.name).returncode == 0
    assert validate(str(described)).valid
    table = bundle / DATA_PATHS[0]
    table.write_bytes(table.read_bytes().replace(b"20.668", b"20.669"))
    assert not validate(str(described)).valid


def test_the_files_on_disk_are_those_computed(tmp_path: Path) -> None:
    bundle = make_bundle(tmp_path)
    assert bundle == tmp_path / FOLDER
    assert _files(bundle) == bundle_files(make_release(), make_texts(), key=make_key(), now=NOW)
    assert _names(tmp_path) == [FOLDER]


def test_data_depend_on_the_release_only() -> None:
    one = bundle_files(make_release(), make_texts(), key=make_key(), now=NOW)
    other = bundle_files(
        make_release(),
        make_texts(version="1.0.1", title="Again", licence="CC0-1.0"),
        key=make_key(2),
        now=NOW.replace(year=2025),
    )
    assert {path: one[path] for path in DATA_PATHS} == {path: other[path] for path in DATA_PATHS}
    assert one["README.md"] != other["README.md"]


def test_the_manifest_is_sorted_and_leaves_itself_out(tmp_path: Path) -> None:
    manifest = _files(make_bundle(tmp_path))[MANIFEST].decode()
    names = [line[66:] for line in manifest.splitlines()]
    assert names == sorted(names)
    assert len(names) == 14
    assert not any(name.startswith(MANIFEST) for name in names)
    assert manifest_bytes({"b": b"", "a": b""}).decode().splitlines()[0].endswith("  a")


def test_publish_returns_the_hash_of_the_manifest(tmp_path: Path) -> None:
    staging = Staging.create(tmp_path, FOLDER)
    bundle = staging.publish(make_release(), make_texts(), key=make_key(), now=NOW)
    assert bundle.manifest_sha256 == hashlib.sha256((bundle.path / MANIFEST).read_bytes()).hexdigest()
    staging.discard()
    assert bundle.path.is_dir()


def test_a_release_is_never_replaced(tmp_path: Path) -> None:
    before = _files(make_bundle(tmp_path))
    for attempt in (Staging.check_target, Staging.create):
        with pytest.raises(InputError, match="exists already") as caught:
            attempt(tmp_path, FOLDER)
        assert caught.value.exit_code == 2
        assert caught.value.mend == "give it another name or the next version, or choose another folder"
    assert _files(tmp_path / FOLDER) == before


def test_a_target_that_appears_meanwhile_stays(tmp_path: Path) -> None:
    staging = Staging.create(tmp_path, FOLDER)
    (tmp_path / FOLDER).mkdir()
    with pytest.raises(InputError, match="Another run has published") as caught:
        staging.publish(make_release(), make_texts(), key=make_key(), now=NOW)
    assert caught.value.mend == "verify that bundle and use it; another folder takes this one at no cost"
    staging.discard()
    assert _names(tmp_path) == [FOLDER]
    assert _names(tmp_path / FOLDER) == []


def test_out_is_made_and_removed_again_on_failure(tmp_path: Path) -> None:
    staging = Staging.create(tmp_path / "new" / "deep", FOLDER)
    assert len(_names(tmp_path / "new" / "deep")) == 1
    staging.discard()
    assert _names(tmp_path) == []


def test_a_folder_that_was_there_stays_on_failure(tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()
    Staging.create(tmp_path / "old", FOLDER).discard()
    assert _names(tmp_path) == ["old"]


def test_a_failed_write_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    staging = Staging.create(tmp_path / "out", FOLDER)
    monkeypatch.setattr("core.release.bundle.write_synced", full)
    with pytest.raises(OSError, match="No space"):
        staging.publish(make_release(), make_texts(), key=make_key(), now=NOW)
    staging.discard()
    assert _names(tmp_path) == []


def test_checking_a_target_changes_nothing(tmp_path: Path) -> None:
    Staging.check_target(tmp_path / "new" / "deep", FOLDER)
    assert _names(tmp_path) == []


@pytest.mark.parametrize("out", ["file", "file/below"])
def test_out_that_is_a_file_is_refused(tmp_path: Path, out: str) -> None:
    (tmp_path / "file").write_text("")
    for attempt in (Staging.check_target, Staging.create):
        with pytest.raises(InputError, match="not a folder"):
            attempt(tmp_path / out, FOLDER)


def test_a_folder_that_cannot_be_written_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(InputError, match="no permission") as caught:
        Staging.check_target(tmp_path, FOLDER)
    assert caught.value.mend == "choose a folder that you can write to, on a disk with room"


def test_a_failed_creation_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: Path) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr("core.release.bundle.sync_folder", refuse)
    with pytest.raises(InputError, match="Input/output error"):
        Staging.create(tmp_path / "new", FOLDER)
    assert _names(tmp_path) == []


def test_what_dead_processes_left_is_removed(tmp_path: Path) -> None:
    stale = [f".{FOLDER}.partial-{pid}" for pid in (999_999_999, os.getpid())]
    retained = [
        f".{FOLDER}.partial-{os.getppid()}",
        f".{FOLDER}.partial-x",
        ".other-1.0.0.partial-999999999",
        f"{FOLDER}.partial-999999999",
    ]
    for name in (*stale, *retained):
        (tmp_path / name).mkdir()
        (tmp_path / name / "file").write_text("")
    make_bundle(tmp_path)
    assert _names(tmp_path) == sorted([FOLDER, *retained])


@pytest.mark.skipif(os.name == "nt", reason="symbolic links")
def test_a_link_named_like_a_leftover_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "file").write_text("kept")
    (tmp_path / f".{FOLDER}.partial-999999999").symlink_to(tmp_path / "mine")
    make_bundle(tmp_path)
    assert (tmp_path / "mine" / "file").read_text() == "kept"


def test_no_local_path_is_in_any_file(tmp_path: Path) -> None:
    for name, content in _files(make_bundle(tmp_path)).items():
        assert str(tmp_path).encode() not in content, name


@pytest.mark.skipif(os.name == "nt", reason="the Windows program has nothing beside it but what ships")
def test_frictionless_accepts_the_parts_of_epsilon(tmp_path: Path) -> None:
    from frictionless import validate

    report = validate(str(make_bundle(tmp_path, make_mixed_release()) / "datapackage.json"))
    assert report.valid, report.to_summary()
