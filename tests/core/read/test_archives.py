"""Zip archives as folders."""

from __future__ import annotations

import stat
import struct
import zipfile
from pathlib import Path
from typing import Any

import pytest

from core.errors import InputError
from core.read import archives
from core.read.archives import is_about_data, is_hidden, listed_once, member_of, members, open_zip
from core.read.file_stamps import stamp_of
from core.read.input_files import opened
from core.read.reader_registry import reader_for
from tests.core.read.test_tar_entries import tar_of
from tests.records import assert_tells


def _zip(path: Path, files: dict[str, str], how: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", how) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return path


def test_a_list_of_members_that_would_fill_memory_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where only the longer form of the end says how long it is."""
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        for number in range(3):
            archive.writestr(f"{number}.csv", "a,b")
    plain = (tmp_path / "a.zip").read_bytes()
    at = plain.rfind(b"PK\x05\x06")
    long = struct.pack("<4sQHHLLQQQQ", b"PK\x06\x06", 44, 45, 45, 0, 0, 3, 3, 153, at - 153)
    locator = struct.pack("<4sLQL", b"PK\x06\x07", 0, at, 1)
    end = plain[at : at + 12] + b"\xff" * 4 + plain[at + 16 :]
    for data in (plain, plain[:at] + long + locator + end):
        (tmp_path / "a.zip").write_bytes(data)
        monkeypatch.setattr(archives, "MOST_LISTED", 153)
        assert len(members(tmp_path / "a.zip")) == 3
        monkeypatch.setattr(archives, "MOST_LISTED", 152)
        with pytest.raises(InputError, match="too many files for memory"):
            members(tmp_path / "a.zip")


def test_members_are_files_by_name_without_hidden_ones(tmp_path: Path) -> None:
    names = ["b.csv", "x/a.csv", "x/", "__MACOSX/x/._a.csv", ".DS_Store", "/c.csv"]
    found = members(_zip(tmp_path / "a.zip", dict.fromkeys(names, "")))
    inside = [member.path.relative_to(tmp_path).as_posix() for member in found]
    assert inside == ["a.zip/b.csv", "a.zip/c.csv", "a.zip/x/a.csv"]
    again = [member_of(member.path) for member in found]
    assert [member and member.info.filename for member in again] == ["b.csv", "/c.csv", "x/a.csv"]


def test_links_are_passed_over_as_those_of_a_tar_are(tmp_path: Path) -> None:
    """A link's contents are the name of another file, which was read as a table of one column."""
    archive = _zip(tmp_path / "a.zip", {"a.csv": "1"})
    link = zipfile.ZipInfo("link.csv")
    link.create_system, link.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(archive, "a") as opened_zip:
        opened_zip.writestr(link, "a.csv")
    assert [member.path.name for member in members(archive)] == ["a.csv"]


@pytest.mark.parametrize(
    "how", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA]
)
def test_a_member_opens_like_a_file(how: int, tmp_path: Path) -> None:
    path = _zip(tmp_path / "a.zip", {"x.csv": "first", "b/y.csv": "other " * 9999}, how)
    with opened(path / "b" / "y.csv") as stream:
        assert stream.zipped
        assert stream.read() == b"other " * 9999
        assert stream.fraction == 1.0
    with pytest.raises(InputError, match="no such file"):
        opened(path / "z.csv").__enter__()


@pytest.mark.parametrize("pack", ["zip", "tar"])
def test_a_member_may_have_a_longer_name_than_a_disk_allows_and_not_any_number_of_folders(
    pack: str, tmp_path: Path
) -> None:
    """As Windows packs 250 letters of a script of which each takes three bytes."""
    path = tmp_path / "a"
    for name in ("क" * 250 + ".csv", "d/" * 3_000 + "a.csv"):
        path.write_bytes(tar_of({name: b"a,b\n1,2\n"}))
        if pack == "zip":
            _zip(path, {name: "a,b\n1,2\n"})
        if len(name) < 300:
            assert reader_for(path).preview(path).rows == (("1", "2"),)
            assert stamp_of(path / name).size == path.stat().st_size
            continue
        with pytest.raises(InputError, match="longer than 4,096 characters") as caught:
            reader_for(path).preview(path)
        assert_tells(caught.value)


def test_a_path_that_leads_nowhere_is_no_member(tmp_path: Path) -> None:
    (tmp_path / "a.csv").touch()
    for path in (tmp_path / "a.csv", tmp_path / "b" / "c.csv", tmp_path / "a.csv" / "b.csv"):
        assert member_of(path) is None


def test_two_members_of_one_name_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.csv", "1")
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("a.csv", "2")
    with pytest.raises(InputError, match="two files with the same name") as caught:
        members(path)
    assert_tells(caught.value)


def test_an_encrypted_member_is_refused(tmp_path: Path) -> None:
    path = _zip(tmp_path / "a.zip", {"a.csv": "text"})
    data = bytearray(path.read_bytes())
    for mark, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(mark) + place] |= 1
    path.write_bytes(data)
    with pytest.raises(InputError, match="password") as caught:
        opened(path / "a.csv").__enter__()
    assert_tells(caught.value)


def test_an_unknown_packing_is_refused(tmp_path: Path) -> None:
    path = _zip(tmp_path / "a.zip", {"a.csv": "text"})
    data = bytearray(path.read_bytes())
    for mark, place in ((b"PK\x03\x04", 8), (b"PK\x01\x02", 10)):
        data[data.index(mark) + place] = 97
    path.write_bytes(data)
    with pytest.raises(InputError, match="does not know how") as caught:
        opened(path / "a.csv").__enter__()
    assert_tells(caught.value)


def test_names_that_systems_hide_and_names_that_tell_of_data() -> None:
    assert [is_hidden(name) for name in ("a/.b", ".a/b", "__MACOSX/a", "a/b.csv")] == [
        True,
        True,
        True,
        False,
    ]
    names = (
        "README.txt",
        "x/LICENCE",
        "metadata.json",
        "data_dictionary.csv",
        "records.csv",
        "readmetoo.csv",
    )
    assert [is_about_data(name) for name in names] == [True] * 4 + [False] * 2


@pytest.mark.parametrize(
    "name",
    [
        *("LISEZMOI.txt", "lisez-moi.txt", "Lisez_moi.txt", "LEIAME.txt", "leia-me.csv", "LEEME.txt"),
        *("Léeme.txt", "LIESMICH.txt", "read-me.txt", "Licença.txt", "licencia.txt", "Lizenz.txt"),
    ],
)
def test_a_note_about_the_data_is_known_in_the_languages_of_column_names(name: str) -> None:
    assert is_about_data("export/" + name)
    assert not is_about_data("export/lieferungen.csv")


def test_members_are_found_without_listing_the_archive_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many there are: each would otherwise cost a listing of all."""
    path = _zip(tmp_path / "a.zip", {f"{number}.csv": f"text {number}" for number in range(20)})
    listings: list[Path] = []
    list_anew = zipfile.ZipFile.__init__

    def counted(self: zipfile.ZipFile, *arguments: Any, **options: Any) -> None:
        listings.append(path)
        list_anew(self, *arguments, **options)

    monkeypatch.setattr(zipfile.ZipFile, "__init__", counted)
    with listed_once(path) as found:
        texts = []
        for member in found:
            with opened(member.path) as stream:
                texts.append(stream.read().decode())
    assert sorted(texts) == sorted(f"text {number}" for number in range(20))
    assert len(listings) == 1
    with opened(path / "7.csv") as stream:
        assert stream.read() == b"text 7"
    assert len(listings) == 2, "the archive may have been written to since"


def test_a_directory_that_names_no_member_is_damage(tmp_path: Path) -> None:
    path = _zip(tmp_path / "a.zip", {"a.csv": "text"})
    path.write_bytes(path.read_bytes().replace(b"PK\x03\x04", b"PK\x03\x05", 1))
    with pytest.raises(InputError, match="truncated or damaged") as caught:
        opened(path / "a.csv").__enter__()
    assert_tells(caught.value)


@pytest.mark.parametrize(("place", "odd"), [(6, b"\x99"), (46, b"\xff")], ids=["version", "name"])
def test_a_directory_that_the_library_did_not_foresee_is_damage(
    place: int, odd: bytes, tmp_path: Path
) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("\u00e9.csv", "a")
    content = bytearray(path.read_bytes())
    at = content.index(b"PK\x01\x02") + place
    content[at : at + 1] = odd
    path.write_bytes(content)
    with pytest.raises(zipfile.BadZipFile), open_zip(path):
        pytest.fail("it was opened")
    with pytest.raises(zipfile.BadZipFile):
        members(path)


def test_a_member_that_begins_before_its_file_is_damage(tmp_path: Path) -> None:
    """The library takes the list of members for one behind something longer than the file."""
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.csv", "a")
    content = path.read_bytes()
    path.write_bytes(content[10:])
    with pytest.raises(zipfile.BadZipFile), open_zip(path):
        pytest.fail("it was opened")
