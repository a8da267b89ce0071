"""Where a passphrase comes from, and what is refused."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from core.cli import main
from core.console.passphrase import read_passphrase
from core.errors import InputError
from tests.city import PASSPHRASE, write_city
from tests.commands import limit


def test_passphrase_from_a_file(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    limit()
    assert home.is_dir()
    monkeypatch.delenv("HEXVEIL_PASSPHRASE")
    secret = tmp_path / "secret.txt"
    secret.write_text(PASSPHRASE + "\n", encoding="utf-8")
    spec = write_city(tmp_path / "city")
    command = ["release", str(spec), "--out", str(tmp_path / "out"), "--yes"]
    assert main([*command, "--passphrase-file", str(secret)]) == 0


@pytest.mark.parametrize("end", ["", "\n", "\r\n"])
def test_a_line_of_standard_input(monkeypatch: pytest.MonkeyPatch, end: str) -> None:
    monkeypatch.setenv("HEXVEIL_PASSPHRASE", "of the environment")
    monkeypatch.setattr("sys.stdin", io.StringIO(f" two words {end}"))
    assert read_passphrase("-") == " two words "


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="There is no such file"):
        read_passphrase(str(tmp_path / "secret.txt"))


def test_without_a_person_there_is_no_question(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("typed\n"))
    with pytest.raises(InputError, match="missing"):
        read_passphrase(None)


class Keyboard(io.StringIO):
    """Standard input with a person before it."""

    def isatty(self) -> bool:
        return True


def test_a_new_passphrase_is_typed_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", Keyboard())
    typed = iter(["first", "first", "first", "second", "once"])
    monkeypatch.setattr("getpass.getpass", lambda _prompt: next(typed))
    assert read_passphrase(None, new=True) == "first"
    with pytest.raises(InputError, match="differ"):
        read_passphrase(None, new=True)
    assert read_passphrase(None) == "once"
