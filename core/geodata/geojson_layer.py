"""A GeoJSON file (RFC 7946) read feature by feature: too large, not in degrees, an unknown system."""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NoReturn

from core.clean.projections import to_degrees
from core.errors import InputError
from core.geodata.features import (
    MOST_FEATURES,
    Features,
    may_name,
    require_field,
    too_many,
)
from core.geodata.layer_rows import LayerRows
from core.geodata.shapes import UNREADABLE, Shapes, from_geojson
from core.progress import Progress, part, silent
from core.read.geopackage_tables import MOST_FIELDS
from core.read.input_files import opened

MOST_FILE_BYTES = 512 << 20
"""Of a GeoJSON layer: a larger file is refused before it is read."""
MOST_LETTERS_OF_VALUE = 32 << 20
"""Letters of one feature of a GeoJSON layer, or of anything else beside the features."""
_BLOCK = 1 << 20
_BATCH = 250
_READ_MEMBERS = frozenset({"type", "crs", "geometry", "properties", "coordinates", "geometries"})
_GEOMETRIES = frozenset(
    {
        "Point",
        "MultiPoint",
        "LineString",
        "MultiLineString",
        "Polygon",
        "MultiPolygon",
        "GeometryCollection",
    }
)


def read_geojson_layer(path: Path, name_field: str = "", progress: Progress = silent) -> Features:
    """The features of the file.

    Raises InputError as `geojson_rows`, and where none lies on the Earth; and what `progress` raises.
    """
    rows = geojson_rows(path, (name_field,) if name_field else (), part(progress, 0.0, 0.6))
    features = rows.features(part(progress, 0.6, 1.0))
    if features.parts.unusable and not len(features.parts):
        raise InputError(
            "No feature of the layer lies on the Earth, in degrees.",
            where=str(path),
            mend="save it in EPSG:4326 (WGS84, degrees), longitude before latitude",
        )
    return features


def geojson_rows(path: Path, wanted: tuple[str, ...] = (), progress: Progress = silent) -> LayerRows:
    """The features as they stand in the file; wanted: fields.

    Raises InputError for a file that is too large, no GeoJSON, or in a reference system that there is no way
    from, and for a field that no feature has; and what `progress` raises.
    """
    document = _Document(path, wanted, progress)
    document.read()
    for field in wanted if document.cells else ():
        require_field(field, tuple(document.fields), str(path))
    system = _system(document.crs, path)
    return LayerRows(
        pieces=document.shapes,
        cells=tuple(document.cells),
        fields=tuple(document.fields),
        system=system,
        to_degrees=to_degrees(system, str(path)) if system else None,
    )


class _Document:
    """What has been read so far."""

    def __init__(self, path: Path, wanted: tuple[str, ...], progress: Progress) -> None:
        self._path = path
        self._wanted = wanted
        self._progress = progress
        self._waiting: list[tuple[str, Mapping[str, Any] | None]] = []
        self._type: object = None
        self._had_features = False
        self.cells: list[tuple[object, ...]] = []
        self.fields: dict[str, None] = {}
        self.shapes: list[Shapes] = []
        self.crs: object = None

    def read(self) -> None:
        """Read the whole file."""
        with opened(self._path) as stream:
            if self._path.stat().st_size > MOST_FILE_BYTES:
                raise InputError(
                    "The file is larger than {value} MiB.",
                    value=MOST_FILE_BYTES >> 20,
                    where=str(self._path),
                    mend="save it as a GeoPackage, or save only a part of it",
                )
            scanner = _Scanner(stream, self._path, self._progress)
            whole = self._read_members(scanner)
            scanner.end()
        self._take_in()
        if self._type == "FeatureCollection" and self._had_features:
            return
        known = isinstance(self._type, str) and self._type in {"Feature", *_GEOMETRIES}
        if self._had_features or not known:
            raise no_geojson(self._path)
        self._add(whole if self._type == "Feature" else {"geometry": whole, "properties": None}, "")
        self._take_in()

    def _read_members(self, scanner: _Scanner) -> dict[str, Any]:
        """The object's members but for the list of features, which is read one by one."""
        members: dict[str, Any] = {}
        for name in scanner.members():
            if name == "features":
                self._had_features = True
                for feature, text, share in scanner.items():
                    self._add(feature, text)
                    if len(self._waiting) >= _BATCH:
                        self._take_in()
                        self._progress(share, "Reading the layer")
            else:
                value = scanner.value()
                if name in _READ_MEMBERS:  # whatever else stands there is not retained
                    members[name] = value
        self._type, self.crs = members.get("type"), members.get("crs")
        return members

    def _add(self, feature: object, text: str) -> None:
        """text: of the feature, as the file has it."""
        if not isinstance(feature, dict) or "geometry" not in feature:
            raise no_geojson(self._path)
        if len(self.cells) >= MOST_FEATURES:
            raise too_many(str(self._path))
        geometry, properties = feature["geometry"], feature.get("properties")
        self._waiting.append((text, geometry if isinstance(geometry, dict) else None))
        members = properties if isinstance(properties, dict) else {}
        if len(self.fields) < MOST_FIELDS:
            self.fields |= dict.fromkeys(name for name, value in members.items() if may_name(value))
        self.cells.append(tuple(map(members.get, self._wanted)))

    def _take_in(self) -> None:
        """Most are read off the text itself; what that cannot be, perhaps for its measures, without these."""
        found = from_geojson([None if geometry is None else text for text, geometry in self._waiting])
        for number, (_, geometry) in enumerate(self._waiting):
            if found[number] is UNREADABLE and geometry is not None:
                (found[number],) = from_geojson([json.dumps(_plane_geometry(geometry))])
        self.shapes.append(found)
        self._waiting = []


def _plane(coordinates: Any) -> Any:
    """Coordinates without heights and measures, which some programs write for a part of the positions."""
    if not isinstance(coordinates, list):
        return coordinates
    if coordinates and not isinstance(coordinates[0], list):
        return coordinates[:2]
    return [_plane(inner) for inner in coordinates]


def _plane_geometry(geometry: Mapping[str, Any]) -> dict[str, Any]:
    members = {"type": geometry.get("type"), "coordinates": _plane(geometry.get("coordinates"))}
    inner = geometry.get("geometries")
    if not isinstance(inner, list):
        return members
    return {
        "type": members["type"],
        "geometries": [_plane_geometry(one) for one in inner if isinstance(one, dict)],
    }


class _Scanner:
    """JSON off a stream, value by value; no more of it in memory than one value and one block."""

    def __init__(self, stream: Any, path: Path, progress: Progress) -> None:
        self._stream = stream
        self._path = path
        self._progress = progress
        self._decode = codecs.getincrementaldecoder("utf-8-sig")().decode
        self._json = json.JSONDecoder(parse_constant=_no_json)
        self._text = ""
        self._from = self._at = 0
        """Where the last value began, and what is next."""
        self._ended = False

    def members(self) -> Iterator[str]:
        """Names of the members of the object that the file is; who is given one reads its value."""
        self._expect("{")
        if self._peek() == "}":
            self._at += 1
            return
        while True:
            name = self.value()
            if not isinstance(name, str):
                raise no_geojson(self._path)
            self._expect(":")
            yield name
            if self._next_but("}"):
                return

    def items(self) -> Iterator[tuple[Any, str, float]]:
        """Values of a list, each with its text and the share of the file that was read."""
        self._expect("[")
        if self._peek() == "]":
            self._at += 1
            return
        while True:
            value = self.value()
            yield value, self._text[self._from : self._at], self._stream.fraction
            if self._next_but("]"):
                return

    def _next_but(self, closing: str) -> bool:
        if self._peek() == closing:
            self._at += 1
            return True
        self._expect(",")
        return False

    def value(self) -> Any:
        """The value that is next."""
        self._peek()
        while True:
            try:
                value, end = self._json.raw_decode(self._text, self._at)
            except RecursionError:
                raise no_geojson(self._path) from None
            except ValueError:
                if self._ended or len(self._text) - self._at > MOST_LETTERS_OF_VALUE:
                    raise no_geojson(self._path) from None
            else:
                # a number may go on in the next block
                if end < len(self._text) or self._ended:
                    self._from, self._at = self._at, end
                    return value
            self._more()

    def end(self) -> None:
        """Raise InputError where anything follows."""
        if self._peek():
            raise no_geojson(self._path)

    def _expect(self, letter: str) -> None:
        if self._peek() != letter:
            raise no_geojson(self._path)
        self._at += 1

    def _peek(self) -> str:
        """The next letter that is no blank; empty at the end."""
        while True:
            while self._at < len(self._text):
                letter = self._text[self._at]
                if letter not in " \t\r\n":
                    return letter
                self._at += 1
            if self._ended:
                return ""
            self._more()

    def _more(self) -> None:
        """As much again as waits to be understood, so that a long value is tried few times."""
        self._text, self._at = self._text[self._at :], 0
        block = self._stream.read(max(_BLOCK, len(self._text)))
        self._ended = not block
        try:
            self._text += self._decode(block, self._ended)
        except UnicodeDecodeError:
            raise no_geojson(self._path) from None
        self._progress(self._stream.fraction, "Reading the layer")


def _no_json(_: str) -> NoReturn:
    """Python's reader takes NaN and Infinity; JSON has neither."""
    raise ValueError


def _system(crs: object, path: Path) -> str:
    """The reference system that the member `crs` of older GeoJSON names; empty for degrees."""
    if crs is None:
        return ""
    properties = crs.get("properties") if isinstance(crs, dict) else None
    name = properties.get("name") if isinstance(properties, dict) else None
    if not isinstance(name, str) or not name:
        raise InputError(
            "The file names its reference system in an unknown way.",
            where=f"{path}, crs",
            mend="save the layer in EPSG:4326 (WGS84, degrees)",
        )
    return name


def no_geojson(path: Path) -> InputError:
    """What to say of a file that is none."""
    return InputError(
        "This is not GeoJSON.", where=str(path), mend="save the layer again, as GeoJSON or GeoPackage"
    )
