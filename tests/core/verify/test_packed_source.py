"""A packed bundle from hostile hands: refused with a reason, and nothing is written anywhere."""

from __future__ import annotations

import io
import shutil
import struct
import zipfile
from pathlib import Path

import pytest

from core.errors import InputError
from core.keys.notice import publish_notice
from core.verify.folder_source import FolderSource
from core.verify.pack_bundle import pack_bundle
from core.verify.packed_source import PackedSource, is_packed
from core.verify.source import READ_ERRORS
from core.verify.verify import verify_bundle
from tests.builders import NOW, make_bundle, make_key, make_texts, resign, usual_bundle
from tests.hostile_zips import HOSTILE, TOP, attacked


def _zipped(bundle: Path) -> Path:
    """As another program packs a folder, whatever lies in it."""
    return Path(shutil.make_archive(str(bundle), "zip", bundle.parent, bundle.name))


def test_it_lists_and_reads_what_the_folder_holds(tmp_path: Path) -> None:
    bundle = usual_bundle(tmp_path)
    packed, folder = PackedSource(_zipped(bundle)), FolderSource(bundle)
    assert packed.listing() == folder.listing()
    assert packed.name == folder.name == TOP
    for name in folder.listing().files:
        with packed.open(name) as one, folder.open(name) as other:
            assert one.read() == other.read()


def _nothing(bundle: Path) -> None:
    assert bundle.is_dir()


def _change(bundle: Path) -> None:
    (bundle / "data" / "speed_by_hat.csv").write_bytes(b"h3_cell\n")


def _lose(bundle: Path) -> None:
    (bundle / "README.md").unlink()


def _add(bundle: Path) -> None:
    (bundle / "more" / "and more").mkdir(parents=True)


def _sign_otherwise(bundle: Path) -> None:
    resign(bundle, make_key(2))


def _withdraw(bundle: Path) -> None:
    publish_notice(bundle, reason="A wrong zone.", key=make_key(), now=NOW)


@pytest.mark.parametrize("alter", [_nothing, _change, _lose, _sign_otherwise, _withdraw])
def test_it_is_found_what_is_found_of_the_folder(tmp_path: Path, alter: object) -> None:
    assert callable(alter)
    bundle = usual_bundle(tmp_path)
    alter(bundle)
    packed = _zipped(bundle)
    for key in (None, make_key().public_text):
        assert verify_bundle(packed, key) == verify_bundle(bundle, key)
    assert verify_bundle(packed).ok is (alter is _nothing)


def test_a_practice_stays_one(tmp_path: Path) -> None:
    packed = _zipped(make_bundle(tmp_path, texts=make_texts(name="practice-austin")))
    for practice in (False, True):
        assert verify_bundle(packed, practice=practice) == verify_bundle(
            tmp_path / "practice-austin-1.0.0", practice=practice
        )


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_zip_is_a_failed_check(tmp_path: Path, name: str) -> None:
    hostile = attacked(pack_bundle(usual_bundle(tmp_path)), name)
    before = sorted(tmp_path.rglob("*"))
    verification = verify_bundle(hostile, make_key().public_text)
    (check,) = verification.checks
    assert (check.name, check.passed, verification.stopped) == ("packed", False, True)
    assert HOSTILE[name][1] in check.detail
    assert sorted(tmp_path.rglob("*")) == before


def _told_size(packed: Path, size: int) -> Path:
    """The zip that tells another size of its first file, wherever it tells it."""
    content = bytearray(packed.read_bytes())
    for place in (22, content.index(b"PK\x01\x02") + 24):
        struct.pack_into("<L", content, place, size)
    packed.write_bytes(content)
    return packed


def test_a_bomb_is_not_unpacked(tmp_path: Path) -> None:
    packed = _told_size(pack_bundle(usual_bundle(tmp_path)), 1 << 30)
    (check,) = verify_bundle(packed, make_key().public_text).checks
    assert (check.name, check.passed) == ("sizes", False)
    assert "too large for a bundle" in check.detail


@pytest.mark.parametrize("size", [0, 1])
def test_no_more_is_unpacked_than_is_told(tmp_path: Path, size: int) -> None:
    verification = verify_bundle(_told_size(pack_bundle(usual_bundle(tmp_path)), size))
    assert "sums" in {check.name for check in verification.checks if not check.passed}
    assert all("cannot be checked" not in check.detail for check in verification.checks)


def test_damaged_content_is_a_failed_check(tmp_path: Path) -> None:
    packed = pack_bundle(usual_bundle(tmp_path))
    content = bytearray(packed.read_bytes())
    for place in range(40, content.index(b"PK\x01\x02"), len(content) // 40):
        changed = content.copy()
        changed[place] ^= 0x40
        packed.write_bytes(changed)
        verification = verify_bundle(packed, make_key().public_text)
        # what the library passes over, such as a time, is nothing that is signed
        assert verification.ok or not all(check.passed for check in verification.checks)
        if not verification.ok:
            assert all("cannot be checked" not in check.detail for check in verification.checks)


def test_a_zip_of_something_else_is_no_bundle(tmp_path: Path) -> None:
    (tmp_path / "records").mkdir()
    (tmp_path / "records" / "one.csv").write_text("a,b\n")
    with pytest.raises(InputError, match="not a release bundle") as caught:
        verify_bundle(_zipped(tmp_path / "records"))
    assert caught.value.exit_code == 2


def test_what_calls_itself_a_zip(tmp_path: Path) -> None:
    file = io.BytesIO()
    zipfile.ZipFile(file, "w").close()
    contents = {"a.ZIP": b"", "b": file.getvalue(), "c": b"PK\x03\x04", "d": b"PK", "e.csv": b"a,b"}
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "f.zip").mkdir()
    found = [path.name for path in sorted(tmp_path.iterdir()) if is_packed(path)]
    assert found == ["a.ZIP", "b", "c"]
    assert not is_packed(tmp_path / "nowhere.zip")


def test_what_was_replaced_meanwhile_cannot_be_read(tmp_path: Path) -> None:
    packed = pack_bundle(usual_bundle(tmp_path))
    source = PackedSource(packed)
    packed.write_bytes(b"PK")
    with pytest.raises(READ_ERRORS), source.open("README.md") as file:
        file.read()
