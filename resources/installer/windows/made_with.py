"""What the Windows program holds beside our sources and the packages: Python, and what the tools put in."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from resources.installer.third_party import Package

PYTHON = Package(name="cpython", version="3.11.9", licence="PSF-2.0")
"""The embeddable folder for 64-bit Windows, as its publisher ships it; fetch.py pins what it comes in."""
TOOLS = {
    "nsis-common": "Zlib",
    "mingw-w64-x86-64-dev": "ZPL-2.1 and others, as permissive",
    "gcc-mingw-w64-x86-64-posix": "GPL-3.0-or-later with the GCC runtime library exception",
}
"""Debian package -> licence of its code that ends up in the setup program (nsis-common) and the launchers."""
_HEADING = """
## Windows alone

The installer is a program of NSIS, and the launchers hold the start-up code of mingw-w64 and GCC. Qt lies in
`packages\\PySide6`.

| part | version | licence |
| --- | --- | --- |
"""


def tools() -> list[Package]:
    """The tools as installed on this machine; those that are not are left out."""
    found = []
    for name, licence in TOOLS.items():
        if version := _installed(name):
            found.append(Package(name=name, version=version, licence=licence))
    return found


def _installed(name: str) -> str:
    if shutil.which("dpkg-query") is None:
        return ""
    words = ["dpkg-query", "--show", "--showformat=${Version}", name]
    return subprocess.run(words, capture_output=True, text=True, check=False).stdout.strip()


def table_of_windows() -> str:
    """What follows the packages in the THIRD_PARTY.md of the Windows program."""
    rows = [PYTHON, *tools()]
    return _HEADING + "".join(f"| {row.name} | {row.version} | {row.licence} |\n" for row in rows)


def copy_licences(folder: Path, documents: Path = Path("/usr/share/doc")) -> None:
    """The tools' licence texts into a folder. Raises FileNotFoundError where a tool's text is not there."""
    folder.mkdir(parents=True)
    for tool in tools():
        shutil.copyfile(documents / tool.name / "copyright", folder / f"{tool.name}.txt")
