"""The Windows program as a folder: python/ packages/ app/ and the licences; the launchers come beside them.

PYTHONPATH=. python resources/installer/windows/layout.py     # build/windows/hexveil, of what fetch.py got
"""

from __future__ import annotations

import compileall
import os
import re
import shutil
from pathlib import Path
from py_compile import PycInvalidationMode

from resources.installer.parts import ROOT, is_dropped, is_excluded, own_data
from resources.installer.third_party import (
    WINDOWS,
    WITH_PYINSTALLER,
    copy_texts,
    packages,
    shipped_names,
    table,
)
from resources.installer.windows.fetch import BUILD
from resources.installer.windows.made_with import copy_licences, table_of_windows

PROGRAM = BUILD / "hexveil"
SEARCH_PATH = "python311.zip\r\n.\r\n..\\packages\r\n..\\app\r\nimport site\r\n"
"""python311._pth: where the embedded Python looks for modules, and nowhere else."""
_UNUSED = re.compile(
    "|".join(
        (
            # what pip puts beside the packages
            r"^(?:bin|include|lib|share)/|^[^/]+\.whl$|^wrapt-stubs/",
            r"\.dist-info/(?:RECORD|INSTALLER|REQUESTED|direct_url\.json)$",
            # for those who build on a package
            r"(?:^|/)tests?/|\.(?:pyi|lib|h|hpp|cpp|c|cmake|qmltypes)$",
            r"^PySide6/(?:QtAsyncio|doc|examples|glue|include|lib|metatypes|modules|scripts|typesystems)/",
            r"^PySide6/(?!QtWebEngineProcess\.)[^/]+\.exe$",
            r"^PySide6/Qt(?!(?:Core|Gui|Network|OpenGL|OpenGLWidgets|PrintSupport|Qml|Quick|QuickWidgets|Svg"
            r"|WebChannel|WebEngineCore|WebEngineWidgets|Widgets)\.)\w+\.pyd$",
            r"^PySide6/plugins/(?:canbus|generic|geometryloaders|geoservices|multimedia|qmllint|renderers"
            r"|renderplugins|sceneparsers|scxmldatamodel|sensors|texttospeech|vectorimageformats|webview)/",
            # on Linux a library that is used links it
            r"^pyarrow/arrow_substrait\.dll$|^pyarrow/_pyarrow_cpp_tests\.",
            r"^pyproj\.libs/.*\.pdb$",
        )
    )
)


def ships(place: str) -> bool:
    """Whether a file of the packages, by its path among them, belongs to the program."""
    return not (_UNUSED.search(place) or is_dropped(place) or is_excluded(place))


def lay_out(program: Path) -> None:
    """Make the folder anew. Raises OSError where a part is missing."""
    shutil.rmtree(program, ignore_errors=True)
    shutil.copytree(BUILD / "python", program / "python")
    (program / "python" / "python311._pth").write_bytes(SEARCH_PATH.encode("ascii"))
    _copy_packages(BUILD / "packages", program / "packages")
    _copy_program(program / "app")
    for folder, shown in ((program / "packages", "packages"), (program / "app", "app")):
        # judged by the content of the source: nothing is compiled, or written, where it is installed
        compiled = compileall.compile_dir(
            folder,
            quiet=1,
            stripdir=str(folder),
            prependdir=shown,
            invalidation_mode=PycInvalidationMode.UNCHECKED_HASH,
        )
        if not compiled:
            raise SystemExit(f"a source below {shown} cannot be compiled")
    names = [name for name in shipped_names(WINDOWS) if name not in WITH_PYINSTALLER]
    copy_texts(names, program / "licences")
    shutil.copyfile(program / "python" / "LICENSE.txt", program / "licences" / "cpython.txt")
    copy_licences(program / "licences" / "system")
    listed = table(packages(names)) + table_of_windows()
    (program / "THIRD_PARTY.md").write_text(listed, encoding="utf-8", newline="\r\n")
    shutil.copyfile(ROOT / "LICENSE", program / "LICENSE.txt")


def _copy_packages(source: Path, target: Path) -> None:
    for folder, _, names in os.walk(source):
        for name in names:
            path = Path(folder) / name
            place = path.relative_to(source)
            if ships(place.as_posix()):
                (target / place).parent.mkdir(parents=True, exist_ok=True)
                os.link(path, target / place)


def _copy_program(target: Path) -> None:
    target.mkdir()
    shutil.copyfile(ROOT / "main.py", target / "main.py")
    for room in ("core", "ui"):
        shutil.copytree(ROOT / room, target / room, ignore=shutil.ignore_patterns("__pycache__"))
    for folder, place in own_data():
        shutil.copytree(folder, target / place)


if __name__ == "__main__":
    lay_out(PROGRAM)
