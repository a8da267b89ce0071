"""Where a bundle lies that the ledger knows by name: it keeps no paths."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from core.signed.bundle_names import MANIFEST
from core.signed.findings import Finding
from core.verify.packed_source import PackedSource, is_packed
from ui.session.settings import Settings


def known_folder(settings: Settings, name: str) -> Path | None:
    """The bundle `<name>-<version>` among recent ones, beside them, or in the folder of releases."""
    recent = settings.recent("bundle")
    places = (*recent, *(path.parent / name for path in recent), settings.release_folder / name)
    return next((path for path in places if path.name == name and is_bundle(path)), None)


def known_folders(settings: Settings, names: Iterable[str]) -> tuple[Path, ...]:
    """Those of some bundles that are found, in their order."""
    found = (known_folder(settings, name) for name in names)
    return tuple(path for path in found if path is not None)


def is_bundle(path: Path) -> bool:
    """A folder, or the zip of one, looks like a bundle; whether it holds is another question."""
    if not is_packed(path):
        return (path / MANIFEST).is_file()
    try:
        return MANIFEST in PackedSource(path).listing().files
    except Finding:
        return False
