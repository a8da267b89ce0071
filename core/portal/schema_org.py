"""The bundle as a `Dataset` of schema.org, as it stands in report.html for search engines (method 14.9)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from core.bundle.public_tables import PublicTable
from core.portal.dcat_record import GeoBounds
from core.portal.published_facts import PublishedFacts

SCHEMA_ORG_ID = "hexveil-dataset"
"""Of the element in report.html."""
LINKED_DATA = "application/ld+json"


def schema_org(
    facts: PublishedFacts,
    tables: Sequence[PublicTable],
    box: GeoBounds | None,
    resources: Sequence[Mapping[str, Any]],
) -> dict[str, Any]:
    """The block; resources: of datapackage.json."""
    publisher = {"@type": "Organization", "name": facts.publisher}
    spatial: dict[str, Any] = {}
    if box:
        south, west, north, east = box
        shape = {"@type": "GeoShape", "box": f"{south} {west} {north} {east}"}
        spatial = {"spatialCoverage": {"@type": "Place", "geo": shape}}
    return {
        "@context": "https://schema.org/",
        "@type": "Dataset",
        "name": facts.title,
        "description": f"{facts.practice} {facts.description}".strip(),
        "identifier": facts.release,
        "version": facts.version,
        "keywords": list(facts.keywords),
        "license": facts.licence_url or facts.licence,
        "creator": publisher,
        "publisher": publisher,
        "datePublished": facts.published_on,
        "temporalCoverage": f"{facts.first}/{facts.last}",
        **spatial,
        "measurementTechnique": f"Differential privacy: {facts.privacy_sentence}",
        "variableMeasured": [
            {
                "@type": "PropertyValue",
                "name": measure.name,
                "description": measure.description,
                **({"unitText": measure.unit} if measure.unit else {}),
            }
            for one in tables
            for measure in one.measures
        ],
        "distribution": [
            {
                "@type": "DataDownload",
                "name": one["title"],
                "contentUrl": one["path"],
                "encodingFormat": one["mediatype"],
                "contentSize": f"{one['bytes']} B",
                "sha256": one["hash"].removeprefix("sha256:"),
            }
            for one in resources
        ],
    }
