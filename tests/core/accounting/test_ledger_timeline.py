"""What was spent, entry by entry and day by day."""

from __future__ import annotations

from decimal import Decimal

from core.accounting.ledger_fold import fold
from core.accounting.ledger_report import summarise_populations
from core.accounting.ledger_timeline import days_spent, timeline_of
from core.accounting.zcdp import epsilon_of
from tests.core.accounting.ledger_cases import DAY, NEXT, charge_of, reserved_of, start_of


def test_entries_stand_on_each_other_and_days_keep_apart() -> None:
    (population,) = summarise_populations(
        fold(
            [
                *start_of("a", per_vehicle="10", per_vehicle_day="2"),
                reserved_of(1, charge_of({DAY: "1", NEXT: "0.5"}), population="a"),
                reserved_of(2, charge_of({DAY: "1.25"}), population="a"),
            ]
        )
    )
    first, second = timeline_of(population)
    assert (first.before, first.alone, first.after) == (0, Decimal("1.5"), Decimal("1.5"))
    assert (second.before, second.alone, second.after) == (
        Decimal("1.5"),
        Decimal("1.25"),
        Decimal("2.75"),
    )
    assert second.after == population.spent
    assert [(day.date, day.epsilon, day.over) for day in days_spent(population)] == [
        (DAY, Decimal("2.25"), True),
        (NEXT, Decimal("0.5"), False),
    ]


def test_rho_of_several_entries_comes_to_less_than_their_sum() -> None:
    delta = Decimal("0.000001")
    half = charge_of({DAY: "0"}, rho={DAY: "0.01"})
    (population,) = summarise_populations(
        fold(
            [
                *start_of("a", per_vehicle="10", delta=str(delta)),
                reserved_of(1, half, population="a"),
                reserved_of(2, half, population="a"),
            ]
        )
    )
    first, second = timeline_of(population)
    assert second.after == epsilon_of(Decimal(0), Decimal("0.02"), delta)
    assert second.after - second.before < first.alone == second.alone
