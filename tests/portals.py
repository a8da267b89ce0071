"""A bundle's record against the published shapes of DCAT-AP: `make portals SHAPES=FOLDER`.

The shapes belong to their publishers and are not ours to hand out: put those of a release of DCAT-AP (Turtle
or JSON-LD) into a folder of yours. Every file of shapes is taken at once.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from pyshacl import validate
from rdflib import Graph, Namespace

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


def main(arguments: list[str]) -> int:
    """Records of several bundles, and one that is spoilt; 1 where one is judged wrongly."""
    if len(arguments) != 1 or not Path(arguments[0]).is_dir():
        print("make portals SHAPES=FOLDER: a folder with the shapes of a release of DCAT-AP", file=sys.stderr)
        return 2
    shapes = shapes_in(Path(arguments[0]))
    targets = len(set(shapes.subjects(SHACL.targetClass)))
    if not targets:
        print(f"no shapes in {arguments[0]}", file=sys.stderr)
        return 2
    cases = {
        "one table": (make_release(), make_texts()),
        "two tables, Gaussian noise": (make_mixed_release(), make_texts()),
        "a licence and a contact of one's own": (
            make_release(),
            make_texts(licence="ours", contact="Room 12"),
        ),
    }
    failed = 0
    for name, (release, texts) in cases.items():
        with tempfile.TemporaryDirectory() as folder:
            record = (make_bundle(Path(folder), release, texts) / CATALOGUE_RECORD).read_bytes()
        found = complaints(record, shapes)
        spoilt = complaints(record.replace(b'"dct:title"', b'"dct:heading"', 1), shapes)
        failed += bool(found) or not spoilt
        print(f"{name}: {len(found)} complaints of {targets} shapes, {len(spoilt)} without its title")
        print("".join(f"  {one}\n" for one in found), end="")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
