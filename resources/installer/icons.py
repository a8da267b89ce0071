"""The program's icon in the sizes and formats that desktops ask for, painted from the one SVG.

python resources/installer/icons.py FOLDER      hicolor PNGs, as below share/icons
python resources/installer/icons.py --ico FILE  the icon for Windows
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QSize
from PySide6.QtGui import QGuiApplication, QIcon, QImage

SOURCE = Path(__file__).resolve().parent.parent / "icons" / "hexveil.svg"
SIZES = (16, 32, 48, 64, 128, 256)


def paint(size: int) -> QImage:
    """The icon as a square picture of `size` pixels."""
    if QGuiApplication.instance() is None:
        # kept alive by Qt itself: `instance()` returns it from now on
        sys.modules[__name__].__dict__["_application"] = QGuiApplication([])
    return QIcon(str(SOURCE)).pixmap(QSize(size, size), 1.0).toImage()


def write_hicolor(folder: Path, name: str) -> list[Path]:
    """`FOLDER/hicolor/<size>/apps/<name>.png` for each size."""
    written = []
    for size in SIZES:
        path = folder / "hicolor" / f"{size}x{size}" / "apps" / f"{name}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        _save(paint(size), path, "PNG")
        written.append(path)
    return written


def write_ico(path: Path) -> Path:
    """The icon for Windows."""
    path.parent.mkdir(parents=True, exist_ok=True)
    _save(paint(256), path, "ICO")
    return path


def _save(image: QImage, path: Path, kind: str) -> None:
    if not image.save(str(path), kind):
        raise OSError(f"{path} cannot be written as {kind}")


if __name__ == "__main__":
    if sys.argv[1] == "--ico":
        write_ico(Path(sys.argv[2]))
    else:
        write_hicolor(Path(sys.argv[1]), "hexveil")
