"""core.verify.maps: whatever the files for maps and portals say otherwise than the data is found."""

from __future__ import annotations

import dataclasses
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h3
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core.bundle.release_result import Release
from core.geodata.zone_layer import read_zones
from core.geodata.zones_source import ZonesSource
from core.hats.places import ZONED, PlaceChoice
from core.quantity import SPEED
from core.release_texts import SeriesTexts
from core.signed.bundle_names import CATALOGUE_RECORD, DATAPACKAGE, MAP_PAGE, PRIVACY, REPORT
from core.signed.findings import Finding
from core.subject import Subject
from core.verify.folder import read_folder
from core.verify.maps import map_checks, resources_in
from core.verify.verify import verify_bundle
from tests.builders import (
    forge,
    make_bundle,
    make_city_query,
    make_mixed_release,
    make_query,
    make_release,
    make_row,
    make_texts,
    usual_bundle,
)
from tests.compared_city import compared_release
from tests.geojson import box, feature, polygon, write_geojson

FEATURES, PARQUET = "map/speed_by_hat.geojson", "map/speed_by_hat.parquet"
SENSORS = dataclasses.replace(SPEED, subject=Subject(name="sensor", plural="sensors"))
Edit = Callable[[bytes], bytes]


def replaced(old: str, new: str) -> Edit:
    def edit(content: bytes) -> bytes:
        assert old.encode() in content
        return content.replace(old.encode(), new.encode(), 1)

    return edit


def of_table(change: Callable[[pa.Table], pa.Table]) -> Edit:
    def edit(content: bytes) -> bytes:
        written = io.BytesIO()
        pq.write_table(change(pq.read_table(io.BytesIO(content))), written, compression="zstd")
        return written.getvalue()

    return edit


def with_column(name: str, change: Callable[[list[Any]], list[Any]]) -> Edit:
    def edit(table: pa.Table) -> pa.Table:
        place, column = table.schema.get_field_index(name), table.column(name)
        return table.set_column(place, name, pa.array(change(column.to_pylist()), column.type))

    return of_table(edit)


def moved(outlines: list[bytes]) -> list[bytes]:
    return [outlines[-1], *outlines[1:]]


def test_a_map_tells_how_many_hexagons_and_tables_it_shows(tmp_path: Path) -> None:
    (told,) = (check.detail for check in verify_bundle(usual_bundle(tmp_path)).checks if check.name == "map")
    assert told == "2 hexagons and 1 table as in data/"


def test_words_may_be_said_better_later_but_no_figure_in_them(tmp_path: Path) -> None:
    """Only sentences: `privacy.json` has what they say."""
    bundle = make_bundle(tmp_path, release=compared_release())
    page = (bundle / MAP_PAGE).read_bytes()
    checks = dict(map_checks())
    for old, new, passes in (
        (b"accepts one false alarm", b"puts up with one false alarm", True),
        (b"deliberate noise", b"noise", True),
        (b"at most 33.2 of", b"at most 3.2 of", False),
        (b"More than chance can explain", b"Chance does not explain it", True),
        (b"0.15 of 3", b"0.1 of 3", False),
        (b'"numbers":[-', b'"numbers":[', False),
    ):
        assert old in page
        (bundle / MAP_PAGE).write_bytes(page.replace(old, new))
        if passes:
            assert "as in data" in checks["map"](read_folder(bundle))
        else:
            with pytest.raises(Finding, match="other data"):
                checks["map"](read_folder(bundle))


LIES: dict[str, tuple[str, Edit, str]] = {
    "another value in a feature": (FEATURES, replaced("20.668", "20.669"), "geojson"),
    "a number as text": (FEATURES, replaced("20.668", '"20.668"'), "geojson"),
    "a value of a suppressed row": (FEATURES, replaced(":null", ":7.0"), "geojson"),
    "another outline": (FEATURES, replaced("72.8141873", "72.8151873"), "geojson"),
    "a ring turned round": (FEATURES, replaced('"Polygon"', '"MultiPolygon"'), "geojson"),
    "a further member": (
        FEATURES,
        replaced('{"type":"FeatureCollection"', '{"crs":{},"type":"FeatureCollection"'),
        "geojson",
    ),
    "a feature less": (FEATURES, lambda content: content[: content.rindex(b",\n{")] + b"\n]}\n", "geojson"),
    "features that are none": (FEATURES, lambda _: b"[]", "geojson"),
    "another value in Parquet": (
        PARQUET,
        with_column("speed_mean_kmh", lambda _: [20.669, 0.5, 31.0, None]),
        "geoparquet",
    ),
    "another text in Parquet": (
        PARQUET,
        with_column("status", lambda told: ["suppressed", *told[1:]]),
        "geoparquet",
    ),
    "another box in Parquet": (
        PARQUET,
        with_column("bbox", lambda boxes: [{**boxes[0], "xmax": boxes[0]["xmax"] + 0.1}, *boxes[1:]]),
        "geoparquet",
    ),
    "no boxes in Parquet": (PARQUET, of_table(lambda table: table.drop(["bbox"])), "geoparquet"),
    "a frequency for portals": (CATALOGUE_RECORD, replaced("frequency/NEVER", "frequency/DAILY"), "dcat"),
    "a form for portals that nobody knows": (
        PRIVACY,
        replaced("hexveil-portal-2", "hexveil-portal-9"),
        "dcat",
    ),
    "another outline in Parquet": (PARQUET, with_column("geometry", moved), "geoparquet"),
    "a row less in Parquet": (PARQUET, of_table(lambda table: table.slice(0, 3)), "geoparquet"),
    "a column less in Parquet": (PARQUET, of_table(lambda table: table.drop(["status"])), "geoparquet"),
    "no description of outlines": (
        PARQUET,
        of_table(lambda table: table.replace_schema_metadata({})),
        "geoparquet",
    ),
    "no Parquet": (PARQUET, lambda content: content[:-9], "geoparquet"),
    "another value on the map": (MAP_PAGE, replaced("20.668", "20.669"), "map"),
    "another epsilon on the map": (MAP_PAGE, replaced('"epsilon":"3.5"', '"epsilon":"0.5"'), "map"),
    "another outline on the map": (MAP_PAGE, replaced("7281419", "7281519"), "map"),
    "no data on the map": (MAP_PAGE, replaced('id="hexveil-data"', 'id="hexveil-nothing"'), "map"),
    "two blocks of data on the map": (
        MAP_PAGE,
        replaced("<script type=", '<p id="hexveil-data"></p><script type='),
        "map",
    ),
    "another licence for portals": (
        CATALOGUE_RECORD,
        replaced("licenses/by/4.0/", "licenses/by-nc/4.0/"),
        "dcat",
    ),
    "another sum for portals": (
        CATALOGUE_RECORD,
        replaced('"@type": "xsd:hexBinary",\n', '"@type": "xsd:hexBinary",\n "x": 1,\n'),
        "dcat",
    ),
    "another name for search engines": (
        REPORT,
        replaced('"name":"Bus speeds', '"name":"Car speeds'),
        "linked_data",
    ),
    "nothing for search engines": (REPORT, replaced("ld+json", "ld-json"), "linked_data"),
    "a form that nobody knows": (PRIVACY, replaced("hexveil-map-6", "hexveil-map-9"), "map_files"),
}


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return usual_bundle(tmp_path_factory.mktemp("honest"))


@pytest.mark.parametrize("lie", LIES)
def test_a_signed_lie_is_found(lie: str, tmp_path: Path) -> None:
    name, edit, check = LIES[lie]
    bundle = usual_bundle(tmp_path)
    forge(bundle, {name: edit((bundle / name).read_bytes())})
    found = verify_bundle(bundle)
    assert check in {one.name for one in found.checks if not one.passed}
    assert all("cannot be checked" not in one.detail for one in found.checks)
    assert all(one.detail.isprintable() for one in found.checks)


def test_a_series_is_one_of_whatever_is_protected(tmp_path: Path) -> None:
    """Bundles that call it one of vehicles hold as they did."""
    series = SeriesTexts(name="noise", title="Noise", every="month")
    bundle = make_bundle(
        tmp_path,
        make_release(quantity=SENSORS),
        make_texts(series=series),
    )
    record = (bundle / CATALOGUE_RECORD).read_bytes()
    assert b"of the same sensors: their epsilons add up" in record
    for subjects in ("sensors", "vehicles", "cars"):
        (bundle / CATALOGUE_RECORD).write_bytes(record.replace(b"same sensors", f"same {subjects}".encode()))
        if subjects == "cars":
            with pytest.raises(Finding, match="does not match"):
                dict(map_checks())["dcat"](read_folder(bundle))
        else:
            assert "with their sums" in dict(map_checks())["dcat"](read_folder(bundle))


def test_a_bundle_that_says_it_has_maps_has_all_of_them(tmp_path: Path) -> None:
    for number, name in enumerate((FEATURES, PARQUET, MAP_PAGE, CATALOGUE_RECORD)):
        bundle = make_bundle(tmp_path / str(number))
        (bundle / name).unlink()
        forge(bundle, {})
        assert "files" in {one.name for one in verify_bundle(bundle).checks if not one.passed}, name


def test_a_bundle_of_before_has_none_and_holds(honest: Path) -> None:
    golden = Path(__file__).resolve().parents[2] / "golden" / "v0.2" / "releases" / "one-query-1.0.0"
    names = {name for name, _ in map_checks()}
    assert names <= {one.name for one in verify_bundle(honest).checks}
    assert not names & {one.name for one in verify_bundle(golden).checks}
    assert read_folder(golden).map_paths == ()
    assert resources_in(read_folder(golden)) == json.loads((golden / DATAPACKAGE).read_bytes())["resources"]


AT_THE_DATE_LINE = make_release(
    queries=(
        make_query(
            rows=(make_row(h3.latlng_to_cell(-17.0, 179.999, 7), 9, mean=1, low=0, high=2, bias_bound=0),)
        ),
    )
)


@pytest.mark.parametrize("release", [make_mixed_release(), make_release(queries=(make_city_query(),))])
def test_several_tables_and_smoothed_numbers_hold(release: Release, tmp_path: Path) -> None:
    assert wrong_maps(make_bundle(tmp_path, release)) == []


def wrong_maps(bundle: Path) -> list[str]:
    named = {name for name, _ in map_checks()}
    return [one.detail for one in verify_bundle(bundle).checks if one.name in named and not one.passed]


def test_places_are_called_on_the_map_as_in_the_tables(tmp_path: Path) -> None:
    """It called wards by their numbers. Pages of before have no names; a name that is another's is found."""
    wards = [
        feature(polygon(box(72 + west, 21, 73 + west, 22)), {"no": str(west), "ward": name})
        for west, name in enumerate(("Athwa", "Udhna", "Udhna"))
    ]
    write_geojson(tmp_path / "wards.geojson", {"type": "FeatureCollection", "features": wards})
    source = ZonesSource(file="wards.geojson", id="no", name="ward", licence="CC0-1.0")
    rows = tuple(
        make_row(place, 9, mean=20_000, low=18_000, high=22_000, bias_bound=0) for place in ("0", "1", "2")
    )
    release = make_release(
        queries=(make_query(rows=rows),),
        place=PlaceChoice(place_kind=ZONED, zones_sha256="0" * 64),
        resolution=0,
        zones=read_zones(source, tmp_path),
    )
    bundle = make_bundle(tmp_path / "bundle", release)
    page = (bundle / MAP_PAGE).read_bytes()
    names = b'"names":{"0":"Athwa","1":"Udhna (1)","2":"Udhna (2)"}'
    assert names in page
    for stated, passes in ((names, True), (b'"called":{}', True), (b'"names":{"0":"Udhna"}', False)):
        (bundle / MAP_PAGE).write_bytes(page.replace(names, stated))
        if passes:
            assert dict(map_checks())["map"](read_folder(bundle)).startswith("3 places")
        else:
            with pytest.raises(Finding, match="other data"):
                dict(map_checks())["map"](read_folder(bundle))


def test_an_outline_at_the_antimeridian_holds(tmp_path: Path) -> None:
    assert wrong_maps(make_bundle(tmp_path, AT_THE_DATE_LINE)) == []
