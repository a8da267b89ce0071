"""Regular files are opened to be read, at once; what is none is told apart from what is not there."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from core.system.regular_files import NotRegular, open_regular, read_regular

posix = pytest.mark.skipif(os.name == "nt", reason="pipes and devices among files are of POSIX")


def test_a_file_is_read_whole_or_up_to_a_length(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"a\r\nb\x1ac")  # nothing of it is an end of file or of line
    assert read_regular(path) == b"a\r\nb\x1ac"
    assert read_regular(path, most=3) == b"a\r\n"
    with open_regular(path) as file:
        assert (file.read(1), file.seek(0), file.read(1)) == (b"a", 0, b"a")


def test_what_is_missing_or_a_folder_is_told_as_usual(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        open_regular(tmp_path / "none")
    with pytest.raises(PermissionError if os.name == "nt" else IsADirectoryError):
        open_regular(tmp_path)


@posix
def test_pipes_devices_and_sockets_are_refused_and_their_handles_closed(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "device").symlink_to("/dev/null")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(os.path.relpath(tmp_path / "socket"))  # a long path fits into none
        before = _next_handle()
        for name in ("pipe", "device", "socket"):
            with pytest.raises(NotRegular, match="it is a pipe or a device, not a file"):
                open_regular(tmp_path / name)
        assert _next_handle() == before


def _next_handle() -> int:
    handle = os.open(os.devnull, os.O_RDONLY)
    os.close(handle)
    return handle


@posix
def test_a_pipe_that_is_wanted_is_read_until_its_writer_ends(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert read_regular(tmp_path / "pipe", pipes=True) == b""
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    writer = os.open(tmp_path / "pipe", os.O_WRONLY)
    os.write(writer, b"secret")
    with open_regular(tmp_path / "pipe", pipes=True) as file:
        os.close(writer)
        assert file.read() == b"secret"
    os.close(reader)
    (tmp_path / "device").symlink_to("/dev/zero")
    with pytest.raises(NotRegular):
        read_regular(tmp_path / "device", pipes=True)
