"""The Windows program: what its lock, its folder and its archive are made of. Making it: `make windows`."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from resources.installer.third_party import WINDOWS, Package, shipped_names
from resources.installer.windows import made_with
from resources.installer.windows.fetch import unlike, windows_lock
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
        "PySide6/resources/qtwebengine_resources.debug.pak",
        "PIL/_avif.cp311-win_amd64.pyd",
        "scipy/stats/_stats_py.py",
        "pyarrow/arrow_substrait.dll",
    ],
)
def test_what_it_does_not_stays_out(place: str) -> None:
    assert not ships(place)


NOTHING_ELSE = """
import importlib.machinery, re, sys, sysconfig
from importlib import import_module
from pathlib import Path
from resources.installer.parts import LOADED_LATE, own_modules
from resources.installer.windows.layout import ships

SITE = Path(sysconfig.get_path("purelib"))

class WhatShips:
    missed = set()
    def find_spec(self, name, path=None, target=None):
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        if spec is None or spec.origin is None or not Path(spec.origin).is_relative_to(SITE):
            return spec
        place = Path(spec.origin).relative_to(SITE).as_posix()
        if ships(re.sub(r"[.](?:cpython-311-[^.]+|abi3)[.]so$", ".pyd", place)):
            return spec
        self.missed.add(name)
        raise ModuleNotFoundError(name, name=name)

sys.meta_path.insert(0, WhatShips())
for name in [*own_modules(), *LOADED_LATE, "pyarrow.parquet", "pyarrow.csv", "xlsxwriter", "folium"]:
    import_module(name)
print(*sorted(WhatShips.missed))
"""


def test_every_module_of_ours_works_with_the_packages_as_they_ship() -> None:
    """What is asked for in vain are parts that pyarrow, pyqtgraph and requests try and do without."""
    done = subprocess.run(
        [sys.executable, "-c", NOTHING_ELSE],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    missed = {name.replace("pyarrow._", "") for name in done.stdout.split()}
    assert missed == {"PySide6.QtTest", "azurefs", "chardet", "gcsfs", "hdfs", "s3fs"}


def test_arrow_is_never_asked_for_zones() -> None:
    """It takes them from a library of Windows that older ones lack, even to write the time of a day."""
    asked = re.compile(r"\bpc\.(strftime|assume_timezone|local_timestamp|is_dst)\b")
    found = [
        path.relative_to(ROOT).as_posix()
        for folder in ("core", "ui")
        for path in (ROOT / folder).rglob("*.py")
        if asked.search(path.read_text("utf-8"))
    ]
    assert not found


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


def test_python_is_compared_file_by_file_with_its_publisher_s(tmp_path: Path) -> None:
    ours = tmp_path / "python"
    ours.mkdir()
    for name in ("python.exe", "python311.zip", "more.dll"):
        (ours / name).write_text(name)
    with zipfile.ZipFile(tmp_path / "theirs.zip", "w") as theirs:
        theirs.writestr("python.exe", "python.exe")
        theirs.writestr("python311.zip", "another")
        theirs.writestr("LICENSE.txt", "text")
    assert unlike(ours, tmp_path / "theirs.zip") == ["LICENSE.txt", "more.dll", "python311.zip"]


def test_what_the_tools_put_in_is_listed_with_its_texts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = Package(name="nsis-common", version="3.08-3", licence="Zlib")
    monkeypatch.setattr(made_with, "tools", lambda: [held])
    (tmp_path / "documents" / held.name).mkdir(parents=True)
    (tmp_path / "documents" / held.name / "copyright").write_text("who, and how")
    made_with.copy_licences(tmp_path / "licences", tmp_path / "documents")
    assert (tmp_path / "licences" / "nsis-common.txt").read_text() == "who, and how"
    rows = made_with.table_of_windows().splitlines()[-2:]
    assert rows == ["| cpython | 3.11.9 | PSF-2.0 |", "| nsis-common | 3.08-3 | Zlib |"]


@pytest.mark.skipif(not shutil.which("dpkg-query"), reason="only Debian's relatives build it")
def test_a_tool_is_known_by_its_installed_version(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(made_with, "TOOLS", {"dpkg": "GPL-2.0-or-later", "no-such-tool": "none"})
    (found,) = made_with.tools()
    assert found.name == "dpkg"
    assert found.version[:1].isdigit()


def test_the_windows_setup_removes_parts_of_the_program_by_their_names_alone() -> None:
    """Whatever else lies in the folder, or in those of a version that comes or goes, stays."""
    text = (ROOT / "resources" / "installer" / "windows" / "hexveil.nsi").read_text("utf-8")
    moved = re.findall(r'!insertmacro Move ".+?" ".+?" "(.+)"', text)
    removed = re.findall(r'(Delete|RMDir /r) "\$\{FOLDER\}\\(.+)"', text)
    assert [name for _, name in removed] == moved
    assert len(re.findall("RMDir /r", text)) == sum(how != "Delete" for how, _ in removed)
    others = set(re.findall(r'Delete "(\$[^{].+)"', text))
    assert others == {"$INSTDIR\\uninstall.exe", "$SMPROGRAMS\\Hexveil.lnk"}


def test_an_altered_import_keeps_its_place() -> None:
    assert len(OWN_MATH) <= len(MATH)
