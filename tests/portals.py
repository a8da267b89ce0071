"""A bundle's records against the published shapes of portals: `make portals SHAPES=FOLDER`.

The shapes belong to their publishers and are not ours to hand out: put those of a release of DCAT-AP, of
mobilityDCAT-AP and of DCAT-AP HVD (Turtle or JSON-LD) into the folders `dcat-ap`, `mobilitydcat-ap` and
`hvd` of a folder of yours, as far as you have them. Every file of shapes in one of them is taken at once.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

from pyshacl import validate
from rdflib import Graph, Namespace

from core.published.mobility_record import mobility_record
from core.release_texts import SeriesTexts
from core.signed.bundle_names import CATALOGUE_RECORD
from tests.builders import make_bundle, make_mixed_release, make_release, make_texts

SHACL = Namespace("http://www.w3.org/ns/shacl#")
ADDRESS = "https://data.city.example/"
KINDS = {".ttl": "turtle", ".jsonld": "json-ld", ".rdf": "xml", ".nt": "nt"}


def shapes_in(folder: Path) -> Graph:
    """All shapes of a folder."""
    found = Graph()
    for path in sorted(folder.rglob("*")):
        if path.suffix in KINDS:
            found.parse(path, format=KINDS[path.suffix])
    return found


def complaints(record: bytes, shapes: Graph) -> list[str]:
    """What the shapes find wrong with a record."""
    data = Graph().parse(data=record, format="json-ld", publicID=ADDRESS + CATALOGUE_RECORD)
    _, found, _ = validate(data, shacl_graph=shapes, advanced=True)
    results = found.subjects(None, SHACL.ValidationResult)
    return [
        " ".join(str(found.value(one, name)) for name in (SHACL.resultPath, SHACL.value, SHACL.resultMessage))
        for one in results
    ]


def in_bundle(bundle: Path) -> bytes:
    """The record that lies in it."""
    return (bundle / CATALOGUE_RECORD).read_bytes()


def for_mobility(bundle: Path, *, high_value: bool) -> bytes:
    """What `catalogue --mobilitydcat` prints."""
    return json.dumps(mobility_record(bundle, url=ADDRESS, high_value=high_value)).encode()


PROFILES: dict[str, Callable[[Path], bytes]] = {
    "dcat-ap": in_bundle,
    "mobilitydcat-ap": partial(for_mobility, high_value=False),
    "hvd": partial(for_mobility, high_value=True),
}
"""Folder of shapes -> the record that they are for."""


def main(arguments: list[str]) -> int:
    """Records of several bundles, and one that is spoilt; 1 where one is judged wrongly."""
    folder = Path(arguments[0]) if len(arguments) == 1 and arguments[0] else None
    graphs = {name: shapes_in(folder / name) for name in PROFILES if folder and (folder / name).is_dir()}
    graphs = {name: shapes for name, shapes in graphs.items() if set(shapes.subjects(SHACL.targetClass))}
    if not graphs:
        print(f"make portals SHAPES=FOLDER: a folder with shapes in {', '.join(PROFILES)}", file=sys.stderr)
        return 2
    cases = {
        "one table": (make_release(), make_texts()),
        "two tables, Gaussian noise": (make_mixed_release(), make_texts()),
        "a licence and a contact of one's own": (
            make_release(),
            make_texts(licence="ours", contact="Room 12"),
        ),
        "one of a series": (
            make_release(),
            make_texts(
                series=SeriesTexts(name="austin-bus-speed", title="Bus speeds", every="month"), policy=True
            ),
        ),
    }
    failed = 0
    for name, (release, texts) in cases.items():
        with tempfile.TemporaryDirectory() as made:
            bundle = make_bundle(Path(made), release, texts)
            records = {profile: PROFILES[profile](bundle) for profile in graphs}
        for profile, record in records.items():
            shapes = graphs[profile]
            found = complaints(record, shapes)
            spoilt = complaints(record.replace(b'"dcat:accessURL"', b'"dcat:address"', 1), shapes)
            failed += bool(found) or not spoilt
            targets = len(set(shapes.subjects(SHACL.targetClass)))
            print(
                f"{profile}, {name}: {len(found)} complaints of {targets} shapes, {len(spoilt)} without an "
                "address"
            )
            print("".join(f"  {one}\n" for one in found), end="")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
