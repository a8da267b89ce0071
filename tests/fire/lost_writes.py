"""What a disk may hold after the power failed: of what was not synced, any part in any order.

The strictest disk that POSIX allows. Content is sure once the file was synced, a name once its folder was;
before, each page of each write and each change of a name may be there or not, whatever came before or after.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from tests.fire.file_calls import Call, Change

_PAGE = 4096

Keeps = Callable[[], bool]
"""Whether the next thing that was not synced is on the disk all the same."""


@dataclass(slots=True, eq=False)
class _File:
    content: bytearray
    """What is sure."""
    mode: int
    pending: list[tuple[int, bytes | None]] = field(default_factory=list)
    """(offset, data) of writes, (length, None) of cuts, since the last sync."""

    def sync(self) -> None:
        for offset, data in self.pending:
            _apply(self.content, offset, data)
        self.pending.clear()

    def after_loss(self, keeps: Keeps) -> tuple[bytes, int]:
        content = bytearray(self.content)
        lost = 0
        for offset, data in self.pending:
            for start, piece in _pages(offset, data):
                if keeps():
                    _apply(content, start, piece)
                else:
                    lost += 1
        return bytes(content), lost


@dataclass(slots=True, eq=False)
class _Folder:
    names: dict[str, _File | _Folder]
    """What is sure."""
    seen: dict[str, _File | _Folder]
    """What the job sees."""
    pending: list[dict[str, _File | _Folder | None]] = field(default_factory=list)
    """Changes since the last sync; each is there as a whole or not at all."""

    def alter(self, change: dict[str, _File | _Folder | None]) -> None:
        self.pending.append(change)
        _rename(self.seen, change)

    def sync(self) -> None:
        for change in self.pending:
            _rename(self.names, change)
        self.pending.clear()

    def after_loss(self, keeps: Keeps) -> tuple[dict[str, _File | _Folder], int]:
        names, lost = dict(self.names), 0
        for change in self.pending:
            if keeps():
                _rename(names, change)
            else:
                lost += 1
        return names, lost


class Disk:
    """The files below a folder, followed call by call."""

    def __init__(self, root: Path) -> None:
        """As they are now, all of it sure."""
        self._root = root
        self._top = _sure(root)

    def follow(self, calls: Iterable[Call]) -> None:
        """What the calls did, each of which went well unless what is there forbids it."""
        for call in calls:
            if call.path == str(self._root):  # a folder above is nobody's here but to be synced
                self._top.sync()
                continue
            folder, name = self._place(call.path)
            if folder is not None:
                self._follow(call, folder, name)

    def after_power_loss(self, target: Path, keeps: Keeps) -> int:
        """Write into an empty folder what may be left; how many pages and names were lost."""
        return _written(self._top, target, keeps)

    def _follow(self, call: Call, folder: _Folder, name: str) -> None:
        there = folder.seen.get(name)
        if call.change is Change.CREATE:
            if there is None and call.flags & os.O_CREAT:
                folder.alter({name: _File(bytearray(), 0o600)})
            elif isinstance(there, _File) and call.flags & os.O_TRUNC:
                there.pending.append((0, None))
        elif call.change is Change.MKDIR:
            if there is None:
                folder.alter({name: _Folder({}, {})})
        elif call.change in (Change.UNLINK, Change.RMDIR):
            empty = not (isinstance(there, _Folder) and there.seen)
            if there is not None and empty:
                folder.alter({name: None})
        elif call.change is Change.RENAME:
            other, new = self._place(call.to)
            if there is not None and other is not None:
                if other is not folder:
                    raise NotImplementedError("a rename from one folder to another")
                folder.alter({name: None, new: there})
        elif call.change is Change.SYNC and there is not None:
            there.sync()
        elif isinstance(there, _File):
            there.pending.append((call.offset, call.data if call.change is Change.WRITE else None))

    def _place(self, path: str) -> tuple[_Folder | None, str]:
        *above, name = PurePosixPath(path).relative_to(self._root).parts
        folder: _File | _Folder | None = self._top
        for part in above:
            folder = folder.seen.get(part) if isinstance(folder, _Folder) else None
        return (folder if isinstance(folder, _Folder) else None), name


def _sure(path: Path) -> _Folder:
    names: dict[str, _File | _Folder] = {
        item.name: _sure(item) if item.is_dir() else _File(bytearray(item.read_bytes()), item.stat().st_mode)
        for item in path.iterdir()
    }
    return _Folder(names, dict(names))


def _written(folder: _Folder, target: Path, keeps: Keeps) -> int:
    names, lost = folder.after_loss(keeps)
    for name, node in names.items():
        if isinstance(node, _Folder):
            (target / name).mkdir(mode=0o700)
            lost += _written(node, target / name, keeps)
        else:
            content, pages = node.after_loss(keeps)
            (target / name).write_bytes(content)
            lost += pages
    return lost


def _apply(content: bytearray, offset: int, data: bytes | None) -> None:
    if data is None:  # the file is cut, or grows by zeros
        del content[offset:]
    content.extend(bytes(max(0, offset - len(content))))
    if data is not None:
        content[offset : offset + len(data)] = data


def _rename(names: dict[str, _File | _Folder], change: dict[str, _File | _Folder | None]) -> None:
    for name, node in change.items():
        if node is None:
            names.pop(name, None)
        else:
            names[name] = node


def _pages(offset: int, data: bytes | None) -> Iterable[tuple[int, bytes | None]]:
    """The pieces of a write that a disk may keep one without the other."""
    if data is None:
        return [(offset, None)]
    ends = [*range((offset // _PAGE + 1) * _PAGE, offset + len(data), _PAGE), offset + len(data)]
    starts = [offset, *ends[:-1]]
    return [(start, data[start - offset : end - offset]) for start, end in zip(starts, ends, strict=True)]
