"""The Windows program: what its lock, its folder and its archive are made of. Making it: `make windows`."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from resources.installer.third_party import WINDOWS, shipped_names
from resources.installer.windows.fetch import windows_lock
from resources.installer.windows.layout import SEARCH_PATH, ships
from resources.installer.windows.pack import pack
from resources.installer.windows.wine.shims import MATH, OWN_MATH

ROOT = Path(__file__).resolve().parents[2]
SUM = "    --hash=sha256:" + 64 * "0"
LOCK = f"""\
# made by a tool
old==1.0 ; python_full_version < '3.12' \\
{SUM}
    # via something
old==2.0 ; python_full_version >= '3.12' \\
{SUM}
only-there==3 ; sys_platform == 'win32' \\
{SUM}
never==4 ; sys_platform != 'win32' \\
{SUM}
test-tool==5 \\
{SUM}
"""


def test_the_lock_is_judged_as_windows_would() -> None:
    assert windows_lock(LOCK, ["old", "only-there", "never"]) == (
        f"old==1.0 \\\n{SUM}\nonly-there==3 \\\n{SUM}\n"
    )


def test_every_package_that_ships_there_is_pinned_once() -> None:
    names = [name for name in shipped_names(WINDOWS) if not name.startswith("pyinstaller")]
    lines = windows_lock((ROOT / "requirements.lock").read_text("utf-8"), names).splitlines()
    pinned = [line.partition("==")[0] for line in lines if "==" in line]
    assert pinned == sorted(names)
    assert sum("--hash=sha256:" in line for line in lines) >= len(pinned)


@pytest.mark.parametrize(
    "place",
    [
        "PySide6/QtWebEngineProcess.exe",
        "PySide6/QtWidgets.pyd",
        "PySide6/Qt6WebEngineCore.dll",
        "PySide6/plugins/platforms/qwindows.dll",
        "opendp/lib/opendp.pyd",
        "pandas/core/frame.py",
        "pandas-3.1.1.dist-info/METADATA",
        "scipy/optimize/_lib.py",
    ],
)
def test_what_the_program_needs_ships(place: str) -> None:
    assert ships(place)


@pytest.mark.parametrize(
    "place",
    [
        "bin/f2py",
        "PySide6/designer.exe",
        "PySide6/QtMultimedia.pyd",
        "PySide6/Qt6Quick3D.dll",
        "PySide6/qml/QtQuick/plugin.dll",
        "numpy/_core/tests/test_umath.py",
        "pandas-3.1.1.dist-info/RECORD",
        "PySide6/include/qtcore.h",
    ],
)
def test_what_it_does_not_stays_out(place: str) -> None:
    assert not ships(place)


def test_python_looks_nowhere_but_in_its_folder() -> None:
    assert SEARCH_PATH.split("\r\n")[:4] == ["python311.zip", ".", "..\\packages", "..\\app"]


def test_an_archive_depends_on_files_and_time_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1760000000")
    made = []
    for order in (("b", "a/c"), ("a/c", "b")):
        folder = tmp_path / f"of-{order[0][0]}"
        for name in order:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(name)
            os.utime(folder / name, (1, len(made) * 1000))
        pack(folder, tmp_path / "a.zip")
        made.append((tmp_path / "a.zip").read_bytes())
    assert made[0] == made[1]


def test_an_altered_import_keeps_its_place() -> None:
    assert len(OWN_MATH) <= len(MATH)
