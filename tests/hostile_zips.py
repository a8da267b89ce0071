"""Zips such as only somebody hostile makes of a bundle's folder; both verifiers are to refuse each."""

from __future__ import annotations

import io
import stat
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path

TOP = "austin-bus-speed-1.0.0"
"""The folder in the zip, as the builders call it."""
_CENTRAL = b"PK\x01\x02"

Attack = Callable[[bytes], bytes]


def _added(*names: str, content: bytes = b"x", mode: int = 0, method: int = zipfile.ZIP_STORED) -> Attack:
    """More members, written as asked."""

    def attack(packed: bytes) -> bytes:
        file = io.BytesIO(packed)
        with zipfile.ZipFile(file, "a") as archive:
            for name in names:
                info = zipfile.ZipInfo(name)
                info.filename = info.orig_filename = name
                info.external_attr = mode << 16
                info.compress_type = method
                archive.writestr(info, content)
        return file.getvalue()

    return attack


def _anew(renamed: Callable[[str], str]) -> Attack:
    """Every member under another name."""

    def attack(packed: bytes) -> bytes:
        file = io.BytesIO()
        with zipfile.ZipFile(io.BytesIO(packed)) as old, zipfile.ZipFile(file, "w") as new:
            for info in old.infolist():
                new.writestr(renamed(info.filename), old.read(info))
        return file.getvalue()

    return attack


def _patched(place: int, value: bytes) -> Attack:
    """Bytes of the first record of the list of members."""

    def attack(packed: bytes) -> bytes:
        start = packed.index(_CENTRAL) + place
        return packed[:start] + value + packed[start + len(value) :]

    return attack


def _with_gap(packed: bytes) -> bytes:
    """Bytes between the members and their list, which is told to begin behind them."""
    start, place, hidden = packed.index(_CENTRAL), len(packed) - 6, b"hidden"
    told = struct.pack("<L", start + len(hidden))
    return packed[:start] + hidden + packed[start:place] + told + packed[-2:]


def _with_longer_list(packed: bytes) -> bytes:
    """A second list's mark, as the comment of the last member of the first."""
    locator = b"PK\x06\x07" + bytes(16)
    file = io.BytesIO(packed)
    with zipfile.ZipFile(file, "a") as archive:
        info = zipfile.ZipInfo(f"{TOP}/zzz")
        info.comment = locator
        archive.writestr(info, b"")
    return file.getvalue()


HOSTILE: dict[str, tuple[Attack, str]] = {
    "leads out": (_added(f"{TOP}/../../evil"), "not the name"),
    "leads out at once": (_added("../evil"), "not the name"),
    "absolute": (_added("/tmp/evil"), "not the name"),
    "backslash": (_added(f"{TOP}\\evil"), "not the name"),
    "drive": (_added("C:evil"), "not the name"),
    "zero byte": (_added(f"{TOP}/a\0b"), "not the name"),
    "line break": (_added(f"{TOP}/a\nb"), "not the name"),
    "not ASCII": (_added(f"{TOP}/ä"), "not the name"),
    "a dot at the end": (_added(f"{TOP}/README.md."), "not the name"),
    "device": (_added(f"{TOP}/data/Nul.txt"), "not the name"),
    "long": (_added(f"{TOP}/{'a' * 300}"), "not the name"),
    "link": (_added(f"{TOP}/link", content=b"/etc/passwd", mode=stat.S_IFLNK | 0o777), "neither file nor"),
    "pipe": (_added(f"{TOP}/pipe", content=b"", mode=stat.S_IFIFO | 0o644), "neither file nor"),
    "folder with content": (_added(f"{TOP}/data/more/"), "neither file nor"),
    "name in other letters": (_added(f"{TOP}/readme.MD"), "one name"),
    "file and folder": (_added(f"{TOP}/data"), "one name"),
    "file below a file": (_added(f"{TOP}/README.md/x"), "one name"),
    "two folders": (_added("other/README.md"), "one folder"),
    "no folder": (_anew(lambda name: name.partition("/")[2]), "one folder"),
    "another packing": (_added(f"{TOP}/more", method=zipfile.ZIP_BZIP2), "unusual way"),
    "encrypted": (_patched(8, b"\x01"), "encrypted"),
    "another name in place": (_patched(46 + len(TOP) + 1, b"X"), "none of its files"),
    "another size in place": (_patched(24, b"\x01\0\0\0"), "none of its files"),
    "begins elsewhere": (_patched(42, b"\x09"), ""),
    "too many": (_added(*(f"{TOP}/{number}" for number in range(10_001)), content=b""), "or "),
    "cut off": (lambda packed: packed[:-1], "cut off"),
    "cut to nothing": (lambda _: b"", "not a zip"),
    "no zip": (lambda packed: b"x" * len(packed), "cut off"),
    "nothing in it": (lambda _: b"PK\x05\x06" + bytes(18), "nothing"),
    "something before": (lambda packed: b"#!/bin/sh\n" + packed, "precedes or follows"),
    "something behind": (lambda packed: packed + b"x", "precedes or follows"),
    "a comment": (lambda packed: packed[:-2] + b"\x05\0hello", "precedes or follows"),
    "something between": (_with_gap, "none of its files"),
    "a longer list": (_with_longer_list, "precedes or follows"),
}
"""What is done to an honest zip, and a part of what is to be said of it."""


def attacked(packed: Path, name: str) -> Path:
    """The zip beside it to which this was done."""
    hostile = packed.with_name("hostile.zip")
    hostile.write_bytes(HOSTILE[name][0](packed.read_bytes()))
    return hostile
