"""A bundle as CKAN's `package_create` takes it: what a portal needs to list a release (method 14.8).

Keys as the documents of CKAN 2.10 name them; made from `datapackage.json` and `privacy.json` alone.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from core.published.bundle_frames import require_holds
from core.signed.bundle_names import DATAPACKAGE, MANIFEST, PRIVACY, README, REPORT, SIGNATURE
from core.signed.findings import json_object
from core.verify.folder import BundleFolder, read_folder

_LICENCES = {"CC-BY-4.0": "cc-by", "CC0-1.0": "cc-zero", "ODbL-1.0": "odc-odbl"}
"""SPDX name -> how the licences that every CKAN knows are called there."""
_DOCUMENTS = {
    README: ("What this is", "text/markdown", "MD"),
    REPORT: ("Report", "text/html", "HTML"),
    PRIVACY: ("Privacy statement", "application/json", "JSON"),
    DATAPACKAGE: ("Data package: every file and column", "application/json", "JSON"),
    MANIFEST: ("Checksums", "text/plain", "TXT"),
    SIGNATURE: ("Signature of the checksums (minisign)", "text/plain", "TXT"),
}
"""Path -> title, media type and format of what is no table."""


def ckan_package(bundle: Path, public_key: str | None = None, *, url: str = "") -> dict[str, Any]:
    """The package of a bundle that holds.

    url: of the folder where the bundle is offered; without it resources are named by their paths.
    Raises InputError as `published_tables` does.
    """
    require_holds(bundle, public_key)
    folder = read_folder(bundle)
    package = json_object(DATAPACKAGE, folder.read(DATAPACKAGE))
    privacy = json_object(PRIVACY, folder.read(PRIVACY))
    publisher, licence = package["contributors"][0], package["licenses"][0]
    base = f"{url.rstrip('/')}/{folder.source.name}/" if url else ""
    return {
        "name": folder.source.name.lower().replace(".", "-")[:100],
        "title": package["title"],
        "notes": f"{package['description']} {privacy['intended_use']}",
        "version": package["version"],
        "author": publisher["title"],
        "author_email": publisher.get("email", privacy["contact"]),
        "maintainer": publisher["title"],
        "maintainer_email": publisher.get("email", privacy["contact"]),
        "license_id": _LICENCES.get(licence["name"], "other-open"),
        "license_title": licence["title"],
        "license_url": licence.get("path", ""),
        "url": base,
        "tags": [{"name": word} for word in package["keywords"]],
        "extras": [{"key": key, "value": value} for key, value in _extras(package, privacy)],
        "resources": [_resource(one, folder, base) for one in [*package["resources"], *_documents(folder)]],
    }


def _extras(package: dict[str, Any], privacy: dict[str, Any]) -> list[tuple[str, str]]:
    """What a portal shows as further fields: texts all of them."""
    period = package["temporal"]
    return [
        ("temporal_start", period["start"]),
        ("temporal_end", period["end"]),
        ("temporal_hours", "-".join(period["hours"])),
        ("time_zone", period["zone"]),
        ("privacy_unit", privacy["privacy_unit"]),
        ("privacy_relation", privacy["relation"]),
        ("privacy_variant", privacy["dp_variant"]),
        ("key_id", privacy["signature"]["key_id"]),
    ]


def _documents(folder: BundleFolder) -> list[dict[str, Any]]:
    return [
        {
            "title": title,
            "path": path,
            "mediatype": media,
            "format": kind,
            "bytes": folder.sizes[path],
            "hash": f"sha256:{folder.sha256(path)}",
        }
        for path, (title, media, kind) in _DOCUMENTS.items()
        if path in folder.files
    ]


def _resource(one: dict[str, Any], folder: BundleFolder, base: str) -> dict[str, Any]:
    path = one["path"]
    return {
        "name": one.get("title", path),
        "url": f"{base}{path}",
        "format": one["format"].upper(),
        "mimetype": one["mediatype"],
        "size": one.get("bytes", folder.sizes.get(path)),
        "hash": one["hash"],
    }
