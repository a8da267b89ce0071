"""Verify: map page, features, catalogue record and search facts against the tables (method 14.9).

Made again and compared by what they say: rows, blocks of data, the record; never pictures or scripts.
"""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import shapely

from core.bundle.csv_columns import BOX, GEOMETRY
from core.bundle.datapackage import resources_of
from core.bundle.public_tables import PublicTable, properties, property_value, tables_of
from core.bundle.resources import feature_path, geoparquet_path, map_resources, policy_resources
from core.bundle.row_outlines import RowOutline, coordinates_of, geometry_type
from core.counted import count_of
from core.geodata.shapes import from_wkb
from core.portal.embedded_json import find_json
from core.portal.feature_rows import row_outlines
from core.portal.geoparquet import GEO_KEY, SIDES, column_type, geo_metadata, outline_boxes, shapes_of
from core.portal.map_data import COMPARISONS, NAMES, OUTLINES, WORDS
from core.portal.map_files import PublishedMap, published_map
from core.portal.map_page import MAP_DATA_ID
from core.portal.schema_org import LINKED_DATA, SCHEMA_ORG_ID
from core.portal.spoken_map import LANGUAGE, PAGE_TEXTS
from core.release_texts import LANGUAGES
from core.signed.bundle_names import (
    CATALOGUE_RECORD,
    DATAPACKAGE,
    MAP_FORMATS,
    MAP_PAGE,
    PLACES_PATH,
    POLICY_FILES,
    PRIVACY,
    REPORT,
    map_in,
)
from core.signed.feature_stream import features_of
from core.signed.findings import json_object, require, same_json
from core.subject import VEHICLE
from core.system.nested_texts import json_value
from core.texts import text_of
from core.verify.folder import BundleFolder
from core.verify.parquet_rows import read_parquet_rows
from core.verify.tables import TOLERANCE, near_points, rows_of

_FIGURE = re.compile(r"-?\d[\d.,^]*")


def map_checks() -> tuple[tuple[str, Callable[[BundleFolder], str]], ...]:
    """Name -> check, of bundles that hold such files."""
    return (
        ("map_files", _check_known),
        ("geojson", _check_features),
        ("geoparquet", _check_geoparquet),
        ("map", _check_page),
        ("dcat", _check_record),
        ("linked_data", _check_report),
    )


def resources_in(folder: BundleFolder) -> list[dict[str, Any]]:
    """What datapackage.json has to list: files of data, and policy and maps where the bundle has them."""
    data = {path: folder.read(path) for path in folder.data_paths}
    policy = {name: folder.read(name) for name in POLICY_FILES if name in folder.files}
    listed = resources_of(data, folder.format.wording, folder.quantity) + policy_resources(policy)
    if not folder.map_format:
        return listed
    files = {path: path for path in folder.map_paths}
    return [*listed, *map_resources(files, tuple(folder.statistics.values()), folder.facts)]


def _check_known(folder: BundleFolder) -> str:
    require(folder.map_format in MAP_FORMATS, "{privacy} names a form of maps that is not known")
    return text_of(
        "{counted_files} for maps and portals", counted_files=count_of(len(folder.map_paths), "file")
    )


def folder_tables(folder: BundleFolder) -> tuple[PublicTable, ...]:
    """Every statistic of a bundle, with outlines where it has them."""
    rows = {key: (table, rows_of(table, folder)) for key, table in folder.statistics.items()}
    places = folder.read(PLACES_PATH) if PLACES_PATH in folder.files else None
    return tables_of(rows, folder.quantity, places)


def _drawn_tables(folder: BundleFolder) -> tuple[PublicTable, ...]:
    """Those whose places have outlines."""
    return tuple(one for one in folder_tables(folder) if one.drawn)


def published_of(folder: BundleFolder) -> PublishedMap:
    """What maps and portals learn of a bundle that holds."""
    package, privacy = (json_object(name, folder.read(name)) for name in (DATAPACKAGE, PRIVACY))
    return published_map(folder_tables(folder), package, privacy)


def _check_features(folder: BundleFolder) -> str:
    """Every feature is a row with its outline, in order."""
    count = 0
    for public in _drawn_tables(folder):
        path, number = feature_path(public.table), 0
        rows = zip(public.rows, row_outlines(public), strict=True)
        for number, feature in enumerate(features_of(path, folder.pieces(path)), start=1):
            row, outline = next(rows, (None, None))
            same = row is not None and _is_feature(feature, properties(public.table, row), outline)
            require(same, "{path}: feature {number} is not that row", path=path, number=number)
            folder.advance(number, len(public.rows))
        require(
            number == len(public.rows),
            "{path} is not a collection of the {counted_rows}",
            path=path,
            counted_rows=count_of(len(public.rows), "row"),
        )
        count += number
    return text_of("{counted_features} as the rows", counted_features=count_of(count, "feature"))


def _is_feature(feature: Any, properties: dict[str, Any], outline: RowOutline | None) -> bool:
    rest = {"type": "Feature", "properties": properties}
    if outline is None:
        return same_json(feature, rest | {"geometry": None})
    if not isinstance(feature, dict) or not isinstance(feature.get("geometry"), dict):
        return False
    geometry = feature["geometry"]
    coordinates = geometry.get("coordinates")
    if not isinstance(coordinates, list):
        return False
    shell = {**feature, "geometry": {name: one for name, one in geometry.items() if name != "coordinates"}}
    expected = rest | {"geometry": {"type": geometry_type(outline)}}
    return same_json(shell, expected) and near_points(coordinates, coordinates_of(outline))


def _check_geoparquet(folder: BundleFolder) -> str:
    """Every row is one of the table, with its outline; the description of outlines is right."""
    count, boxed = 0, published_of(folder).facts.second_portal
    sides = {f"{BOX}.{side}": "double" for side in SIDES} if boxed else {}
    for public in _drawn_tables(folder):
        path, table, shapes = geoparquet_path(public.table), public.table, shapes_of(row_outlines(public))
        found = read_parquet_rows(path, folder.read(path), len(public.rows))
        kinds = (
            {column.name: str(column_type(column)) for column in table.columns} | {GEOMETRY: "binary"} | sides
        )
        require(
            list(found.kinds.items()) == list(kinds.items()),
            "{path} has other columns than the table",
            path=path,
        )
        for column in table.columns:
            expected = [property_value(column, row[column.name]) for row in public.rows]
            require(
                found.columns[column.name] == expected,
                "{path}: {name} is not the table's",
                path=path,
                name=column.name,
            )
            folder.advance(0, 1)
        _check_outlines(path, found.columns[GEOMETRY], shapes)
        if boxed:
            _check_boxes(path, found.columns, shapes)
        _check_geo(path, found.metadata.get(GEO_KEY, b""), shapes, boxed=boxed)
        count += len(public.rows)
    return text_of("{counted_rows} with their outlines", counted_rows=count_of(count, "row"))


def _check_outlines(path: str, stated: list[Any], shapes: Sequence[shapely.Geometry | None]) -> None:
    seen: set[tuple[int, int]] = set()
    for number, (content, shape) in enumerate(zip(stated, shapes, strict=True), start=1):
        if (id(content), id(shape)) not in seen:
            seen.add((id(content), id(shape)))
            require(
                content is None if shape is None else _is_shape(content, shape),
                "{path}: the outline of row {number} is wrong",
                path=path,
                number=number,
            )


def _check_boxes(
    path: str, columns: Mapping[str, list[Any]], shapes: Sequence[shapely.Geometry | None]
) -> None:
    stated = zip(*(columns[f"{BOX}.{side}"] for side in SIDES), strict=True)
    for number, (box, expected) in enumerate(zip(stated, outline_boxes(shapes), strict=True), start=1):
        near = (
            set(box) == {None}
            if expected is None
            else near_points([list(box[:2]), list(box[2:])], [expected[:2], expected[2:]])
        )
        require(near, "{path}: the box of row {number} is wrong", path=path, number=number)


def _is_shape(content: Any, expected: shapely.Geometry) -> bool:
    known = shapely.to_wkb(expected)
    if not isinstance(content, bytes) or len(content) != len(known):
        return False
    return content == known or bool(
        shapely.equals_exact(from_wkb([content])[0], expected, tolerance=TOLERANCE)
    )


def _check_geo(
    path: str, description: bytes, shapes: Sequence[shapely.Geometry | None], *, boxed: bool
) -> None:
    stated = json_object(path, description)
    known = json_value(json.dumps(geo_metadata(shapes, boxed=boxed)))
    box, expected = (_box_of(document) for document in (stated, known))
    near = not expected or near_points(box, expected)
    require(same_json(stated, known) and near, "{path} describes its outlines wrongly", path=path)


def _box_of(document: dict[str, Any]) -> list[list[Any]]:
    """Two corners, taken out of a description; none where it has no box of four numbers."""
    columns = document.get("columns")
    column = columns.get(GEOMETRY) if isinstance(columns, dict) else None
    box = column.pop("bbox", None) if isinstance(column, dict) else None
    return [box[:2], box[2:]] if isinstance(box, list) and len(box) == 4 else []


def _check_page(folder: BundleFolder) -> str:
    """The data in the page are those of the tables and documents."""
    if not folder.mapped:
        require(MAP_PAGE not in folder.files, "{map_page} maps no place")
        return "no map: places have no outlines"
    known = published_of(folder).page_data(folder.map_format)
    expected = known.pop(OUTLINES)
    for name in (MAP_PAGE, *(one for one in map(map_in, LANGUAGES) if one in folder.files)):
        stated = find_json(name, folder.read(name), MAP_DATA_ID)
        if name != MAP_PAGE:
            stated = {key: one for key, one in stated.items() if key not in (LANGUAGE, PAGE_TEXTS)}
        outlines = stated.pop(OUTLINES, None)
        same = same_json(_without_words(stated), _without_words(known)) and _same_names(stated, known)
        require(same, "{page} holds other data than the tables", page=name)
        require(
            _near_units(outlines, expected), "{page} holds other outlines than those of its cells", page=name
        )
    number = len(expected)
    return text_of(
        "{counted_hexagons} and {counted_tables} as in data/",
        counted_hexagons=count_of(number, "hexagon") if folder.drawn else count_of(number, "place"),
        counted_tables=count_of(len(known["tables"]), "table"),
    )


def _without_words(data: dict[str, Any]) -> dict[str, Any]:
    """Of sentences the figures alone: a later version may say the same better."""
    privacy = data.get("privacy")
    rest = {name: one for name, one in data.items() if name != WORDS}
    if COMPARISONS in rest:
        rest[COMPARISONS] = _figures(rest[COMPARISONS])
    if not isinstance(privacy, dict) or "meaning" not in privacy:
        return rest
    return rest | {"privacy": privacy | {"meaning": _figures(privacy["meaning"])}}


def _figures(said: Any) -> list[str]:
    """Without the mark that a sentence ends with: another version may end it elsewhere."""
    return [one.rstrip(".,") for one in _FIGURE.findall(str(said))]


def _same_names(stated: dict[str, Any], known: dict[str, Any]) -> bool:
    """Whether places are called as in the tables, by a page that calls them by name at all."""
    words = stated.get(WORDS)
    if not isinstance(words, dict) or NAMES not in words:
        return True
    return same_json(words[NAMES], known.get(WORDS, {}).get(NAMES))


def _near_units(stated: Any, expected: Any) -> bool:
    """Whether nested outlines are those expected, but for one unit that systems may round otherwise."""
    if isinstance(expected, int):
        return type(stated) is int and abs(stated - expected) <= 1
    return (
        isinstance(stated, list)
        and len(stated) == len(expected)
        and all(_near_units(one, other) for one, other in zip(stated, expected, strict=True))
    )


def _check_record(folder: BundleFolder) -> str:
    """The record for portals is that of the documents, with sizes and sums of the files."""
    stated = json_object(CATALOGUE_RECORD, folder.read(CATALOGUE_RECORD))
    others = [one for one in resources_in(folder) if one["path"] != CATALOGUE_RECORD]
    published = published_of(folder)
    # at first a series was one of vehicles, whatever it is of
    older = dataclasses.replace(
        published, facts=dataclasses.replace(published.facts, subjects=VEHICLE.plural)
    )
    same = any(same_json(stated, one.record(others)) for one in (published, older))
    require(same, "{catalogue_record} does not match the documents")
    return text_of("{counted_files} with their sums", counted_files=count_of(len(others), "file"))


def portal_record(folder: BundleFolder) -> dict[str, Any]:
    """The record in its newest form, whatever form the bundle has. Raises Finding as the checks do."""
    published = published_of(folder)
    newest = dataclasses.replace(published, facts=dataclasses.replace(published.facts, second_portal=True))
    return newest.record([one for one in resources_in(folder) if one["path"] != CATALOGUE_RECORD])


def _check_report(folder: BundleFolder) -> str:
    """What the report tells search engines is what the documents say."""
    stated = find_json(REPORT, folder.read(REPORT), SCHEMA_ORG_ID, kind=LINKED_DATA)
    same = same_json(stated, published_of(folder).linked_data(resources_in(folder)))
    require(same, "{report} gives search engines other facts than the documents")
    return text_of("{report} gives search engines the facts of the documents", report=REPORT)
