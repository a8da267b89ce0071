"""What `ledger show` and `ledger export` say, and what they must not."""

from __future__ import annotations

import json
import re
from decimal import Decimal

import pytest

from core.accounting.ledger_events import Evaluated, Linked, Noticed, Published, Spent
from core.accounting.ledger_fold import fold
from core.accounting.ledger_report import MOST_MORE, export_json, summarise_populations
from core.accounting.ledger_state import EntryState
from core.accounting.privacy_loss import UNBOUNDED, PrivacyLoss
from core.accounting.zcdp import epsilon_of
from core.privacy import Relation, Unit
from tests.core.accounting.ledger_cases import DAY, NEXT, ZONE, charge_of, reserved_of, start_of

STATE = fold(
    [
        *start_of("a", "b", "idle", per_vehicle="2.50", per_vehicle_day="4"),
        Linked(populations=("b", "a")),
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


@pytest.mark.parametrize(
    ("cost", "more"),
    [("6.5", 0), ("3.25", 1), ("3.26", 0), ("2", 2), ("0.1", 64), ("0.05", MOST_MORE), ("0", MOST_MORE)],
)
def test_how_many_releases_like_it_are_left(cost: str, more: int) -> None:
    """Of 10, 3.5 are spent; the release that is asked for is the first of those counted."""
    (state,) = summarise_populations(
        fold([*start_of("a", per_vehicle="10"), reserved_of(1, charge_of({DAY: "3.5"}), population="a")])
    )
    assert state.more_such(charge_of({NEXT: cost})) == more


def test_gaussian_releases_left_are_counted_at_the_delta_of_the_limit() -> None:
    (state,) = summarise_populations(fold(start_of("a", per_vehicle="10", delta="1e-6")))
    charge = charge_of({NEXT: "0"}, rho={NEXT: "0.25"})
    more = state.more_such(charge)
    assert epsilon_of(Decimal(0), Decimal("0.25") * (more + 1), MILLIONTH) <= 10
    assert epsilon_of(Decimal(0), Decimal("0.25") * (more + 2), MILLIONTH) > 10
    assert more == 4


MILLIONTH = Decimal("1e-6")
ONE_OF_RHO = Decimal("8.348235")
"""What 1 of rho comes to at a delta of a millionth."""
GAUSSIAN = (
    *start_of("a", per_vehicle="10", per_vehicle_day="9", delta="1e-6"),
    reserved_of(1, charge_of({DAY: "0.5", NEXT: "0.25"}, rho={NEXT: "1"}), population="a"),
)


def test_rho_is_shown_as_what_it_comes_to_with_its_parts_beside() -> None:
    (found,) = summarise_populations(fold(GAUSSIAN))
    assert found.loss == PrivacyLoss(Decimal("0.75"), Decimal(1))
    assert (found.spent, found.spent_per_day) == (ONE_OF_RHO + Decimal("0.75"), ONE_OF_RHO + Decimal("0.25"))
    assert found.left == Decimal(10) - found.spent
    exported = export_json([found])
    told = exported["populations"][0]
    assert (told["spent_pure_per_vehicle"], told["spent_rho_per_vehicle"]) == ("0.75", "1")
    assert (told["shared_delta"], told["spent_per_vehicle"]) == ("0.000001", "9.098235")
    assert exported["entries"][0]["charge"]["rho"]["per_vehicle"] == "1"


def test_without_rho_an_export_has_no_word_of_it() -> None:
    exported = export_json(summarise_populations(STATE))
    assert "rho" not in json.dumps(exported)
    assert "shared_delta" not in exported["populations"][0]


def test_what_one_more_release_would_come_to() -> None:
    (found,) = summarise_populations(fold(GAUSSIAN))
    more = charge_of({DAY: "0"}, rho={DAY: "0.01"})
    assert found.epsilon_of(more, Unit.VEHICLE) == epsilon_of(Decimal(0), Decimal("0.01"), MILLIONTH)
    assert found.spent_with(more) == epsilon_of(Decimal("0.75"), Decimal("1.01"), MILLIONTH)
    assert not found.exceeds_limit(more)
    assert not found.exceeds_limit_per_day(more)
    assert found.exceeds_limit(charge_of({DAY: "0.901766"}))
    assert not found.exceeds_limit(charge_of({DAY: "0.901765"}))
    assert found.exceeds_limit_per_day(charge_of({NEXT: "0.401766"}))
    assert not found.exceeds_limit_per_day(charge_of({NEXT: "0.401765"}))


def test_the_budget_of_rho_without_a_delta_has_no_bound_and_says_so() -> None:
    (found,) = summarise_populations(fold([*GAUSSIAN, start_of("a")[2]]))
    assert found.lacks_delta()
    assert (found.spent, found.spent_per_day, found.left) == (UNBOUNDED, UNBOUNDED, 0)
    assert found.exceeds_limit(charge_of({DAY: "0.000001"}))
    told = export_json([found])["populations"][0]
    assert (told["spent_per_vehicle"], told["spent_per_vehicle_day"], told["left_per_vehicle"]) == (
        None,
        None,
        "0",
    )


def test_only_gaussian_noise_lacks_a_delta() -> None:
    (pure,) = summarise_populations(fold(start_of("a")))
    assert not pure.lacks_delta()
    assert not pure.lacks_delta(charge_of({DAY: "1"}))
    assert pure.lacks_delta(charge_of({DAY: "1"}, rho={DAY: "1"}))
    (allowed,) = summarise_populations(fold(start_of("a", delta="1e-6")))
    assert not allowed.lacks_delta(charge_of({DAY: "1"}, rho={DAY: "1"}))


def test_linked_populations_share_the_smallest_delta_and_keep_their_own() -> None:
    events = [*GAUSSIAN, *start_of("b", per_vehicle="12", delta="1e-9")[1:], Linked(populations=("a", "b"))]
    first, second = summarise_populations(fold(events))
    assert (first.delta, second.delta) == (MILLIONTH, Decimal("1e-9"))
    assert first.shared_delta == second.shared_delta == Decimal("1e-9")
    assert first.spent == second.spent == epsilon_of(Decimal("0.75"), Decimal(1), Decimal("1e-9"))
    assert not first.over_limit, "a is judged at its own delta, b at its own limit"
    assert first.exceeds_limit(charge_of({DAY: "1"}))


def test_a_notice_is_told_beside_its_bundle_and_gives_nothing_back() -> None:
    events = [
        *start_of("a"),
        reserved_of(1, charge_of({DAY: "2"}), population="a"),
        Spent(entry=1, draws="{}"),
        Published(entry=1, bundle="city-1.0.0", manifest_sha256="0" * 64),
    ]
    notice = Noticed(entry=1, bundle="city-1.0.0", notice="corrected", replaced_by="city-1.0.1", on=NEXT)
    (before,), (after,) = (summarise_populations(fold(told)) for told in (events, [*events, notice]))
    assert (before.spent, before.entries[0].notice_on("city-1.0.0")) == (2, None)
    assert after.spent == before.spent
    assert after.entries[0].notice_on("city-1.0.0") == notice
    assert "notices" not in export_json([before])["entries"][0]
    assert export_json([after])["entries"][0]["notices"][0]["replaced_by"] == "city-1.0.1"
