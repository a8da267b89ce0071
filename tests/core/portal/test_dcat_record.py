"""core.portal.dcat_record: what DCAT-AP makes mandatory, and ranges, by a table of our own."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import h3
import pytest
from rdflib import RDF, Graph, Literal, Namespace, URIRef
from rdflib.term import Node

from core.bundle.region_outlines import cell_ring
from core.portal.dcat_record import bounds_around, dcat_record
from core.portal.published_facts import published_facts
from core.release_texts import SeriesTexts
from core.signed.bundle_names import CATALOGUE_RECORD, DATAPACKAGE, PRIVACY
from core.signed.findings import Finding
from tests.builders import make_documents, make_texts

pytestmark = pytest.mark.filterwarnings("ignore:ConjunctiveGraph")
DCAT, DCT = Namespace("http://www.w3.org/ns/dcat#"), Namespace("http://purl.org/dc/terms/")
FOAF, SPDX = Namespace("http://xmlns.com/foaf/0.1/"), Namespace("http://spdx.org/rdf/terms#")
SKOS, VCARD = Namespace("http://www.w3.org/2004/02/skos/core#"), Namespace("http://www.w3.org/2006/vcard/ns#")
RDFS, XSD = Namespace("http://www.w3.org/2000/01/rdf-schema#"), Namespace("http://www.w3.org/2001/XMLSchema#")
BASE = "https://data.city.example/traffic/one/dcat.jsonld"
MANY = 99
RULES: tuple[tuple[URIRef, URIRef, int, int, URIRef], ...] = (
    (DCAT.Dataset, DCT.title, 1, MANY, RDFS.Literal),
    (DCAT.Dataset, DCT.description, 1, MANY, RDFS.Literal),
    (DCAT.Dataset, DCT.publisher, 1, 1, FOAF.Agent),
    (DCAT.Dataset, DCT.identifier, 1, MANY, RDFS.Literal),
    (DCAT.Dataset, DCT.issued, 1, 1, XSD.date),
    (DCAT.Dataset, DCT.temporal, 1, MANY, DCT.PeriodOfTime),
    (DCAT.Dataset, DCT.spatial, 1, MANY, DCT.Location),
    (DCAT.Dataset, DCT.accessRights, 0, 1, DCT.RightsStatement),
    (DCAT.Dataset, DCAT.theme, 1, MANY, SKOS.Concept),
    (DCAT.Dataset, DCAT.contactPoint, 1, MANY, VCARD.Kind),
    (DCAT.Dataset, DCAT.distribution, 1, MANY, DCAT.Distribution),
    (DCAT.Dataset, DCAT.temporalResolution, 0, 1, XSD.duration),
    (DCAT.Distribution, DCAT.accessURL, 1, MANY, RDFS.Resource),
    (DCAT.Distribution, DCAT.downloadURL, 1, MANY, RDFS.Resource),
    (DCAT.Distribution, DCT.license, 1, 1, DCT.LicenseDocument),
    (DCAT.Distribution, DCAT.mediaType, 1, 1, DCT.MediaType),
    (DCAT.Distribution, DCT.format, 0, 1, DCT.MediaTypeOrExtent),
    (DCAT.Distribution, DCAT.byteSize, 1, 1, XSD.nonNegativeInteger),
    (DCAT.Distribution, SPDX.checksum, 1, 1, SPDX.Checksum),
    (SPDX.Checksum, SPDX.algorithm, 1, 1, SPDX.ChecksumAlgorithm),
    (SPDX.Checksum, SPDX.checksumValue, 1, 1, XSD.hexBinary),
    (DCT.PeriodOfTime, DCAT.startDate, 1, 1, XSD.date),
    (DCT.PeriodOfTime, DCAT.endDate, 1, 1, XSD.date),
    (FOAF.Agent, FOAF.name, 1, MANY, RDFS.Literal),
    (SKOS.Concept, SKOS.prefLabel, 1, MANY, RDFS.Literal),
)
"""Class, property, least and most of it, and what it has to be: DCAT-AP 3.0, chapters of its classes."""


def graph_of(record: bytes) -> Graph:
    return Graph().parse(data=record, format="json-ld", publicID=BASE)


def faults(graph: Graph) -> Iterator[str]:
    for kind, name, least, most, wanted in RULES:
        for subject in graph.subjects(RDF.type, kind):
            values = list(graph.objects(subject, name))
            if not least <= len(values) <= most:
                yield f"{kind} has {len(values)} of {name}"
            yield from (f"{name} is no {wanted}" for one in values if not is_a(graph, one, wanted))


def is_a(graph: Graph, value: Node, wanted: URIRef) -> bool:
    if not isinstance(value, Literal):
        return (value, RDF.type, wanted) in graph
    return wanted in (RDFS.Literal, value.datatype) and (value.datatype is None or value.value is not None)


@pytest.mark.parametrize(
    "texts", [{}, {"contact": "https://city.example"}, {"contact": "Room 12", "licence": "our own terms"}]
)
def test_what_is_mandatory_is_there_and_of_its_kind(texts: dict[str, str]) -> None:
    graph = graph_of(make_documents(texts=make_texts(**texts))[CATALOGUE_RECORD])
    assert list(faults(graph)) == []
    assert len(list(graph.subjects(RDF.type, DCAT.Dataset))) == 1


def test_the_check_of_our_own_finds_what_is_missing() -> None:
    record = json.loads(make_documents()[CATALOGUE_RECORD])
    del record["dct:publisher"], record["dcat:distribution"][0]["dcat:accessURL"]
    record["dcat:distribution"][1]["spdx:checksum"]["spdx:checksumValue"] = "none"
    found = " ".join(faults(graph_of(json.dumps(record).encode())))
    assert "0 of http://purl.org/dc/terms/publisher" in found
    assert "0 of http://www.w3.org/ns/dcat#accessURL" in found
    assert "checksumValue is no" in found


def test_each_file_that_is_listed_is_a_distribution_with_its_sum() -> None:
    documents = make_documents()
    graph = graph_of(documents[CATALOGUE_RECORD])
    told: dict[str, Any] = {}
    for one in graph.subjects(RDF.type, DCAT.Distribution):
        address = str(graph.value(one, DCAT.downloadURL))
        told[address.removeprefix(BASE.removesuffix(CATALOGUE_RECORD))] = str(
            graph.value(graph.value(one, SPDX.checksum), SPDX.checksumValue)
        )
    listed = {
        resource["path"]: resource["hash"].removeprefix("sha256:")
        for resource in json.loads(documents[DATAPACKAGE])["resources"]
    }
    del listed[CATALOGUE_RECORD]
    assert told == listed


SERIES = SeriesTexts(name="austin-bus-speed", title="Bus speeds of Austin", every="month")


def test_the_second_form_says_how_often_how_fine_and_by_which_standards() -> None:
    graph = graph_of(make_documents(texts=make_texts(series=SERIES))[CATALOGUE_RECORD])
    (dataset,), (series,) = (
        list(graph.subjects(RDF.type, DCAT[kind])) for kind in ("Dataset", "DatasetSeries")
    )
    assert list(faults(graph)) == []
    assert graph.value(dataset, DCAT.inSeries) == series
    assert str(series) == BASE.removesuffix("one/dcat.jsonld") + "#austin-bus-speed"
    often = [str(graph.value(one, DCT.accrualPeriodicity)).rpartition("/")[2] for one in (dataset, series)]
    assert often == ["NEVER", "MONTHLY"]
    assert str(graph.value(series, DCT.title)) == SERIES.title
    metres = graph.value(dataset, DCAT.spatialResolutionInMeters)
    assert metres == Literal("2436", datatype=XSD.decimal)
    assert str(graph.value(dataset, DCT.conformsTo)).endswith("EPSG/0/4326")
    followed = {str(one).rpartition("//")[2][:12] for one in graph.objects(None, DCT.conformsTo)}
    assert followed == {"www.opengis.", "datapackage.", "www.rfc-edit", "geoparquet.o"}


def test_the_first_form_stays_what_it_was() -> None:
    documents = make_documents()
    package, privacy = (json.loads(documents[name]) for name in (DATAPACKAGE, PRIVACY))
    newer, older = (
        dcat_record(published_facts(package, one), (1.0, 2.0, 3.0, 4.0), 60, package["resources"])
        for one in (privacy, {name: privacy[name] for name in privacy if name != "portal_files"})
    )
    added = {"dct:accrualPeriodicity", "dcat:spatialResolutionInMeters", "dct:conformsTo"}
    assert newer.keys() - older.keys() == added
    assert "PARQUET" not in str(older)
    with pytest.raises(Finding, match="not known"):
        published_facts(package, privacy | {"portal_files": "hexveil-portal-9"})
    with pytest.raises(Finding, match="states no series"):
        published_facts(package, privacy | {"series": {"name": "one"}})


def test_a_box_holds_its_cells_and_goes_on_beyond_the_antimeridian() -> None:
    south, west, north, east = bounds_around(cell_ring(h3.latlng_to_cell(21.17, 72.83, 7)))
    assert south < 21.17 < north
    assert west < 72.83 < east
    for side in (179.99, -179.99):
        cells = h3.grid_disk(h3.latlng_to_cell(-17.0, side, 7), 2)
        _, west, _, east = bounds_around([corner for cell in cells for corner in cell_ring(cell)])
        assert 0 < east - west < 1
