"""Members of archives that are opened several times."""

from __future__ import annotations

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
        assert (one.read(), other.read(), contents.size) == (b"89", b"123456789", 10)
    contents.close()


def test_no_more_than_half_of_the_free_disk_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(set_aside, "MOST_IN_MEMORY", 4)
    usage = shutil.disk_usage("/")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=16))
    SetAside(io.BytesIO(bytes(8)), Path("a.tar/b")).close()
    with pytest.raises(InputError, match="free disk") as caught:
        SetAside(io.BytesIO(bytes(9)), Path("a.tar/b"))
    assert_tells(caught.value)
