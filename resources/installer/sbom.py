"""The software bill of materials: what ships, in which version, under which licence, needed by what.

python resources/installer/sbom.py > hexveil.cdx.json      # make sbom

CycloneDX 1.6 in JSON, from the lock (versions, hashes of the distributions that may be installed) and from
the packages' own metadata (licences, needs). The same lock gives the same bytes where the same tools build
for Windows: what those put into that program is listed with their versions.
"""

from __future__ import annotations

import json
import re
import sys
import tomllib
import uuid
from collections.abc import Mapping
from importlib import metadata
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from resources.installer.parts import program_version
from resources.installer.third_party import LINUX, ROOT, WINDOWS, Package, packages, shipped_names
from resources.installer.windows.fetch import CARRIER_SUM
from resources.installer.windows.made_with import PYTHON, tools

HASH_PROPERTY = "hexveil:lock:sha256"
"""Of one of the distributions of a package that the lock allows: each has a hash of its own."""
CARRIED = "hexveil:carrier:sha256"
"""Of the archive that a part comes in."""
SYSTEM = "hexveil:system"
"""Of a part that only one system's program holds."""
_PIN = re.compile(r"(?P<name>[A-Za-z0-9._-]+)(?:\[[^\]]*\])?==(?P<version>[^ ;\\]+)")
_HASH = re.compile(r"--hash=sha256:(?P<sum>[0-9a-f]{64})")
_NAMESPACE = uuid.uuid5(uuid.NAMESPACE_URL, "urn:hexveil:sbom")


def locked_hashes(lock: str) -> dict[tuple[str, str], list[str]]:
    """(canonical name, version) -> SHA-256 sums in hexadecimal, sorted."""
    found: dict[tuple[str, str], list[str]] = {}
    sums: list[str] = []
    for line in lock.splitlines():
        if pin := _PIN.match(line):
            sums = found.setdefault((canonicalize_name(pin["name"]), pin["version"]), [])
        sums += [each["sum"] for each in _HASH.finditer(line)]
    return {key: sorted(value) for key, value in found.items()}


def bill(
    shipped: list[Package],
    hashes: Mapping[tuple[str, str], list[str]],
    windows: list[Package],
) -> dict[str, Any]:
    """The whole document. Raises KeyError for a package in a version that the lock does not have.

    windows: what only that program holds beside the packages; the first of it is its Python.
    """
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    version = program_version()
    own = {
        "type": "application",
        "bom-ref": f"hexveil@{version}",
        "name": "hexveil",
        "version": version,
        "licenses": [{"license": {"id": "MIT"}}],
    }
    refs = {item.name: _ref(item) for item in shipped}
    components = [_component(item, hashes[item.name, item.version]) for item in shipped]
    components += [_windows_component(item) for item in windows]
    beside = [_windows_ref(item) for item in windows]
    needs = {own["bom-ref"]: project["dependencies"]}
    needs |= {refs[item.name]: metadata.requires(item.name) or [] for item in shipped}
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": own},
        "components": components,
        "dependencies": [
            {"ref": ref, "dependsOn": sorted({refs[name] for name in _needed(wanted) if name in refs})}
            for ref, wanted in needs.items()
        ]
        + [{"ref": ref, "dependsOn": []} for ref in beside],
    }
    document["dependencies"][0]["dependsOn"] += beside
    serial = uuid.uuid5(_NAMESPACE, json.dumps(document, sort_keys=True))
    return {"serialNumber": f"urn:uuid:{serial}", **document}


def _ref(item: Package) -> str:
    return f"pkg:pypi/{item.name}@{item.version}"


def _component(item: Package, sums: list[str]) -> dict[str, Any]:
    return {
        "type": "library",
        "bom-ref": _ref(item),
        "name": item.name,
        "version": item.version,
        "purl": _ref(item),
        "licenses": [{"license": {"name": item.licence}}],
        "properties": [{"name": HASH_PROPERTY, "value": each} for each in sums],
    }


def _windows_ref(item: Package) -> str:
    source = "generic" if item is PYTHON else "deb/debian"
    return f"pkg:{source}/{item.name}@{item.version}"


def _windows_component(item: Package) -> dict[str, Any]:
    carried = [{"name": CARRIED, "value": CARRIER_SUM}] if item is PYTHON else []
    return {
        **_component(item, []),
        "bom-ref": _windows_ref(item),
        "purl": _windows_ref(item),
        "properties": [{"name": SYSTEM, "value": "windows"}, *carried],
    }


def _needed(texts: list[str]) -> set[str]:
    """Names of what these requirements ask for on either system."""
    return {
        canonicalize_name(each.name)
        for each in map(Requirement, texts)
        if each.marker is None or any(each.marker.evaluate(dict(system)) for system in (LINUX, WINDOWS))
    }


def shipped_anywhere() -> list[str]:
    """Canonical names of the packages that ship in one system's program or the other's."""
    return sorted({*shipped_names(LINUX), *shipped_names(WINDOWS)})


def main() -> None:
    """Print the bill of what ships."""
    lock = (ROOT / "requirements.lock").read_text("utf-8")
    made = bill(packages(shipped_anywhere()), locked_hashes(lock), [PYTHON, *tools()])
    json.dump(made, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
