"""The files of a tar, whatever its headers claim."""

from __future__ import annotations

import io
import tarfile
import tracemalloc
from pathlib import Path

import pytest

from core.read.tar_entries import TAR_BLOCK, tar_entries


def tar_of(
    files: dict[str, bytes], form: int = tarfile.PAX_FORMAT, special: tuple[tarfile.TarInfo, ...] = ()
) -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w", format=form) as archive:
        for info in special:
            archive.addfile(info)
        for name, data in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return file.getvalue()


def read(data: bytes) -> dict[str, bytes]:
    return {entry.name: entry.contents.read() for entry in tar_entries(io.BufferedReader(io.BytesIO(data)))}


def header(name: str, size: int, kind: bytes) -> bytes:
    info = tarfile.TarInfo(name)
    info.size, info.type = size, kind
    return info.tobuf(tarfile.GNU_FORMAT)


@pytest.mark.parametrize("form", [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
def test_files_of_every_form_are_read(form: int) -> None:
    long = "a/" * 60 + "b.csv"
    files = {"a.csv": b"x" * 513, "empty": b"", long: b"1", "c.csv": b"y" * TAR_BLOCK}
    files |= {} if form == tarfile.USTAR_FORMAT else {"straße/" + "d" * 300: b"z"}
    assert read(tar_of(files, form)) == files


def test_archives_that_were_joined_are_read_one_after_another() -> None:
    assert read(tar_of({"a": b"1"}) + tar_of({"b": b"2"})) == {"a": b"1", "b": b"2"}


def test_what_is_no_ordinary_file_is_passed_over() -> None:
    special = []
    for kind in (tarfile.DIRTYPE, tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE):
        info = tarfile.TarInfo(f"x{len(special)}")
        info.type, info.linkname = kind, "/etc/passwd"
        special.append(info)
    assert read(tar_of({"a": b"1"}, special=tuple(special))) == {"a": b"1"}


def test_a_file_with_holes_is_told_apart() -> None:
    for data in (
        header("a", 0, tarfile.GNUTYPE_SPARSE) + bytes(2 * TAR_BLOCK),
        header("x", 22, tarfile.XHDTYPE)
        + b"22 GNU.sparse.major=1\n".ljust(TAR_BLOCK, b"\0")
        + header("a", 0, tarfile.REGTYPE)
        + bytes(2 * TAR_BLOCK),
    ):
        (entry,) = tar_entries(io.BufferedReader(io.BytesIO(data)))
        assert not entry.known


@pytest.mark.parametrize(
    ("name", "size", "form"),
    [
        ("ordner/" * 20 + "a.csv", 7, tarfile.USTAR_FORMAT),
        ("straße.csv", 8**11 - 1, tarfile.USTAR_FORMAT),
        ("a.csv", 8**11, tarfile.GNU_FORMAT),
        ("n" * 100, 1 << 50, tarfile.GNU_FORMAT),
    ],
)
def test_a_header_is_understood_as_the_library_does(name: str, size: int, form: int) -> None:
    info = tarfile.TarInfo(name)
    info.size = size
    entry = next(tar_entries(io.BufferedReader(io.BytesIO(info.tobuf(form)))))
    assert (entry.name, entry.size, entry.known) == (name, size, True)


def test_a_checksum_may_be_of_bytes_with_signs_and_must_be_right() -> None:
    block = bytearray(header("straße.csv", 0, tarfile.REGTYPE))
    block[148:156] = b" " * 8
    right = sum(byte - 256 if byte > 127 else byte for byte in block)
    block[148:156] = b"%06o\0 " % right
    assert read(bytes(block) + bytes(1024)) == {"straße.csv": b""}
    block[148:156] = b"%06o\0 " % (right + 1)
    with pytest.raises(EOFError):
        read(bytes(block) + bytes(1024))


@pytest.mark.parametrize("keep", [100, TAR_BLOCK, TAR_BLOCK + 7, 3 * TAR_BLOCK, -1024 * 10])
def test_one_that_ends_early_is_damaged(keep: int) -> None:
    data = tar_of({"a.csv": b"x" * 700, "b.csv": b"y" * 700}, tarfile.USTAR_FORMAT)
    assert len(data) == 20 * TAR_BLOCK
    with pytest.raises(EOFError):
        read(data[: keep if keep > 0 else 6 * TAR_BLOCK])


@pytest.mark.parametrize(
    "data",
    [
        b"x" * TAR_BLOCK,
        header("a", 1 << 40, tarfile.GNUTYPE_LONGNAME),
        header("a", 1 << 40, tarfile.XHDTYPE),
        header("a", 1 << 40, tarfile.REGTYPE),
        header("a", 512, tarfile.XHDTYPE) + b"99999 path=".ljust(TAR_BLOCK),
        header("a", 512, tarfile.XHDTYPE)
        + b"12 size=-9\n".ljust(TAR_BLOCK)
        + header("a", 0, tarfile.REGTYPE),
    ],
)
def test_a_false_header_is_refused_before_anything_makes_room_for_it(data: bytes) -> None:
    tracemalloc.start()
    try:
        with pytest.raises(EOFError):
            read(data)
        assert tracemalloc.get_traced_memory()[1] < 4 << 20
    finally:
        tracemalloc.stop()


def test_many_headers_take_no_memory(tmp_path: Path) -> None:
    """Neither attributes one after another, which the library reads by recursion, nor empty files."""
    before = header("x", 500, tarfile.XHDTYPE)
    attributes = (before + (b"500 %06d=%488d\n" % (n, n)).ljust(TAR_BLOCK, b"\0") for n in range(2000))
    (tmp_path / "a.tar").write_bytes(
        b"".join(attributes) + header("a", 0, tarfile.REGTYPE) * 6_000 + bytes(2 * TAR_BLOCK)
    )
    tracemalloc.start()
    try:
        with (tmp_path / "a.tar").open("rb") as file:
            assert sum(1 for _ in tar_entries(file)) == 6_000
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()
