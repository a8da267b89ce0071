"""What goes into the built program, and what stays out. Read by pyinstaller.spec; knows no PyInstaller."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
NAME = "hexveil"
"""Command line with a console; without a command it opens the window."""
WINDOW_NAME = "hexveil-window"
"""The same code without a console: what menus and double clicks start."""

Entry = tuple[str, str, str]
"""PyInstaller's (place in the program, source file, kind)."""

EXCLUDED = (
    "IPython",
    # pictures are written as PNG alone: the libraries of other formats would double Pillow's size
    "PIL._avif",
    "PIL._imagingcms",
    "PIL._imagingtk",
    "PIL._webp",
    "PyInstaller",
    "attr",
    "attrs",
    "chardet",
    "duckdb",
    "frictionless",
    "geopandas",
    "hypothesis",
    "importlib_metadata",
    "lazy_importer",
    "matplotlib",
    "mypy",
    "numpy.distutils",
    "pip",
    "py4j",
    "pyogrio",
    "pyshacl",
    "pyspark",
    "pytest",
    "rdflib",
    # pyqtgraph and pandas would take them for work that nobody asks of them here
    "scipy.cluster",
    "scipy.datasets",
    "scipy.differentiate",
    "scipy.fftpack",
    "scipy.integrate",
    "scipy.interpolate",
    "scipy.io",
    "scipy.ndimage",
    "scipy.odr",
    "scipy.signal",
    "scipy.stats",
    "setuptools",
    "tests",
    "tkinter",
    "typing_extensions",
    "yaml",
    "zipp",
)
"""Modules that some library would import if they were there; no system's program needs them."""

LOADED_LATE = ("scipy.linalg", "scipy.optimize", "scipy.sparse", "scipy.spatial", "scipy.special")
"""What scipy imports itself when core first asks for it: no import statement of ours names them."""

_QT_LIBRARIES = (
    "Concurrent|Core|DBus|EglFS\\w*|Gui|Network|OpenGL|OpenGLWidgets|Positioning|PrintSupport|Qml|QmlMeta"
    "|QmlModels|QmlWorkerScript|Quick|QuickWidgets|Svg|Test|WaylandClient|WebChannel|WebEngineCore"
    "|WebEngineWidgets|Widgets|WlShellIntegration|XcbQpa"
)
"""What the window, the web engine and the plug-ins link; the other Qt libraries stay out."""
_LANGUAGES = "|".join(("en", *sorted(path.stem for path in (ROOT / "resources/languages").glob("*.po"))))
_DROPPED = re.compile(
    "|".join(
        (
            r"PySide6/Qt/qml/",
            r"PySide6/qml/",
            r"qtwebengine_devtools_resources",
            r"\.debug\.(?:bin|pak)$",
            r"^js_lib_leaflet/.*\.map$",
            rf"(?:^|/)(?:lib)?Qt6(?!(?:{_QT_LIBRARIES})\.)\w+\.(?:so|dll)",
            r"(?:lib)?(?:avcodec|avformat|avutil|swresample|swscale)[-.\d]*\.",
            # of Qt's own texts the languages of the window; Chromium needs one locale
            rf"translations/(?!qtbase_(?:{_LANGUAGES})\.qm|qtwebengine_locales/en-US)",
            r"plugins/(?:designer|egldeviceintegrations|multimedia|qmltooling|virtualkeyboard|sqldrivers|assetimporters|position)/",
            r"plugins/(?:imageformats/(?:lib)?qpdf|platforminputcontexts/(?:lib)?qtvirtualkeyboard)",
            # Arrow's network and sources
            r"(?:lib)?arrow_(?:flight|python_flight|s3)\b",
            r"pyarrow/_(?:flight|substrait|s3fs|gcsfs|azurefs|hdfs)\b",
            # each of them exists under three names, of which the middle one is linked
            r"libarrow_python\w*\.so(?:\.\d+\.\d+\.\d+)?$",
            r"pyarrow/(?:include|includes|src|tests)/",
            r"\.(?:pxd|pxi|pyx)$",
            r"(?:pandas|numpy|shapely|pyqtgraph)/(?:tests|examples)/",
            # the GTK look and the printers, each with the libraries that only they need
            r"plugins/(?:platformthemes/libqgtk3|printsupport/)",
            r"^lib(?:atk|avahi|cairo|cups|datrie|fribidi|gdk|graphite2|gtk|harfbuzz|pango|pixman|thai)",
            r"^lib(?:gnutls|hogweed|idn2|nettle|p11-kit|tasn1|unistring)\b",
        )
    )
)
_OF_EXCLUDED = re.compile(
    "(?:" + "|".join(re.escape(name.replace(".", "/")) for name in EXCLUDED) + r")(?:/|\.)"
)
_STRIPPED = re.compile(
    r"opendp/lib/|^libpython3|lib-dynload/|pyarrow/(?:lib(?:arrow|parquet)\w*|lib)\.|cryptography/.*_rust\."
)


def own_modules(root: Path = ROOT) -> list[str]:
    """Dotted names of every module below core/ and ui/.

    All of them, since registries (core.discovery), the commands (core.cli.commands) and late imports
    name modules as text, which no reading of import statements finds.
    """
    found = []
    for package in ("core", "ui"):
        for path in (root / package).rglob("*.py"):
            parts = path.relative_to(root).with_suffix("").parts
            found.append(".".join(parts[:-1] if parts[-1] == "__init__" else parts))
    return sorted(found)


def own_data(root: Path = ROOT) -> list[tuple[str, str]]:
    """(source folder, place) of the bundled resources, those that pyproject.toml names for the wheel."""
    used = ("bundle_map", "icons", "languages", "map", "replica", "sample", "templates", "tour", "zones")
    return [
        (str(root / "resources" / name), f"resources/{name}")
        for name in used
        if (root / "resources" / name).is_dir()
    ]


def is_dropped(place: str) -> bool:
    """Whether a file is left out of the program."""
    return _DROPPED.search(place.replace("\\", "/")) is not None


def is_excluded(place: str) -> bool:
    """Whether a file, by its path among the packages, is of a module that stays out."""
    return _OF_EXCLUDED.match(place.replace("\\", "/")) is not None


def pruned(entries: Iterable[Entry]) -> list[Entry]:
    """The entries that ship."""
    return [entry for entry in entries if not is_dropped(entry[0])]


def is_stripped(place: str) -> bool:
    """Whether a library comes with symbols that nobody needs, and stays sound without them.

    Libraries whose wheels were patched (`numpy.libs` and the like) may break: they stay as they are.
    """
    return _STRIPPED.search(place.replace("\\", "/")) is not None


def is_opendp_library(place: str) -> bool:
    """The library that OpenDP loads by its path."""
    return (
        re.search(r"opendp/lib/[^/]*opendp[^/]*\.(?:so|pyd|dll|dylib)$", place.replace("\\", "/")) is not None
    )


def program_version(root: Path = ROOT) -> str:
    """`__version__` of core, read without importing it."""
    text = (root / "core" / "__init__.py").read_text("utf-8")
    found = re.search(r'^__version__ = "([^"]+)"$', text, re.MULTILINE)
    if found is None:
        raise ValueError("core/__init__.py states no version")
    return found[1]


if __name__ == "__main__":
    if sys.argv[1:] != ["version"]:
        raise SystemExit("usage: parts.py version")
    print(program_version())
