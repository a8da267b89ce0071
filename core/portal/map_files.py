"""The files for maps and portals: functions of data/, datapackage.json and privacy.json alone (method 14.9).

`datapackage.json` lists them, so that they are made of its head, without the list of files. Who checks a
bundle makes them again in the same way.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from core.bundle.csv_columns import DataTable
from core.bundle.datapackage import json_bytes
from core.bundle.public_tables import PublicTable, public_tables
from core.bundle.resources import feature_path, geoparquet_path, map_resources
from core.bundle.stated import ThirdGrid
from core.bundle.stated_quantity import stated_bounds, stated_quantity
from core.codec import from_json
from core.hats.slots import parse_clock
from core.portal.dcat_record import GeoBounds, bounds_around, dcat_record
from core.portal.difference_words import card_of, chance_sentence, headline
from core.portal.differences import ALIKE_IN_A_PART, differences
from core.portal.feature_rows import feature_rows, row_outlines
from core.portal.geoparquet import geoparquet_rows
from core.portal.map_data import COMPARISONS, map_data
from core.portal.map_page import map_page
from core.portal.published_facts import PublishedFacts, published_facts
from core.portal.published_rows import PublishedRows, StatedNoise, published_rows, stated_noises
from core.portal.row_parts import fixed_pairs
from core.portal.schema_org import schema_org
from core.portal.slot_pictures import SlotPictures, slot_pictures
from core.quantity import Quantity
from core.signed.bundle_names import (
    CATALOGUE_RECORD,
    FIFTH_MAP_FORMAT,
    FOURTH_MAP_FORMAT,
    MAP_FORMAT,
    MAP_PAGE,
    PRIVACY,
    THIRD_MAP_FORMAT,
    map_format_since,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedMap:
    """What maps and portals learn of a bundle."""

    facts: PublishedFacts
    tables: tuple[PublicTable, ...]
    quantity: Quantity
    span: int
    """U of the quantity, thousandths."""
    slot_minutes: int
    noises: Mapping[str, StatedNoise]
    """Statistic -> what is stated of its noise."""

    @property
    def box(self) -> GeoBounds | None:
        """Around all that is drawn; None where nothing is."""
        places = sorted({place for one in self.tables for row in one.rows for place in one.drawn_places(row)})
        corners = [corner for place in places for ring in self.tables[0].rings(place) for corner in ring]
        return bounds_around(corners) if corners else None

    @property
    def data_tables(self) -> tuple[DataTable, ...]:
        """The tables of all statistics."""
        return tuple(one.table for one in self.tables)

    def page_data(self, map_format: str = MAP_FORMAT) -> dict[str, Any]:
        """The block in map.html; map_format: of `MAP_FORMATS`."""
        data = map_data(self.facts, self.tables, self.quantity, self.span, map_format)
        return data | _compared(self, map_format)

    def rows(self, statistic: str, map_format: str = MAP_FORMAT) -> PublishedRows | None:
        """The rows of a statistic that tell their noise, as a page of this form takes them; None: none do."""
        public = next((one for one in self.tables if one.statistic.key == statistic), None)
        if public is None:
            return None
        lie = not map_format_since(map_format, FIFTH_MAP_FORMAT)
        return published_rows(public, self.span, self.noises.get(statistic), lines_lie=lie)

    def record(self, resources: list[dict[str, Any]]) -> dict[str, Any]:
        """dcat.jsonld; resources: all but itself."""
        return dcat_record(self.facts, self.box, self.slot_minutes, resources)

    def linked_data(self, resources: list[dict[str, Any]]) -> dict[str, Any]:
        """The block in report.html."""
        return schema_org(self.facts, self.tables, self.box, resources)


def _compared(published: PublishedMap, map_format: str) -> dict[str, Any]:
    """The comparisons of the page, fixed beforehand; nothing where rows do not tell their noise."""
    rows = published.rows("mean", map_format) if map_format_since(map_format, THIRD_MAP_FORMAT) else None
    alike = ALIKE_IN_A_PART if map_format_since(map_format, FOURTH_MAP_FORMAT) else 0.0
    found = () if rows is None else differences(rows, list(fixed_pairs(rows)), alike=alike)
    if not found:
        return {}
    said = headline(found, published.quantity, published.facts)
    compared = {
        "cards": [asdict(card_of(one, published.quantity)) for one in found],
        "note": chance_sentence(len(found), fixed=True),
        **({} if said is None else {"title": said[0], "quotation": said[1]}),
    }
    return {COMPARISONS: compared}


def published_map(
    tables: tuple[PublicTable, ...], package: Mapping[str, Any], privacy: Mapping[str, Any]
) -> PublishedMap:
    """Of a bundle's tables and documents. Raises Finding where these do not say what they must."""
    lower, upper = stated_bounds(privacy, PRIVACY)
    return PublishedMap(
        facts=published_facts(package, privacy),
        tables=tables,
        quantity=stated_quantity(privacy, PRIVACY),
        span=upper - lower,
        slot_minutes=_shortest_slot(privacy["grid"]),
        noises=stated_noises(privacy),
    )


def _shortest_slot(grid: Mapping[str, Any]) -> int:
    """In minutes, of slots of one length or of periods."""
    stated = from_json(ThirdGrid, grid)
    hours = (
        (parse_clock(one.start, where=PRIVACY), parse_clock(one.end, where=PRIVACY)) for one in stated.periods
    )
    return min((end - start for start, end in hours), default=stated.slot_minutes)


@dataclass(frozen=True, slots=True, kw_only=True)
class MapFiles:
    """What is made for maps and portals."""

    files: dict[str, bytes]
    """Path -> content."""
    package: dict[str, Any]
    """datapackage.json that lists them too."""
    linked_data: dict[str, Any]
    """The block of report.html."""
    pictures: dict[str, SlotPictures]
    """Statistic -> the pictures of report.html; none of a table without rows."""
    page_data: dict[str, Any]
    """The block of map.html, its sentences with their templates; empty where there is no map."""


def map_files(data: Mapping[str, bytes], package: Mapping[str, Any], privacy: Mapping[str, Any]) -> MapFiles:
    """All of it. data: the files below `data/`; package: datapackage.json that lists these alone."""
    published = published_map(public_tables(data, stated_quantity(privacy, PRIVACY)), package, privacy)
    files: dict[str, bytes] = {}
    drawn = [one for one in published.tables if one.drawn]
    for one in drawn:
        outlines = row_outlines(one)
        files[feature_path(one.table)] = feature_rows(one, outlines)
        files[geoparquet_path(one.table)] = geoparquet_rows(
            one, outlines, boxed=published.facts.second_portal
        )
    page_data = published.page_data(privacy["map_files"]) if drawn else {}
    if drawn:
        files[MAP_PAGE] = map_page(page_data)
    resources = [*package["resources"], *map_resources(files, published.data_tables)]
    files[CATALOGUE_RECORD] = json_bytes(published.record(resources))
    resources = [*package["resources"], *map_resources(files, published.data_tables)]
    return MapFiles(
        files=files,
        package={**package, "resources": resources},
        linked_data=published.linked_data(resources),
        pictures={
            one.statistic.key: slot_pictures(one, published.quantity, published.span)
            for one in drawn
            if one.rows
        },
        page_data=page_data,
    )
