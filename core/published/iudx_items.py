"""A bundle for the catalogue of the Indian urban data exchange, and what its model lacks (method 14.9).

A group of resources for the bundle and a resource for each file of data and maps, with the keys that the
exchange's catalogue server validates. Its model knows nothing of privacy and of sums: these stand in words.

Source: `resourceGroupItemSchema.json` and `resourceItemSchema.json` of its catalogue server (2023).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from core.errors import InputError
from core.portal.published_facts import PublishedFacts, published_facts
from core.published.bundle_frames import require_holds
from core.signed.bundle_names import DATAPACKAGE, PRIVACY
from core.signed.findings import json_object
from core.verify.folder import BundleFolder, read_folder
from core.verify.maps import published_of

_VOCABULARY = "https://voc.iudx.org.in/"
_GROUP, _RESOURCE = "iudx:ResourceGroup", "iudx:Resource"
_OPEN, _FILE, _ACTIVE = "OPEN", "FILE", "ACTIVE"
_KINDS = {"string": "iudx:Text", "date": "iudx:Date", "integer": "iudx:Number", "number": "iudx:Number"}
UNSTATED = (
    "epsilon, delta, unit and relation (in the description)",
    "checksums and sizes of files",
    "the signature and its key",
    "the licence by its address (in the description)",
    "the period of the data (in the description)",
    "the media type of a file (in its label)",
)
"""What the model of the exchange has no key for."""


def iudx_items(
    bundle: Path,
    public_key: str | None = None,
    *,
    url: str = "",
    provider: str = "",
    resource_server: str = "",
) -> list[dict[str, Any]]:
    """The items of a bundle that holds, the group first.

    provider, resource_server: ids that the exchange has given; in place of none stands what is missing.
    url: of the folder where the bundle is offered. Raises InputError as `published_tables` does.
    """
    require_holds(bundle, public_key)
    folder = read_folder(bundle)
    package, privacy = (json_object(name, folder.read(name)) for name in (DATAPACKAGE, PRIVACY))
    facts = published_facts(package, privacy)
    base = f"{url.rstrip('/')}/{folder.source.name}/" if url else ""
    owner = {
        "provider": provider or _missing("the publisher", "--provider"),
        "resourceServer": resource_server or _missing("its resource server", "--resource-server"),
    }
    group = _group(facts, folder, owner)
    return [group, *(_resource(one, facts, owner, base) for one in package["resources"])]


def _missing(whose: str, option: str) -> str:
    return f"MISSING: the id that the exchange gave {whose} ({option})"


def _group(facts: PublishedFacts, folder: BundleFolder, owner: Mapping[str, str]) -> dict[str, Any]:
    return {
        "@context": _VOCABULARY,
        "type": [_GROUP],
        "name": _name(facts.release),
        "label": facts.title,
        "description": _description(facts),
        "tags": list(facts.keywords),
        **owner,
        "resourceAuthControlLevel": _OPEN,
        "resourceType": _FILE,
        "iudxResourceAPIs": [],
        "itemStatus": _ACTIVE,
        "itemCreatedAt": f"{facts.published_on}T00:00:00Z",
        "location": {"type": "Place", "geometry": _box(folder)},
    }


def _resource(
    one: Mapping[str, Any], facts: PublishedFacts, owner: Mapping[str, str], base: str
) -> dict[str, Any]:
    fields = one.get("schema", {}).get("fields", [])
    return {
        "@context": _VOCABULARY,
        "type": [_RESOURCE],
        "name": _name(f"{facts.release}-{one['path']}"),
        "label": f"{one['title']} ({one['format'].upper()})",
        "description": f"{one['title']}. {_description(facts)}",
        "tags": list(facts.keywords),
        **owner,
        "resourceGroup": _name(facts.release),
        "itemStatus": _ACTIVE,
        "downloadURL": f"{base}{one['path']}",
        **({"dataDescriptor": _descriptor(one, fields)} if fields else {}),
    }


def _descriptor(one: Mapping[str, Any], fields: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Each column with its meaning."""
    return {
        "@context": _VOCABULARY,
        "type": ["iudx:DataDescriptor"],
        "dataDescriptorLabel": one["title"],
        "description": f"Columns of {one['path']}",
        **{
            field["name"]: {
                "type": ["ValueDescriptor"],
                "label": field["name"],
                "description": field["description"],
                "dataSchema": _KINDS[field["type"]],
                **({"unitText": field["unit"]} if field.get("unit") else {}),
            }
            for field in fields
        },
    }


def _description(facts: PublishedFacts) -> str:
    licence = f"{facts.licence} ({facts.licence_url})" if facts.licence_url else facts.licence
    return (
        f"{facts.practice} {facts.description} Differentially private: {facts.privacy_sentence}. Period: "
        f"{facts.first} to {facts.last}. Publisher: {facts.publisher}. Licence: {licence}."
    ).strip()


def _name(text: str) -> str:
    """Letters and digits with single hyphens or underscores between them, as names of the exchange are."""
    return re.sub(r"[^A-Za-z0-9_]+", "-", text).strip("-_")


def _box(folder: BundleFolder) -> dict[str, Any]:
    box = published_of(folder).box
    if box is None:
        raise InputError(
            "The exchange asks where the data are, and the places of this bundle have no outlines.",
            where=str(folder.path),
            mend="offer it a release by hexagons, or by zones",
        )
    south, west, north, east = box
    ring = [[west, south], [east, south], [east, north], [west, north], [west, south]]
    return {"type": "Polygon", "coordinates": [ring]}
