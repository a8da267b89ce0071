"""`dcat.jsonld`: the bundle as a dataset of DCAT-AP, for portals that harvest (method 14.9).

Every name is spelled out in the record's own context, so that nothing has to be fetched to read it. Files are
named relative to the record, wherever the folder is offered.

Source: W3C Data Catalog Vocabulary 3; DCAT-AP 3.0 of SEMIC; SPDX for checksums.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import h3

from core.bundle.datapackage import PROFILE
from core.portal.published_facts import MAIL, PublishedFacts, contact_url
from core.release_texts import SeriesTexts

_EU = "http://publications.europa.eu/resource/authority/"
_CONTEXT = {
    "dcat": "http://www.w3.org/ns/dcat#",
    "dct": "http://purl.org/dc/terms/",
    "foaf": "http://xmlns.com/foaf/0.1/",
    "geosparql": "http://www.opengis.net/ont/geosparql#",
    "owl": "http://www.w3.org/2002/07/owl#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "spdx": "http://spdx.org/rdf/terms#",
    "vcard": "http://www.w3.org/2006/vcard/ns#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}
_MEDIA_TYPES = "https://www.iana.org/assignments/media-types/"
_FILE_TYPES = {"csv": "CSV", "geojson": "GEOJSON", "html": "HTML"}
"""Format -> its name in the file types of the EU's vocabularies, where it has one there."""
FILE_TYPES = _FILE_TYPES | {"geoparquet": "PARQUET", "jsonld": "JSON_LD", "markdown": "TXT"}
"""The same of the second form."""
_REFERENCE_SYSTEM = "http://www.opengis.net/def/crs/EPSG/0/4326"
_STANDARDS = {
    "csv": (PROFILE, "Data Package"),
    "geojson": ("https://www.rfc-editor.org/rfc/rfc7946", "GeoJSON (RFC 7946)"),
    "geoparquet": ("https://geoparquet.org/releases/v1.1.0/", "GeoParquet 1.1"),
}
"""Format -> address and name of what its files follow."""
_FREQUENCIES = {"day": "DAILY", "week": "WEEKLY", "month": "MONTHLY"}
NEVER = "NEVER"
"""What is signed is not altered."""
_HALF_TURN, _TURN = 180, 360
_BOX_DECIMALS = 4


GeoBounds = tuple[float, float, float, float]
"""South, west, north and east, degrees; beyond 180 where it lies about the antimeridian."""


def bounds_around(corners: Sequence[tuple[float, float]]) -> GeoBounds:
    """Around positions, longitude first; at least one."""
    first = corners[0][0]
    lons = [lon - _TURN * round((lon - first) / _TURN) for lon, _ in corners]
    lats = [lat for _, lat in corners]
    south, west, north, east = min(lats), min(lons), max(lats), max(lons)
    turned = _TURN if west < -_HALF_TURN else 0
    box = south, west + turned, north, east + turned
    return tuple(round(side, _BOX_DECIMALS) for side in box)  # type: ignore[return-value]


def dcat_record(
    facts: PublishedFacts,
    box: GeoBounds | None,
    slot_minutes: int,
    resources: Sequence[Mapping[str, Any]],
) -> dict[str, Any]:
    """The record; resources: of datapackage.json, but for the record itself; box: None without outlines."""
    spatial: dict[str, Any] = {}
    if box:
        area = _typed("geosparql:wktLiteral", _box(box))
        spatial = {"dct:spatial": {"@type": "dct:Location", "dcat:bbox": area}}
    newer = _newer(facts, box) if facts.second_portal else {}
    return {
        "@context": _CONTEXT,
        "@id": "#dataset",
        "@type": "dcat:Dataset",
        "dct:identifier": facts.release,
        "dct:title": facts.title,
        "dct:description": _description(facts),
        "dcat:version": facts.version,
        "owl:versionInfo": facts.version,
        "dct:issued": _typed("xsd:date", facts.published_on),
        "dcat:keyword": list(facts.keywords),
        "dcat:theme": {
            "@id": f"{_EU}data-theme/TRAN",
            "@type": "skos:Concept",
            "skos:prefLabel": _worded("Transport"),
        },
        "dct:accessRights": {
            "@id": f"{_EU}access-right/PUBLIC",
            "@type": "dct:RightsStatement",
        },
        "dct:publisher": {"@type": "foaf:Agent", "foaf:name": facts.publisher},
        "dcat:contactPoint": _contact(facts),
        "dct:temporal": {
            "@type": "dct:PeriodOfTime",
            "dcat:startDate": _typed("xsd:date", facts.first),
            "dcat:endDate": _typed("xsd:date", facts.last),
        },
        "dcat:temporalResolution": _typed("xsd:duration", f"PT{slot_minutes}M"),
        **spatial,
        **newer,
        "dct:provenance": {
            "@type": "dct:ProvenanceStatement",
            "rdfs:label": _worded(f"Differentially private: {facts.privacy_sentence}"),
        },
        "dcat:distribution": [_distribution(facts, one) for one in resources],
    }


def _newer(facts: PublishedFacts, box: GeoBounds | None) -> dict[str, Any]:
    """What the second form says besides: how often, of which series, how fine, by which standard."""
    said: dict[str, Any] = {"dct:accrualPeriodicity": _frequency(NEVER)}
    if facts.series is not None:
        said["dcat:inSeries"] = series_record(facts, facts.series)
    if facts.resolution is not None:
        edge = h3.average_hexagon_edge_length(facts.resolution, unit="m")
        metres = str(round(edge * math.sqrt(3)))  # from middle to middle
        said["dcat:spatialResolutionInMeters"] = _typed("xsd:decimal", metres)
    if box:
        said["dct:conformsTo"] = _standard(_REFERENCE_SYSTEM, "WGS 84")
    return said


def series_record(facts: PublishedFacts, series: SeriesTexts) -> dict[str, Any]:
    """The landing record of a series: the same in each of its releases, in the folder above all of them."""
    return {
        "@id": f"../#{series.name}",
        "@type": "dcat:DatasetSeries",
        "dct:title": series.title,
        "dct:description": _worded(
            f"One differentially private release for each {series.every}, of the same {facts.subjects}: "
            "their epsilons add up."
        ),
        "dct:publisher": {"@type": "foaf:Agent", "foaf:name": facts.publisher},
        "dcat:contactPoint": _contact(facts),
        "dct:accrualPeriodicity": _frequency(_FREQUENCIES[series.every]),
    }


def _frequency(name: str) -> dict[str, str]:
    return {"@id": f"{_EU}frequency/{name}", "@type": "dct:Frequency"}


def _standard(address: str, name: str) -> dict[str, Any]:
    return {"@id": address, "@type": "dct:Standard", "dct:title": _worded(name)}


def _description(facts: PublishedFacts) -> str:
    return f"{facts.practice} {facts.description}".strip()


def _contact(facts: PublishedFacts) -> dict[str, Any]:
    card: dict[str, Any] = {"@type": "vcard:Kind", "vcard:fn": facts.publisher}
    url = contact_url(facts.contact)
    if url.startswith(MAIL):
        return card | {"vcard:hasEmail": {"@id": url}}
    return card | ({"vcard:hasURL": {"@id": url}} if url else {"vcard:note": facts.contact})


def _distribution(facts: PublishedFacts, resource: Mapping[str, Any]) -> dict[str, Any]:
    path, kind = resource["path"], resource["format"]
    types = FILE_TYPES if facts.second_portal else _FILE_TYPES
    file_type: dict[str, Any] = {}
    if kind in types:
        file_type = {"dct:format": _media(f"{_EU}file-type/{types[kind]}")}
    if facts.second_portal and kind in _STANDARDS:
        file_type["dct:conformsTo"] = _standard(*_STANDARDS[kind])
    return {
        "@id": f"#{resource['name']}",
        "@type": "dcat:Distribution",
        "dct:title": resource["title"],
        "dcat:accessURL": {"@id": path, "@type": "rdfs:Resource"},
        "dcat:downloadURL": {"@id": path, "@type": "rdfs:Resource"},
        "dcat:mediaType": {
            "@id": f"{_MEDIA_TYPES}{resource['mediatype']}",
            "@type": "dct:MediaType",
        },
        **file_type,
        "dct:license": _licence(facts),
        "dcat:byteSize": _typed("xsd:nonNegativeInteger", str(resource["bytes"])),
        "spdx:checksum": {
            "@type": "spdx:Checksum",
            "spdx:algorithm": {
                "@id": "spdx:checksumAlgorithm_sha256",
                "@type": "spdx:ChecksumAlgorithm",
            },
            "spdx:checksumValue": _typed("xsd:hexBinary", resource["hash"].removeprefix("sha256:")),
        },
    }


def _licence(facts: PublishedFacts) -> dict[str, Any]:
    named = {"@type": "dct:LicenseDocument", "dct:title": facts.licence}
    return {"@id": facts.licence_url, **named} if facts.licence_url else named


def _media(url: str) -> dict[str, str]:
    return {"@id": url, "@type": "dct:MediaTypeOrExtent"}


def _typed(kind: str, text: str) -> dict[str, str]:
    return {"@type": kind, "@value": text}


def _worded(text: str) -> dict[str, str]:
    """Words of ours, which are English; the publisher's may be in any language."""
    return {"@language": "en", "@value": text}


def _box(box: GeoBounds) -> str:
    south, west, north, east = box
    corners = ((west, south), (east, south), (east, north), (west, north), (west, south))
    return f"POLYGON(({', '.join(f'{lon} {lat}' for lon, lat in corners)}))"
