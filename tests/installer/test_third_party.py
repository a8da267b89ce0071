"""The list of what ships by others."""

from __future__ import annotations

from email.message import Message
from importlib.metadata import PackageMetadata
from pathlib import Path
from typing import cast

import pytest

from resources.installer import third_party
from resources.installer.third_party import (
    built_modules,
    copy_texts,
    licence_of,
    packages,
    shipped_names,
    table,
    unlisted,
)

ROOT = Path(__file__).resolve().parent.parent.parent


def facts(**fields: str) -> PackageMetadata:
    message = Message()
    for name, value in fields.items():
        message[name.replace("_", "-")] = value
    return cast(PackageMetadata, message)


def test_the_committed_list_is_what_the_packages_say() -> None:
    assert (ROOT / "THIRD_PARTY.md").read_text("utf-8") == table(packages(shipped_names()))


def test_needed_packages_ship_and_tools_do_not() -> None:
    names = shipped_names()
    assert {"opendp", "pyside6-addons", "branca", "markupsafe", "pyinstaller", "scipy"} <= set(names)
    assert not {"pytest", "mypy", "frictionless"} & set(names)
    assert names == sorted(names)


@pytest.mark.parametrize(
    ("fields", "licence"),
    [
        ({"License_Expression": "MIT", "License": "other"}, "MIT"),
        ({"Classifier": "License :: OSI Approved :: BSD License", "License": "other"}, "BSD License"),
        ({"License": "Apache 2.0\nlong text"}, "Apache 2.0"),
        ({"License": "A | B"}, "A / B"),
    ],
)
def test_a_licence_is_found_wherever_it_stands(fields: dict[str, str], licence: str) -> None:
    assert licence_of(facts(**fields), "x") == licence


def test_a_package_without_a_licence_stops_the_build() -> None:
    with pytest.raises(SystemExit, match="licence of x"):
        licence_of(facts(Name="x"), "x")


def test_modules_are_read_from_the_record_of_the_build(tmp_path: Path) -> None:
    toc = tmp_path / "PYZ.toc"
    toc.write_text("('out', [('numpy.linalg', 'a.py', 'PYMODULE'), ('core', 'b.py', 'PYMODULE')])")
    assert built_modules(toc) == {"numpy", "core"}


def test_a_stranger_in_the_build_is_named() -> None:
    assert unlisted({"numpy", "core", "json"}, ["numpy"]) == {}
    assert unlisted({"pytest", "numpy"}, ["numpy"]) == {"pytest": "pytest"}


def test_licence_texts_are_copied(tmp_path: Path) -> None:
    copy_texts(["numpy", "h3"], tmp_path)
    assert [path for path in (tmp_path / "numpy").rglob("*") if path.is_file() and path.stat().st_size > 500]
    assert (tmp_path / "h3").is_dir()


def test_a_build_is_completed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(third_party, "shipped_names", lambda: ["numpy"])
    built = tmp_path / "built"
    (built / "_internal").mkdir(parents=True)
    toc = tmp_path / "PYZ.toc"
    toc.write_text("('out', [('numpy', 'a.py', 'PYMODULE')])")
    third_party.complete(built, toc)
    assert "| numpy |" in (built / "THIRD_PARTY.md").read_text("utf-8")
    assert (built / "LICENSE").is_file()
    toc.write_text("('out', [('pytest', 'a.py', 'PYMODULE')])")
    with pytest.raises(SystemExit, match="unlisted"):
        third_party.complete(built, toc)
