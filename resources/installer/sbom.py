"""The software bill of materials: what ships, in which version, under which licence, needed by what.

python resources/installer/sbom.py > hexveil.cdx.json      # make sbom

CycloneDX 1.6 in JSON, from the lock (versions, hashes of the distributions that may be installed) and from
the packages' own metadata (licences, needs). The same lock gives the same bytes.
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

from resources.installer.third_party import LINUX, ROOT, Package, packages, shipped_names

HASH_PROPERTY = "hexveil:lock:sha256"
"""Of one of the distributions of a package that the lock allows: each has a hash of its own."""
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


def bill(shipped: list[Package], hashes: Mapping[tuple[str, str], list[str]]) -> dict[str, Any]:
    """The whole document. Raises KeyError for a package in a version that the lock does not have."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    own = {
        "type": "application",
        "bom-ref": f"hexveil@{project['version']}",
        "name": "hexveil",
        "version": project["version"],
        "licenses": [{"license": {"id": "MIT"}}],
    }
    refs = {item.name: _ref(item) for item in shipped}
    components = [_component(item, hashes[item.name, item.version]) for item in shipped]
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
        ],
    }
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


def _needed(texts: list[str]) -> set[str]:
    wanted = map(Requirement, texts)
    return {
        canonicalize_name(each.name) for each in wanted if each.marker is None or each.marker.evaluate(LINUX)
    }


def main() -> None:
    """Print the bill of what ships."""
    lock = (ROOT / "requirements.lock").read_text("utf-8")
    json.dump(bill(packages(shipped_names()), locked_hashes(lock)), sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
