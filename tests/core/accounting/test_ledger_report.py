"""What `ledger show` and `ledger export` say, and what they must not."""

from __future__ import annotations

import dataclasses
import json
import re
from decimal import Decimal

from core.accounting.ledger_events import Evaluated, Linked, Published, Spent
from core.accounting.ledger_report import export_json, summarise_populations
from core.accounting.ledger_state import EntryState, fold
from core.privacy import Relation
from tests.core.accounting.ledger_cases import DAY, NEXT, ZONE, charge_of, reserved_of, start_of

STATE = fold(
    [
        *start_of("a", "b", "idle", per_vehicle="2.50", per_vehicle_day="4"),
        Linked(first="b", second="a"),
        Evaluated(population="b", on=NEXT),
        start_of("b", per_vehicle="3", per_vehicle_day="5")[2],
        reserved_of(1, charge_of({DAY: "1", NEXT: "0.5"}), population="a", new_vehicles=["9" * 32]),
        reserved_of(2, charge_of({DAY: "2"}), population="b", charged=("b", "a")),
        Spent(entry=1, draws='{"secret_draw": 12345}'),
        Published(entry=1, bundle="city-1.0.0", manifest_sha256="0" * 64),
    ]
)


def test_populations_show_limits_spent_left_and_entries() -> None:
    first, second, idle = summarise_populations(STATE)
    assert (first.name, first.relation, first.linked) == ("a", Relation.VALUES, ("b",))
    assert (first.spent, first.spent_per_day) == (Decimal("3.5"), Decimal(3))
    assert first.left == 0
    assert [(entry.number, entry.population, entry.state) for entry in first.entries] == [
        (1, "a", EntryState.PUBLISHED),
        (2, "b", EntryState.RESERVED),
    ]
    assert first.entries[0].bundles == ("city-1.0.0",)
    assert first.entries[0].epsilons == {"mean_speed": "0.50"}
    assert first.entries[0].zone == first.zone == ZONE
    assert (idle.relation, idle.zone, idle.spent, idle.entries) == (None, "", 0, ())
    assert [each.evaluated_on for each in (first, second, idle)] == [None, NEXT, None]


def test_linked_populations_show_their_sum_and_the_smallest_limits() -> None:
    first, second, idle = summarise_populations(STATE)
    for each in (first, second):
        assert (each.spent, each.spent_per_day, len(each.entries)) == (Decimal("3.5"), Decimal(3), 2)
        assert (each.per_vehicle, each.per_vehicle_day) == (Decimal("2.5"), Decimal(4))
        assert each.left == 0
        assert each.over_limit
    assert (second.own_per_vehicle, second.own_per_vehicle_day) == (Decimal(3), Decimal(5))
    assert not idle.over_limit


def test_a_population_without_a_limit_has_nothing_left() -> None:
    (found,) = summarise_populations(fold([*start_of("a")[:2], Evaluated(population="a", on=DAY)]))
    assert (found.per_vehicle, found.own_per_vehicle, found.left) == (None, None, 0)
    assert export_json([found])["populations"][0]["limit_per_vehicle"] is None


def test_an_export_is_plain_json_without_anything_private() -> None:
    exported = export_json(summarise_populations(STATE))
    text = json.dumps(exported)
    assert json.loads(text) == exported
    assert not re.search("[0-9a-f]{32}", text)
    assert "draw" not in text
    assert [entry["entry"] for entry in exported["entries"]] == [1, 2]
    assert exported["populations"][0]["limit_per_vehicle"] == "2.5"
    assert exported["populations"][1]["own_limit_per_vehicle"] == "3"
    assert exported["populations"][0]["zone"] == exported["entries"][0]["zone"] == ZONE
    assert exported["populations"][0]["entries"] == [1, 2]
    assert [each["evaluated_on"] for each in exported["populations"]] == [None, "2016-11-25", None]
    assert exported["entries"][0]["state"] == "published"
    assert exported["entries"][0]["charge"]["per_vehicle"] == "1.5"


def test_an_empty_ledger_exports_nothing() -> None:
    assert export_json(summarise_populations(fold([]))) == {"format": 1, "populations": [], "entries": []}


def test_what_a_day_would_cost_with_one_more_release() -> None:
    first, second, idle = summarise_populations(STATE)
    more = charge_of({DAY: "0.25", NEXT: "2"})
    assert first.spent_per_day_with(more) == Decimal("3.25")
    assert second.spent_per_day_with(more) == Decimal("3.25")
    assert idle.spent_per_day_with(more) == Decimal(2)
    several = dataclasses.replace(more, per_vehicle_day=Decimal("2.25"))
    assert idle.spent_per_day_with(several) == Decimal("2.25")
