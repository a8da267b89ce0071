"""Explains the keys of `[release]`: title, publisher, licence, places, exact numbers, policy, registry."""

from __future__ import annotations

from functools import partial

from core.geodata.places_source import USUAL_WITHIN_M, PlacesSource
from core.privacy import Relation
from core.release_texts import (
    IN_ENGLISH,
    Handling,
    RegistryTexts,
    ReleaseTexts,
    require_languages,
    require_said,
    require_text,
)
from core.spec.schema import Key, Sub, Table
from core.spec.value_kinds import Date, FileName, Flag, Texts, Whole

PLACES_TABLE = Table(
    help="A layer whose names stand beside the hexagons, in the column `place`. It is public, and no number "
    "depends on it.",
    carrier=PlacesSource,
    entries=(
        Key(
            name="file",
            kind=FileName(),
            help="GeoJSON or GeoPackage of points, lines or areas that have names, relative to the spec.",
            required=True,
            example='"stops.geojson"',
        ),
        Key(
            name="name_field",
            help="The field of the layer with the names.",
            required=True,
            example='"name"',
        ),
        Key(
            name="table",
            help="The layer's name in a GeoPackage that has several.",
            default="",
            without="the only one there is",
            example='"stops"',
        ),
        Key(
            name="within_m",
            kind=Whole("metres, 1 to 100,000"),
            help="How far from a hexagon's middle a place may be to name it, where the middle lies in none.",
            default=USUAL_WITHIN_M,
        ),
    ),
)


def _said(table: str, name: str, help: str) -> Key:
    """A text that may be left out."""
    return Key(
        name=name,
        help=help,
        default="",
        without="not said",
        check=partial(require_said, f"{table}.{name}"),
    )


def _needed(name: str, label: str, help: str, example: str) -> Key:
    """A text without which there is no release."""
    check = partial(require_text, name)
    return Key(name=name, label=label, help=help, example=example, required=True, check=check, part="texts")


REGISTRY_TABLE = Table(
    help="What only people know of the entry that `catalogue --registry` writes for the public registry of "
    "deployments of differential privacy. The command asks for what is missing.",
    carrier=RegistryTexts,
    entries=(
        _said("registry", "region", "Where the data are from, and whose laws apply."),
        _said("registry", "description", "What the data are, in a sentence or two."),
        _said("registry", "domain", "What data sets are protected."),
        _said("registry", "actors", "Who takes part, and whom one must trust."),
        _said("registry", "data_source", "Where the records come from."),
        _said("registry", "access", "How people get the numbers."),
        _said("registry", "justification", "Why this unit, relation and epsilon."),
    ),
)

HANDLING_TABLE = Table(
    help="What the epsilon policy says of the raw records, for a privacy officer.",
    carrier=Handling,
    entries=(
        _said("handling", "who_sees_records", "Who sees raw records, and why."),
        _said("handling", "kept_until", "How long raw records stay, and what happens then."),
        Key(
            name="review_date",
            kind=Date(),
            help="When the policy is reviewed.",
            without="not said",
            example='"2027-01-31"',
        ),
        _said(
            "handling",
            "intruder_test",
            "How a tester tried to find a vehicle in the numbers, and with what result.",
        ),
    ),
)

RELEASE_TABLE = Table(
    help="What people read about the release. These texts do not change any number.",
    carrier=ReleaseTexts,
    entries=(
        _needed(
            "name",
            label="Na&me",
            help="First part of the bundle's folder: lower-case letters, digits and single hyphens.",
            example='"austin-bus-speed"',
        ),
        _needed(
            "version", label="Vers&ion", help="Second part of the folder: three numbers.", example='"1.0.0"'
        ),
        _needed(
            "title",
            label="&Title",
            help="One line that says what the data are.",
            example='"Bus speeds by hexagon and hour"',
        ),
        _needed("publisher", label="P&ublisher", help="Who publishes and answers for it.", example='"City"'),
        _needed(
            "contact", label="&Contact", help="Where readers can ask.", example='"opendata@city.example"'
        ),
        _needed(
            "licence",
            label="&Licence",
            help="The licence of the data: an SPDX name, or your own text.",
            example='"CC-BY-4.0"',
        ),
        Key(
            name="policy",
            kind=Flag(),
            help="The bundle contains the epsilon policy too: limits, horizon and what stays open, as a "
            "page.",
            label="Epsilon policy in the bundle",
            default=False,
            part="texts",
            example="true",
        ),
        Key(
            name="counts",
            kind=Flag(),
            help="Exact numbers of vehicles, visits, records and days stand beside each number, and are then "
            "published for good. Only in relation `values`, which calls them public.",
            label="Exact counts beside each number",
            default=False,
            part="texts",
            relation=Relation.VALUES,
            example="true",
        ),
        Key(
            name="languages",
            kind=Texts(),
            help="Languages of README, report and map page: `en`, and `hi` (Hindi) beside it. Where the "
            "window speaks Hindi, it writes both.",
            default=(IN_ENGLISH,),
            check=require_languages,
            part="texts",
            example='["en", "hi"]',
        ),
        Key(
            name="registry",
            kind=Sub(REGISTRY_TABLE),
            help="Texts for the registry of deployments.",
            without="`catalogue --registry` asks for it",
            part="texts",
        ),
        Key(
            name="handling",
            kind=Sub(HANDLING_TABLE),
            help="How raw records are handled, for the epsilon policy.",
            without="the policy says nothing of it",
            part="texts",
        ),
        Key(
            name="places",
            kind=Sub(PLACES_TABLE),
            help="Names of places beside the hexagons.",
            without="the hexagons have no names",
        ),
    ),
)
