"""Whatever reads a file that somebody gives us, as functions of bytes: fine, or a HexveilError alone."""

from __future__ import annotations

import contextlib
import datetime as dt
import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path

from core.accounting.ledger import Ledger, check, head_path
from core.accounting.ledger_events import read_event
from core.assist.column_guesses import guess_mapping
from core.assist.known_mappings import FileShape, recall, remember
from core.bounding.counts_file import read_counts
from core.clean.mapping import ReadingRules
from core.contributions.file_read import read_contributions
from core.draft.project_file import PROJECT_SUFFIX, read_project
from core.draft.recovery import left_behind
from core.errors import HexveilError, InputError
from core.evaluate.hat_csv import read_hat
from core.geodata.first_look import first_look
from core.geodata.layer_files import layers_in, read_features, read_layer
from core.geodata.place_index import place_index
from core.geodata.places import named_parts, names_of_cells
from core.geodata.route_lines import read_route_lines
from core.geodata.tile_pyramids import TilePyramid
from core.geodata.vector_tiles import draw_tile, names_in, tile_box
from core.geodata.zone_layer import read_zones
from core.geodata.zones_source import ZonesSource
from core.hats.day_kinds import read_dates, read_day_kinds
from core.hats.places import PlaceChoice
from core.keys.signing_key import load_key, trusted_comment
from core.keys.words import restore_key
from core.prior.public_source import read_public_counts
from core.privacy import Unit
from core.read.reader_registry import reader_for
from core.selection.cells import read_cells
from core.selection.geojson import read_polygons
from core.selection.place_ids import listed_places
from core.signed.key_notes import key_note_path, sound_note
from core.signed.minisign import parse_signature, read_public_key
from core.signed.notices import notice_path, signature_of
from core.spec import load_spec
from core.store.load_records import load_records
from core.verify.verify import Verification, verify_bundle
from resources.verifier.hexveil_verify import verify
from tests.bounding import constants_of
from tests.builders import NOW, make_bundle, make_key, resign
from tests.records import rules
from tests.share_bundles import shares_by_zone
from tests.specs import folder_of_files
from tests.strategies import CELLS
from tests.strategies import RESOLUTION as CITY_RESOLUTION

Target = Callable[[Path, bytes], object]
"""(an empty folder, what the file holds). Raises HexveilError."""
RESOLUTION = 7
_EVENT, _HEAD = b"event\n", b"head\n"
_SIGNED = b"signed "
WORDS = "correct horse battery"
"""The passphrase of encrypted tables."""
_WINDOW = constants_of(cells=CELLS).window
_BY_ROUTE = PlaceChoice(place_kind="column", place_column="route")
_NAMED_CELLS = ("8742d9d69ffffff", "870c00000ffffff")


def _of_file(name: str, read: Callable[[Path], object]) -> Target:
    def target(folder: Path, data: bytes) -> object:
        path = folder / name
        path.write_bytes(data)
        return read(path)

    return target


def _load(path: Path) -> object:
    """As the window opens records: a look, a guess, and all of it."""
    guess = guess_mapping(reader_for(path).preview(path), where=path.name)
    read_by = ReadingRules(
        mapping=guess.mapping, zone="Asia/Kolkata", upper_bound=65_000, format=guess.file_format
    )
    return load_records((path,), read_by)


def _spec(folder: Path, data: bytes) -> object:
    path = folder_of_files(folder) / "spec.toml"
    path.write_bytes(data)
    return load_spec(path)


def _keys(folder: Path, data: bytes) -> None:
    """A private key, a public one, a signature, the words of a backup."""
    path = folder / "key.pem"
    path.write_bytes(data)
    parse_signature(data)
    text = data.decode("utf-8", "replace")
    for read in (
        lambda: load_key(path, "correct horse"),
        lambda: read_public_key(str(path)),
        lambda: read_public_key(text),
        lambda: restore_key(folder / "restored", text, "correct horse"),
    ):
        with contextlib.suppress(HexveilError):
            read()


@cache
def _sound_bundle(folder: Path) -> Path:
    return make_bundle(folder)


@cache
def _sound_shares(folder: Path) -> Path:
    return shares_by_zone(folder)


def _bundle_of(sound: Callable[[Path], Path], name: str) -> Target:
    return lambda folder, data: _bundle(sound(folder.parent / name), folder, data)


def _bundle(sound: Path, folder: Path, data: bytes) -> object:
    """`name` of a file, line end, its new content; `signed name`: and all is signed again by the key."""
    first, _, content = data.partition(b"\n")
    asked = first.removeprefix(_SIGNED).decode("utf-8", "replace")
    bundle = folder / sound.name
    shutil.copytree(sound, bundle)
    names = sorted(path.relative_to(bundle).as_posix() for path in bundle.rglob("*") if path.is_file())
    (bundle / (asked if asked in names else names[len(asked) % len(names)])).write_bytes(content)
    if first.startswith(_SIGNED):
        resign(bundle, make_key())
    return _verified(bundle)


def _verified(bundle: Path) -> Verification:
    """By both verifiers."""
    for name, holds, told in verify(str(bundle)):
        if not holds and "cannot be checked" in told:
            raise AssertionError(f"hexveil_verify.py: {name}: {told}")
    return verify_bundle(bundle)


def _notes(folder: Path, data: bytes) -> None:
    """A notice on a bundle, and a note on its key, both signed by the key."""
    bundle, key = _sound_bundle(folder.parent / "sound"), make_key()
    for path, signature in (
        (notice_path(bundle, bundle.name), signature_of(notice_path(bundle, bundle.name))),
        (key_note_path(bundle.parent, key.public), signature_of(key_note_path(bundle.parent, key.public))),
    ):
        path.write_bytes(data)
        signature.write_bytes(key.sign(data, trusted_comment(bundle.name, NOW, file=path.name)))
    if _verified(bundle).notice is None and sound_note(bundle.parent, key.public) is None:
        raise InputError("Neither is sound.", where=bundle.name, mend="write one")


def _recovered(folder: Path, data: bytes) -> object:
    """Work that a window left behind, with its layers: found by the next start."""
    (folder / f"{'a' * 16}{PROJECT_SUFFIX}").write_bytes(data)
    found, unreadable = left_behind(folder)
    for one in found:
        one.discard()
        return one.project
    raise unreadable[0]


def _ledger(folder: Path, data: bytes) -> object:
    """`event` and three lines of one; `head` and that file; else the database."""
    path = folder / "ledger.sqlite"
    if data.startswith(_EVENT):
        kind, body, private = [*data.removeprefix(_EVENT).decode("utf-8", "replace").split("\n"), "", "", ""][
            :3
        ]
        return read_event(kind, body, private)
    if data.startswith(_HEAD):
        Ledger(path).mark_evaluated("Buses")
        head_path(path).write_bytes(data.removeprefix(_HEAD))
    else:
        path.write_bytes(data)
    check(path)
    return Ledger.open(path).export()


def _layers(path: Path) -> None:
    """As the window does: every layer is listed, read, drawn, named, searched, and shared with hexagons."""
    for table in layers_in(path):
        layer = read_layer(path, table.name)
        if isinstance(layer, TilePyramid):
            layer.picture(layer.least_zoom, 0, 0)
            layer.picture(layer.most_zoom, 1, 0)
            layer.database.close()
            continue
        named = read_features(path, table.name, next(iter(layer.fields), ""))
        for zoom in (0, 12):
            draw_tile(named.parts, zoom, (1 << zoom) // 2, (1 << zoom) // 2)
        names_in(named, tile_box(0, 0, 0), 3.0)
        place_index([named]).completions("a")
        names_of_cells(named, named_parts(named), _NAMED_CELLS, 5_000)
    first_look(path)


def _zones(path: Path) -> object:
    """Areas, or lines that become some; of a GeoJSON, a GeoPackage or a zipped Shapefile."""
    for buffer_m in (0, 25):
        with contextlib.suppress(InputError):
            source = ZonesSource(file=path.name, id="ward", licence="CC0-1.0", buffer_m=buffer_m)
            zones = read_zones(source, path.parent)
            return zones.locate(zones.middles[:, 0], zones.middles[:, 1])
    raise InputError("Neither is sound.", where=path.name, mend="write one")


def _mappings(path: Path) -> object:
    """Mappings of earlier loads: a file that is not understood counts as none."""
    shape = FileShape(kind="csv", columns=("a", "b"))
    return recall(path, shape), remember(path, shape, rules(), dt.date(2022, 1, 3)), recall(path, shape)


def _counts(path: Path) -> object:
    """Public counts of the city's hexagons: of a timetable, of a file."""
    return read_public_counts(path, CELLS, _WINDOW, CITY_RESOLUTION, Unit.VEHICLE)


def _places(path: Path) -> object:
    """Places that are no hexagons, as ids or with their slots."""
    return listed_places(path, "cells", _BY_ROUTE, window=_WINDOW)


PLAIN = {
    "nothing": b"",
    "zeros": bytes(1000),
    "no text": bytes(range(128, 256)) * 4,
    "deep lists": b"[" * 50_000,
    "deep objects": b'{"a":' * 20_000,
    "a large number": b"9" * 5_000,
    "an infinite number": b'[{"a": 1e999}]',
    "a long line": b"a," * 50_000,
    "half a letter": b'{"a": "\\ud800"}',
    "signs of a terminal": b"\x1b[2J\x07\n" * 10,
}
"""What every target is given besides its corpus."""

TARGETS: dict[str, Target] = {
    "csv": _of_file("records.csv", _load),
    "json": _of_file("records.json", _load),
    "jsonlines": _of_file("records.jsonl", _load),
    "parquet": _of_file("records.parquet", _load),
    "workbook": _of_file("records.xlsx", _load),
    "gtfs": _of_file("records.pb", _load),
    "siri": _of_file("records.xml", _load),
    "zip": _of_file("records.zip", _load),
    "tar": _of_file("records.tar", _load),
    "gzip": _of_file("records.csv.gz", _load),
    "spec": _spec,
    "geojson": _of_file("ward.geojson", read_polygons),
    "layer": _of_file("layer.geojson", _layers),
    "geopackage": _of_file("layer.gpkg", _layers),
    "points": _of_file("records.gpkg", _load),
    "mbtiles": _of_file("layer.mbtiles", _layers),
    "zones": _of_file("zones.layer", _zones),
    "places": _of_file("places.csv", _places),
    "timetable": _of_file("timetable.zip", _counts),
    "routes": _of_file("timetable.zip", lambda path: read_route_lines(path, ("r",))),
    "keys": _keys,
    "bundle": _bundle_of(_sound_bundle, "sound"),
    "shares": _bundle_of(_sound_shares, "shares"),
    "packed": _of_file("bundle.zip", _verified),
    "ledger": _ledger,
    "contributions": _of_file("table.parquet", read_contributions),
    "encrypted": _of_file("table.parquet", lambda path: read_contributions(path, passphrase=lambda _: WORDS)),
    "notes": _notes,
    "recovery": _recovered,
    "project": _of_file("work.hexveil", read_project),
    "mappings": _of_file("mappings.json", _mappings),
    "counts": _of_file("counts.csv", lambda path: read_counts(path, RESOLUTION)),
    "cells": _of_file("cells.txt", lambda path: read_cells(path, RESOLUTION)),
    "dates": _of_file("dates.txt", read_dates),
    "kinds": _of_file("kinds.csv", read_day_kinds),
    "hat": _of_file("hat.csv", lambda path: read_hat(path, 65_000)),
}


def run_target(name: str, folder: Path, data: bytes) -> bool:
    """Whether one input is read, not refused; whatever is raised but a HexveilError is a defect."""
    place = folder / "input"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    with contextlib.suppress(HexveilError):
        TARGETS[name](place, data)
        return True
    return False
