"""What a terminal would obey never reaches it."""

from __future__ import annotations

import errno
import io
import os
import sys
from pathlib import Path

import pytest

from core.cli import main
from core.console.plain_output import PlainOutput, plain_output, shown_plain
from core.console.progress_line import progress_line

RED, BELL, TITLE = "\x1b[31m", "\a", "\x1b]0;title\x07"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain\ttext\n", "plain\ttext\n"),
        ("São Paulo 北京 €", "São Paulo 北京 €"),
        (f"{RED}red", r"\x1b[31mred"),
        (TITLE, r"\x1b]0;title\x07"),
        ("over\rwritten", r"over\rwritten"),
        ("\x9b31m", r"\x9b31m"),
        ("abc\u202efdp.exe", r"abc\u202efdp.exe"),
        ("half \udcff", r"half \udcff"),
    ],
)
def test_what_a_terminal_obeys_is_shown_as_an_escape(text: str, shown: str) -> None:
    assert shown_plain(text) == shown
    stream = io.TextIOWrapper(io.BytesIO(), "utf-8", newline="")
    print(text, end="", file=PlainOutput(stream))
    stream.flush()
    assert stream.buffer.getvalue().decode() == shown  # type: ignore[attr-defined]


def test_a_character_that_the_terminal_lacks_is_no_error() -> None:
    stream = io.TextIOWrapper(io.BytesIO(), "ascii", newline="")
    print("São", end="", file=PlainOutput(stream))
    stream.flush()
    assert stream.buffer.getvalue() == rb"S\xe3o"  # type: ignore[attr-defined]


@pytest.mark.parametrize("page", ["cp437", "cp850", "cp1252", "cp932"])
def test_no_code_page_of_a_console_is_an_error(page: str) -> None:
    stream = io.TextIOWrapper(io.BytesIO(), page, newline="")
    print("Straße ä ≥ सूरत", end="", file=PlainOutput(stream))
    stream.flush()
    assert r"\u0938\u0942\u0930\u0924" in stream.buffer.getvalue().decode(page)  # type: ignore[attr-defined]


class Gone(io.StringIO):
    """A pipe of Windows whose reader has gone."""

    def write(self, _: str) -> int:
        raise OSError(errno.EINVAL, "Invalid argument")

    def flush(self) -> None:
        raise OSError(errno.EINVAL, "Invalid argument")


def test_a_reader_that_has_gone_is_told_alike_on_every_system() -> None:
    stream = PlainOutput(Gone())
    with pytest.raises(BrokenPipeError):
        stream.write("text")
    with pytest.raises(BrokenPipeError):
        print(end="", file=stream, flush=True)  # type: ignore[call-overload]


def test_the_streams_are_given_back() -> None:
    before = sys.stdout, sys.stderr
    with plain_output():
        assert isinstance(sys.stdout, PlainOutput)
        assert isinstance(sys.stderr, PlainOutput)
    assert (sys.stdout, sys.stderr) == before


@pytest.mark.skipif(os.name == "nt", reason="names of POSIX are bytes")
@pytest.mark.parametrize("name", [b"\x1b[31m.csv", b"\xff\x1b]0;x\x07.csv", b"a\rb.csv"])
def test_the_name_of_a_file_is_not_obeyed(
    name: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = os.fsdecode(os.fsencode(tmp_path) + b"/" + name)
    Path(path).write_text("a,b\n1,2\n")
    for asked in (path, path + ".none"):
        assert main(["inspect", asked, "--home", str(tmp_path / "home")]) == 2
    told = capsys.readouterr()
    assert shown_plain(told.out + told.err) == told.out + told.err


def test_progress_names_a_file_plainly(monkeypatch: pytest.MonkeyPatch) -> None:
    written = io.StringIO()
    monkeypatch.setattr(written, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stderr", written)
    with plain_output():
        progress_line(0.5, f"Reading {RED}\r.csv")
    assert written.getvalue().startswith("\rReading \\x1b[31m\\r.csv ")
