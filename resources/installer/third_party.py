"""Whose work ships with Hexveil, and under which licences.

python resources/installer/third_party.py                  prints THIRD_PARTY.md
python resources/installer/third_party.py --built FOLDER   completes a built program: checks that all
    its modules are listed, and writes THIRD_PARTY.md and licences/ with the texts into FOLDER
"""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent.parent
LINUX = {"sys_platform": "linux", "platform_system": "Linux", "os_name": "posix", "extra": ""}
"""The list is that of the Linux build, wherever it is made."""
WINDOWS = {"sys_platform": "win32", "platform_system": "Windows", "os_name": "nt", "extra": ""}
WITH_PYINSTALLER = {"pyinstaller", "pyinstaller-hooks-contrib"}
"""Building tools of which a starter and run-time hooks are part of the program."""
LICENCES = {
    "cryptography": "Apache-2.0 OR BSD-3-Clause",
    "django-js-lib-leaflet": "BSD-2-Clause (Leaflet); MIT",
    "pyinstaller": "GPL-2.0-or-later with an exception for the programs it builds",
    "pyinstaller-hooks-contrib": "Apache-2.0 (run-time hooks)",
    "pyside6-addons": "LGPL-3.0-only; Qt WebEngine contains Chromium (BSD-3-Clause and others)",
}
"""Where the package's own metadata say less than a reader needs."""
_TEXT = re.compile(r"(?:^|/)(?:licen[cs]e|copying|notice|authors)[^/]*$", re.IGNORECASE)
_FOREWORD = """\
# Third-party software

Hexveil itself is under the MIT licence (`LICENSE`). The built program contains the following packages,
and CPython {python} (PSF-2.0). Their licence texts are in the folder `licences/` of the built program.
Qt and Qt for Python are used under the LGPL 3: they are separate shared libraries in `_internal/PySide6`
(Windows: `packages\\PySide6`) and may be replaced there. The program for Windows holds no PyInstaller, but
CPython's own embeddable folder and what NSIS, mingw-w64 and GCC put in: its copy of this file names them.

Made by `make notices` from the packages that ship; do not edit.

| package | version | licence |
| --- | --- | --- |
"""
_SYSTEM = """
## System libraries

Taken from the machine that built this program:

| file | package |
| --- | --- |
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Package:
    """One distribution that ships."""

    name: str
    version: str
    licence: str


def shipped_names(system: Mapping[str, str] = LINUX) -> list[str]:
    """Canonical names of a system's run-time packages: what pyproject.toml declares, and what that needs.

    Raises PackageNotFoundError for a package that is wanted there and not installed here.
    """
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    found: set[str] = set()
    waiting = [Requirement(text) for text in project["dependencies"]]
    while waiting:
        wanted = waiting.pop()
        name = canonicalize_name(wanted.name)
        if name in found or (wanted.marker and not wanted.marker.evaluate(dict(system))):
            continue
        found.add(name)
        waiting += [Requirement(text) for text in metadata.requires(name) or ()]
    return sorted(found | WITH_PYINSTALLER)


def packages(names: Iterable[str]) -> list[Package]:
    """Version and licence of each, as installed."""
    return [
        Package(name=name, version=metadata.version(name), licence=licence_of(metadata.metadata(name), name))
        for name in names
    ]


def licence_of(facts: metadata.PackageMetadata, name: str) -> str:
    """The licence in one line: ours to say, else as SPDX, else by classifiers, else its first words."""
    expression = facts.get("License-Expression")
    classifiers = [
        text.rpartition(" :: ")[2]
        for text in facts.get_all("Classifier") or ()
        if text.startswith("License :: ") and not text.endswith("OSI Approved")
    ]
    named = (facts.get("License") or "").strip().partition("\n")[0]
    licence = LICENCES.get(name) or expression or "; ".join(classifiers) or named
    if not licence:
        raise SystemExit(f"the licence of {name} is unknown: add it to LICENCES")
    return str(licence).replace("|", "/")


def table(rows: Iterable[Package]) -> str:
    """THIRD_PARTY.md."""
    python = ".".join(map(str, sys.version_info[:2]))
    return _FOREWORD.format(python=python) + "".join(
        f"| {row.name} | {row.version} | {row.licence} |\n" for row in rows
    )


def built_modules(toc: Path) -> set[str]:
    """Top-level names of the Python modules in a build, from PyInstaller's own record."""
    _, entries = ast.literal_eval(toc.read_text("utf-8"))
    return {name.partition(".")[0] for name, *_ in entries}


def unlisted(modules: Iterable[str], names: Iterable[str]) -> dict[str, str]:
    """Modules of a build that come from a package outside the list: module -> package."""
    listed, providers = set(names), metadata.packages_distributions()
    found = {}
    for module in modules:
        owners = {canonicalize_name(owner) for owner in providers.get(module, ())}
        if owners and not owners & listed:
            found[module] = ", ".join(sorted(owners))
    return found


def copy_texts(names: Iterable[str], folder: Path) -> None:
    """Every licence text that the packages bring, in a folder each."""
    for name in names:
        for file in metadata.files(name) or ():
            if _TEXT.search(file.as_posix()) and "dist-info" in file.as_posix():
                target = folder / name / Path(*file.parts[1:])
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(str(file.locate()), target)


def system_libraries(internal: Path) -> Iterator[tuple[str, str]]:
    """(library, Debian package) of the libraries that were copied from the building system."""
    for library in sorted(internal.glob("*.so*")):
        done = subprocess.run(
            ["dpkg-query", "-S", f"*/{library.name}"], capture_output=True, text=True, check=False
        )
        owner = done.stdout.partition(":")[0].partition(",")[0].strip()
        if owner:
            yield library.name, owner


def complete(built: Path, toc: Path) -> None:
    """Add notices and licence texts to a built program; SystemExit for a module of no listed package."""
    names = shipped_names()
    if strangers := unlisted(built_modules(toc), names):
        raise SystemExit(f"modules of unlisted packages are in the build: {strangers}")
    text = table(packages(names))
    licences = built / "licences"
    shutil.rmtree(licences, ignore_errors=True)
    copy_texts(names, licences)
    if shutil.which("dpkg-query"):
        owned = dict(system_libraries(built / "_internal"))
        text += _SYSTEM + "".join(f"| {library} | {owner} |\n" for library, owner in owned.items())
        for owner in set(owned.values()):
            source = Path("/usr/share/doc") / owner / "copyright"
            if source.is_file():
                (licences / "system").mkdir(parents=True, exist_ok=True)
                shutil.copyfile(source, licences / "system" / f"{owner}.txt")
    (built / "THIRD_PARTY.md").write_text(text, encoding="utf-8")
    shutil.copyfile(ROOT / "LICENSE", built / "LICENSE")


def main(arguments: list[str]) -> None:
    """As the first lines of this file say."""
    if not arguments:
        print(table(packages(shipped_names())), end="")
    elif arguments[0] == "--built" and len(arguments) == 2:
        complete(Path(arguments[1]), ROOT / "build" / "pyinstaller" / "pyinstaller" / "PYZ-00.toc")
    else:
        raise SystemExit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
