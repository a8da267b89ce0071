"""Names that no file can have on Windows."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from core.errors import InputError
from core.read.input_files import opened
from core.system.device_names import is_possible_name, require_possible_name, too_long_for_windows
from core.system.files import write_atomic
from tests.records import assert_tells


@pytest.mark.parametrize(
    "name", ["con", "CON.csv", "nul.tar.gz", "com1", "LPT9.txt", "a.", "a ", "a:b", "a?"]
)
def test_a_device_is_no_file(name: str) -> None:
    assert not is_possible_name(name)


@pytest.mark.parametrize("name", ["console.csv", "con-1.0.0", "सूरत.csv", "a b.c", ".a.0123456789ab.partial"])
def test_ordinary_names_are_possible(name: str) -> None:
    assert is_possible_name(name)


def test_on_windows_it_is_refused_before_anything_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    require_possible_name(tmp_path / "con")
    monkeypatch.setattr(sys, "platform", "win32")
    for act in (require_possible_name, lambda path: write_atomic(path, b"x")):
        with pytest.raises(InputError, match="device") as caught:
            act(tmp_path / "con.csv")
        assert_tells(caught.value)
    assert not list(tmp_path.iterdir())


def test_a_long_path_is_told_as_the_likely_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deep = tmp_path / ("a" * 250) / "b.csv"
    monkeypatch.setattr(sys, "platform", "linux")
    assert not too_long_for_windows(deep)
    monkeypatch.setattr(sys, "platform", "win32")
    assert too_long_for_windows(deep)
    assert not too_long_for_windows(tmp_path / "b.csv")
    with pytest.raises(InputError) as caught:
        write_atomic(deep, b"x")
    assert caught.value.mend == "choose a shorter path"
    with pytest.raises(InputError, match="no such file") as unread, opened(deep):
        pass
    assert unread.value.mend == "choose a shorter path"
