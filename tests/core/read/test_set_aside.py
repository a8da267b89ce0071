"""Members of archives that are opened several times."""

from __future__ import annotations

import contextlib
import io
import shutil
from pathlib import Path

import pytest

from core.errors import InputError
from core.read import set_aside
from core.read.set_aside import SetAside
from tests.records import assert_tells


@pytest.mark.parametrize("most", [4, 1 << 20])
def test_readers_go_their_own_ways(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(set_aside, "MOST_IN_MEMORY", most)
    contents = SetAside(io.BytesIO(b"0123456789"), Path("a.tar/b"))
    with contents.reader() as one, contents.reader() as other:
        assert (one.read(3), other.read(1), one.read(2)) == (b"012", b"0", b"34")
        one.seek(-2, 2)
        assert (one.read(), other.read()) == (b"89", b"123456789")
    contents.close()


def test_no_more_is_unpacked_than_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """A preview of a large file in an archive waits for its first lines alone."""
    monkeypatch.setattr(set_aside, "MOST_IN_MEMORY", 4)
    monkeypatch.setattr(set_aside, "_PIECE", 4)
    stream = io.BytesIO(bytes(1 << 20))
    with contextlib.closing(SetAside(stream, Path("a.tar/b"))) as contents:
        assert contents.reader().read(1) == b"\0"
        assert stream.tell() <= 2 * io.DEFAULT_BUFFER_SIZE


def test_no_more_than_half_of_the_free_disk_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(set_aside, "MOST_IN_MEMORY", 4)
    usage = shutil.disk_usage("/")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=16))
    SetAside(io.BytesIO(bytes(8)), Path("a.tar/b")).close()
    contents = SetAside(io.BytesIO(bytes(9)), Path("a.tar/b"))
    with pytest.raises(InputError, match="free disk") as caught:
        contents.reader().read()
    contents.close()
    assert_tells(caught.value)
