"""A bundle as one file: the same bytes each time, what is signed alone, never over another."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from core.errors import InputError
from core.progress import Cancelled
from core.verify.pack_bundle import pack_bundle
from core.verify.verify import verify_bundle
from tests.builders import make_key, resign, usual_bundle


def test_the_zip_lies_beside_the_folder_and_holds(tmp_path: Path) -> None:
    bundle = usual_bundle(tmp_path)
    packed = pack_bundle(bundle)
    assert packed == tmp_path / f"{bundle.name}.zip"
    assert verify_bundle(packed, make_key().public_text).ok
    with zipfile.ZipFile(packed) as archive:
        names = archive.namelist()
        assert archive.testzip() is None
    assert names == sorted(
        f"{bundle.name}/{path.relative_to(bundle).as_posix()}" for path in bundle.rglob("*") if path.is_file()
    )


def test_the_same_folder_gives_the_same_bytes(tmp_path: Path) -> None:
    bundle = usual_bundle(tmp_path)
    packed = pack_bundle(bundle)
    first = packed.read_bytes()
    packed.unlink()
    (bundle / "README.md").touch()
    assert pack_bundle(bundle).read_bytes() == first


def test_it_is_called_by_what_was_signed_and_holds_nothing_else(tmp_path: Path) -> None:
    bundle = usual_bundle(tmp_path)
    (bundle / "notes.txt").write_text("my own")
    moved = bundle.rename(tmp_path / "my copy")
    packed = pack_bundle(moved)
    assert packed.name == f"{bundle.name}.zip"
    assert verify_bundle(packed).ok


def test_it_never_takes_the_place_of_another(tmp_path: Path) -> None:
    bundle = usual_bundle(tmp_path)
    target = tmp_path / f"{bundle.name}.zip"

    def meanwhile(done: float, _: str = "") -> None:
        if done == 0:
            target.write_text("mine")

    with pytest.raises(InputError, match="already"):
        pack_bundle(bundle, meanwhile)
    with pytest.raises(InputError, match="already"):
        pack_bundle(bundle)
    assert target.read_text() == "mine"
    assert sorted(path.name for path in tmp_path.iterdir()) == [bundle.name, target.name]


@pytest.mark.parametrize("name", ["README.md", "SHA256SUMS", "SHA256SUMS.minisig"])
def test_what_is_not_as_it_was_signed_is_not_packed(tmp_path: Path, name: str) -> None:
    bundle = usual_bundle(tmp_path)
    (bundle / name).write_bytes((bundle / name).read_bytes() + b"x")
    with pytest.raises(InputError, match="not as it was signed"):
        pack_bundle(bundle)
    assert [path.name for path in tmp_path.iterdir()] == [bundle.name]


def test_no_release_leads_out_of_its_zip(tmp_path: Path) -> None:
    bundle = usual_bundle(tmp_path)
    resign(bundle, make_key(), comment="timestamp:1\tfile:SHA256SUMS\trelease:..")
    with pytest.raises(InputError, match="not the name of a bundle's file"):
        pack_bundle(bundle)


def test_who_stops_it_leaves_nothing(tmp_path: Path) -> None:
    bundle = usual_bundle(tmp_path)

    def stop(done: float, _: str = "") -> None:
        if done > 0:
            raise Cancelled

    with pytest.raises(Cancelled):
        pack_bundle(bundle, stop)
    assert [path.name for path in tmp_path.iterdir()] == [bundle.name]
