"""The file calls of a job, one by one: watched, refused, cut short, or the job killed before one.

The job runs in a process of its own. The kernel (Linux, seccomp) holds it at each call that alters files and
asks here what to do, so that what libraries written in C do to files is seen as well: SQLite, Arrow. It needs
no rights of an administrator.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import os
import platform
import select
import signal
import socket
import struct
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

SUPPORTED = sys.platform == "linux" and platform.machine() == "x86_64"
"""Calls are known by their numbers, which are those of this kind of machine."""

# Those of which `_call` makes nothing are held as well: nothing of ours uses them, and who begins to is told.
_NUMBERS = {
    1: "write",
    18: "pwrite",
    20: "writev",
    40: "sendfile",
    74: "fsync",
    75: "fdatasync",
    76: "truncate",
    77: "ftruncate",
    82: "rename",
    83: "mkdir",
    84: "rmdir",
    87: "unlink",
    257: "openat",
    258: "mkdirat",
    263: "unlinkat",
    264: "renameat",
    285: "fallocate",
    296: "pwritev",
    316: "renameat2",
    326: "copy_file_range",
}
_OPENAT, _AT_REMOVEDIR = 257, 0x200
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC

_SET_NO_NEW_PRIVS, _SECCOMP = 38, 317
_SET_MODE_FILTER, _NEW_LISTENER = 1, 8
_RECEIVE, _SEND, _CONTINUE = 0xC0502100, 0xC0182101, 1
_ALLOW, _ASK = 0x7FFF0000, 0x7FC00000
_LOAD, _EQUAL, _ANY_BIT, _RETURN = 0x20, 0x15, 0x45, 0x06
_NUMBER_AT, _FLAGS_AT = 0, 16 + 2 * 8
_HERE = -100
"""In place of a folder's descriptor: where the job works."""
_PAGE = 4096


class Change(Enum):
    """What a call does to files."""

    CREATE = "create"
    WRITE = "write"
    CUT = "truncate"
    SYNC = "sync"
    RENAME = "rename"
    UNLINK = "unlink"
    MKDIR = "mkdir"
    RMDIR = "rmdir"


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One call that alters files, as it was asked for: it may still fail."""

    change: Change
    path: str
    to: str = ""
    """The new name, of a rename."""
    offset: int = 0
    """Where a write begins, or the length that is left, in bytes."""
    data: bytes = field(default=b"", repr=False)
    flags: int = 0
    """Of an open."""


@dataclass(frozen=True, slots=True)
class Refuse:
    """The call fails with this error number."""

    number: int


class Do(Enum):
    """What becomes of a call, and of the job."""

    LET = "let it happen"
    KILL = "kill the job before it"
    KILL_HALFWAY = "let half of a write happen, then kill the job"


Decide = Callable[[int, Call], Do | Refuse]
"""(which call, from 0; the call) -> what becomes of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Watched:
    """What came of a job."""

    code: int | None
    """Its exit code; None where it was killed."""
    calls: tuple[Call, ...]
    said: str
    """All that it printed."""


def watch(job: Callable[[], int], root: Path, decide: Decide = lambda *_: Do.LET) -> Watched:
    """Run a job in a process of its own, held at each call that alters a file below `root`.

    The process is forked: whatever the job needs is best imported before. Raises OSError where the kernel
    does not do this.
    """
    ours, its = socket.socketpair()
    out_read, out_write = os.pipe()
    pid = os.fork()
    if pid == 0:
        _be_the_job(job, its, out_read, out_write)
    its.close()
    os.close(out_write)
    try:
        _, (listener, *_), *_ = socket.recv_fds(ours, 1, 1)
    finally:
        ours.close()
    calls: list[Call] = []
    said = bytearray()
    try:
        for number, asked in _asked(listener, out_read, said):
            call = _understood(asked, str(root))
            if call is None:
                _answer(listener, number)
                continue
            what = decide(len(calls), call)
            calls.append(call)
            if isinstance(what, Refuse):
                _answer(listener, number, refuse=what.number)
            elif what is Do.LET:
                _answer(listener, number)
            else:
                if what is Do.KILL_HALFWAY and call.change is Change.WRITE:
                    with Path(call.path).open("r+b", buffering=0) as file:
                        file.seek(call.offset)
                        file.write(call.data[: len(call.data) // 2])
                os.kill(pid, signal.SIGKILL)
                break
    finally:
        os.close(listener)
        _, status = os.waitpid(pid, 0)
        while more := os.read(out_read, 1 << 16):
            said += more
        os.close(out_read)
    code = os.waitstatus_to_exitcode(status)
    return Watched(code=None if code < 0 else code, calls=tuple(calls), said=said.decode("utf-8", "replace"))


def run_apart(job: Callable[[], int]) -> tuple[int, str]:
    """Run a job in a forked process that nobody watches: its exit code and all that it printed."""
    out_read, out_write = os.pipe()
    pid = os.fork()
    if pid == 0:
        _be_the_job(job, None, out_read, out_write)
    os.close(out_write)
    said = bytearray()
    while more := os.read(out_read, 1 << 16):
        said += more
    os.close(out_read)
    _, status = os.waitpid(pid, 0)
    return os.waitstatus_to_exitcode(status), said.decode("utf-8", "replace")


# In the job's process


def _be_the_job(job: Callable[[], int], tell: socket.socket | None, out_read: int, out_write: int) -> None:
    code = 70
    try:
        os.close(out_read)
        os.dup2(out_write, 1)
        os.dup2(out_write, 2)
        sys.stdout = os.fdopen(1, "w", buffering=1, encoding="utf-8", closefd=False)
        sys.stderr = os.fdopen(2, "w", buffering=1, encoding="utf-8", closefd=False)
        if tell is not None:
            listener = _hold_file_calls()
            socket.send_fds(tell, [b"."], [listener])
            os.close(listener)
            tell.close()
        code = job()
        sys.stdout.flush()
        sys.stderr.flush()
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(code)


def _hold_file_calls() -> int:
    """From now on this process is held at each of the calls; the descriptor that tells of them."""
    program = b"".join(_filter())
    buffer = ctypes.create_string_buffer(program)
    fprog = struct.pack("HxxxxxxQ", len(program) // 8, ctypes.addressof(buffer))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "no_new_privs")
    listener: int = libc.syscall(
        _SECCOMP, _SET_MODE_FILTER, _NEW_LISTENER, ctypes.create_string_buffer(fprog, len(fprog))
    )
    if listener < 0:
        raise OSError(ctypes.get_errno(), "seccomp")
    return listener


def _filter() -> Iterator[bytes]:
    """Ask at each call of the table; at an open only where it may alter something."""

    def step(code: int, yes: int, no: int, value: int) -> bytes:
        return struct.pack("HBBI", code, yes, no, value)

    others = sorted(set(_NUMBERS) - {_OPENAT})
    yield step(_LOAD, 0, 0, _NUMBER_AT)
    yield step(_EQUAL, len(others) + 1, 0, _OPENAT)
    for place, number in enumerate(others):
        yield step(_EQUAL, len(others) - 1 - place + 4, 0, number)
    yield step(_RETURN, 0, 0, _ALLOW)
    yield step(_LOAD, 0, 0, _FLAGS_AT)
    yield step(_ANY_BIT, 1, 0, _WRITING)
    yield step(_RETURN, 0, 0, _ALLOW)
    yield step(_RETURN, 0, 0, _ASK)


# On this side


@dataclass(frozen=True, slots=True)
class _Asked:
    pid: int
    name: str
    args: tuple[int, ...]


def _asked(listener: int, output: int, said: bytearray) -> Iterator[tuple[int, _Asked]]:
    """Each call that the job is held at; meanwhile its output is read, so that it never waits for that."""
    poll = select.poll()
    poll.register(listener, select.POLLIN)
    poll.register(output, select.POLLIN)
    while True:
        ready = dict(poll.poll())
        if ready.get(output, 0) & select.POLLIN:
            said += os.read(output, 1 << 16)
        elif output in ready:
            poll.unregister(output)
        event = ready.get(listener, 0)
        if event & select.POLLIN:
            buffer = bytearray(80)
            try:
                fcntl.ioctl(listener, _RECEIVE, buffer)
            except OSError as error:
                if error.errno in (errno.ENOENT, errno.EINTR):  # the job died meanwhile
                    continue
                raise
            number, pid, _, nr, _, _, *args = struct.unpack("QIIiIQ6Q", buffer)
            yield number, _Asked(pid, _NUMBERS[nr], tuple(args))
        elif event:
            return


def _answer(listener: int, number: int, *, refuse: int = 0) -> None:
    told = struct.pack("QqiI", number, 0, -refuse, 0 if refuse else _CONTINUE)
    with suppress(FileNotFoundError):  # the job died meanwhile
        fcntl.ioctl(listener, _SEND, bytearray(told))


def _understood(asked: _Asked, root: str) -> Call | None:
    """The call, or None where it alters nothing below the root."""
    call = _call(asked)
    inside = call is not None and any(
        path == root or path.startswith(f"{root}/") for path in (call.path, call.to)
    )
    return call if inside else None


def _call(asked: _Asked) -> Call | None:
    name, args = asked.name, asked.args
    if name == "openat":
        return Call(change=Change.CREATE, path=_path(asked, args[0], args[1]), flags=args[2])
    if name in ("mkdir", "rmdir", "unlink"):
        return Call(change=Change[name.upper()], path=_path(asked, None, args[0]))
    if name == "mkdirat":
        return Call(change=Change.MKDIR, path=_path(asked, args[0], args[1]))
    if name == "unlinkat":
        change = Change.RMDIR if args[2] & _AT_REMOVEDIR else Change.UNLINK
        return Call(change=change, path=_path(asked, args[0], args[1]))
    if name == "rename":
        return Call(change=Change.RENAME, path=_path(asked, None, args[0]), to=_path(asked, None, args[1]))
    if name in ("renameat", "renameat2"):
        old, new = _path(asked, args[0], args[1]), _path(asked, args[2], args[3])
        return Call(change=Change.RENAME, path=old, to=new)
    if name == "truncate":
        raise NotImplementedError(name)
    return _call_on_open_file(asked)


def _call_on_open_file(asked: _Asked) -> Call | None:
    name, (handle, *args) = asked.name, asked.args
    path = str(Path(f"/proc/{asked.pid}/fd/{_as_int(handle)}").readlink())
    if not path.startswith("/") or path.endswith(" (deleted)"):  # a pipe, or what has no name any more
        return None
    if name in ("fsync", "fdatasync"):
        return Call(change=Change.SYNC, path=path)
    if name == "ftruncate":
        return Call(change=Change.CUT, path=path, offset=args[0])
    if name == "pwrite":
        return Call(change=Change.WRITE, path=path, offset=args[2], data=_memory(asked, args[0], args[1]))
    if name == "write":
        data = _memory(asked, args[0], args[1])
    elif name == "writev":
        parts = struct.iter_unpack("QQ", _memory(asked, args[0], args[1] * 16))
        data = b"".join(_memory(asked, start, size) for start, size in parts)
    else:
        raise NotImplementedError(f"{name} on {path}")
    return Call(change=Change.WRITE, path=path, offset=_place(asked, handle), data=data)


def _place(asked: _Asked, handle: int) -> int:
    """Where a write begins that names no place."""
    facts = Path(f"/proc/{asked.pid}/fdinfo/{handle}").read_text().split()
    if int(facts[3], 8) & os.O_APPEND:
        return Path(f"/proc/{asked.pid}/fd/{handle}").stat().st_size
    return int(facts[1])


def _path(asked: _Asked, folder: int | None, at: int) -> str:
    """The path at an address, made absolute by the folder's descriptor or where the job works."""
    name = _text(asked, at)
    if name.startswith("/"):
        return os.path.normpath(name)
    handle = _HERE if folder is None else _as_int(folder)
    base = "cwd" if handle == _HERE else f"fd/{handle}"
    return os.path.normpath(Path(f"/proc/{asked.pid}/{base}").readlink() / name)


def _memory(asked: _Asked, start: int, size: int) -> bytes:
    """Bytes of the job's memory."""
    with Path(f"/proc/{asked.pid}/mem").open("rb", buffering=0) as memory:
        memory.seek(start)
        return memory.read(size)


def _text(asked: _Asked, start: int) -> str:
    """The path that begins at an address: page by page, since what follows may not be readable."""
    found = b""
    while b"\0" not in found:
        place = start + len(found)
        found += _memory(asked, place, _PAGE - place % _PAGE)
    return os.fsdecode(found.partition(b"\0")[0])


def _as_int(value: int) -> int:
    """A descriptor as the kernel reads it: 32 bits, with a sign."""
    return ctypes.c_int32(value & 0xFFFFFFFF).value
