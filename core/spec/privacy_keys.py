"""Explains the keys of `[privacy]` of a spec: population, unit, relation, public constants, subject."""

from __future__ import annotations

from core.privacy import Relation, Unit
from core.spec.key_checks import at_least_one, protects_presence, protects_vehicles
from core.spec.schema import THIRD_IDENTITY, Key, Table, When
from core.spec.value_kinds import EnumMember, Flag, Whole
from core.subject import VEHICLE

PRIVACY_TABLE = Table(
    help="Who is protected, and whose budget is charged.",
    entries=(
        Key(
            name="population",
            help="The ledger's name of the vehicles whose budget is charged.",
            label="Population",
            required=True,
            example='"Austin buses"',
        ),
        Key(
            name="relation",
            kind=EnumMember(Relation),
            help="What neighbouring data sets differ in.",
            label="Relation",
            required=True,
            constant="privacy.relation",
            example='"values"',
        ),
        Key(
            name="unit",
            kind=EnumMember(Unit),
            help="Whose records may differ; `vehicle-hat-day` only in relation `values`.",
            label="Unit",
            required=True,
            constant="privacy.unit",
            example='"vehicle"',
        ),
        Key(
            name="hats_per_vehicle",
            kind=Whole("at least 1"),
            help=(
                "A public constant: how many hexagon slots per vehicle (unit vehicle-day: per vehicle and "
                "day) count at most."
            ),
            required=True,
            check=at_least_one(
                "With no hexagon slot per vehicle, no record counts.",
                where="privacy.hats_per_vehicle",
                example=20,
            ),
            only=When(says="in relation `user`", holds=protects_presence),
            relation=Relation.USER,
            identity="privacy.hats_per_vehicle",
            example="20",
        ),
        Key(
            name="days_per_vehicle",
            kind=Whole("at least 1"),
            help="A public constant: how many days per vehicle count at most, where each counts once.",
            without="needed by `query1` and `query2` where the window has several dates",
            check=at_least_one(
                "With no day per vehicle, no record counts.", where="privacy.days_per_vehicle", example=2
            ),
            only=When(says="in relation `user` with unit `vehicle`", holds=protects_vehicles),
            relation=Relation.USER,
            identity="privacy.days_per_vehicle",
            example="5",
        ),
        Key(
            name="subject",
            help="What is protected, in words: letters, digits and spaces.",
            label="Called",
            default=VEHICLE.name,
            identity="privacy.subject",
            identity_until=THIRD_IDENTITY,
            example='"sensor"',
        ),
        Key(
            name="subject_plural",
            help="Its plural; names of columns have `_` for spaces.",
            label="several",
            without="the subject with an s",
            default=VEHICLE.plural,
            identity="privacy.subject_plural",
            identity_until=THIRD_IDENTITY,
            example='"sensors"',
        ),
        Key(
            name="confirmed",
            kind=Flag(),
            help="You confirm that the relation is right for these data; without it nothing is released.",
            label="I &confirm this for my data",
            default=False,
            always=True,
            example="true",
        ),
    ),
)
