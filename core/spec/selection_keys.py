"""Explains the keys of `[selection]`: the rule and its file, the threshold, fewest vehicles."""

from __future__ import annotations

from core.privacy import Relation
from core.selection.registry import all_rules, require_rule
from core.spec.defaults import DEFAULT_MINIMUM_VEHICLES, DEFAULT_THRESHOLD
from core.spec.key_checks import at_least_one, constants_of_presence, protects_presence, takes_file
from core.spec.schema import Key, Rule, Table, When
from core.spec.value_kinds import FileName, Text, Whole

SELECTION = Table(
    help="Which hexagon slots are published.",
    entries=(
        Key(
            name="rule",
            kind=Text(lambda: all_rules()),
            help="How hexagon slots are chosen.",
            label="&Selection",
            required=True,
            check=lambda key: require_rule(key).key,
            part="selection",
            constant="selection.rule",
            example='"hat"',
        ),
        Rule(
            says="In relation `user` a rule with a file, a threshold, and no `minimum_vehicles`.",
            check=constants_of_presence,
        ),
        Key(
            name="threshold",
            kind=Whole("at least 1"),
            help="Distinct vehicles a day, on average over the dates of the window, that a hexagon slot "
            "needs; in relation `user` the noisy number of vehicles (or of records) that publishes it.",
            label="Thresh&old",
            default=DEFAULT_THRESHOLD,
            check=at_least_one("The threshold must be at least 1.", where="selection.threshold", example=10),
            only=When(
                says="with a rule that takes no file, or in relation `user`",
                holds=lambda given: not takes_file(given) or protects_presence(given),
            ),
            part="selection",
            always=True,
            constant="selection.threshold",
        ),
        Key(
            name="file",
            kind=FileName(),
            help="GeoJSON of the boundary or list of hexagons, relative to this file; of other places their "
            "ids, one per line, or CSV of `place_id`, `period` (or `slot_start`) and groups.",
            label="&Cells from",
            required=True,
            only=When(says="with a rule that takes a file", holds=takes_file),
            field="cells_file",
            constant="selection.cells",
            identity_of="selection.listed",
            example='"ward.geojson"',
        ),
        Key(
            name="minimum_vehicles",
            kind=Whole("at least 1"),
            help="Hexagon slots with fewer vehicles over the window are suppressed.",
            label="&Minimum vehicles",
            default=DEFAULT_MINIMUM_VEHICLES,
            check=at_least_one(
                "At least one vehicle is needed for a mean.", where="selection.minimum_vehicles", example=2
            ),
            only=When(says="in relation `values`", holds=lambda given: not protects_presence(given)),
            relation=Relation.VALUES,
            always=True,
            constant="selection.minimum_vehicles",
        ),
    ),
)
