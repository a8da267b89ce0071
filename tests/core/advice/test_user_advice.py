"""Constants and totals side by side: everything that is said follows from public counts."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from core.advice.enforced_choice import EnforcedChoice
from core.advice.user_advice import (
    TIMES,
    PublicPicture,
    UserAdvice,
    advise_user,
    public_picture,
    total_for_user_error,
    typed_hats,
)
from core.bounding.counts_file import CountedHat
from core.errors import InputError
from core.mechanisms.tokens import AUTO
from core.planning.constant_choice import ConstantChoice, gaussian_pays_from
from tests.bounding import OUTSIDE, constants_of
from tests.records import assert_tells

CONSTANTS = constants_of(hats_per_vehicle=4)
TOTAL, DELTA = Decimal(20), Decimal("1e-6")


def picture(vehicles: int = 30, fleet: int = 80) -> PublicPicture:
    return public_picture(CONSTANTS, typed_hats(CONSTANTS, vehicles=vehicles, records=3), fleet)


def advice(given: PublicPicture | None = None, **changes: Any) -> UserAdvice:
    asked: dict[str, Any] = {"noise": AUTO, "delta": DELTA, "tried": (1, 3, 9)} | changes
    return advise_user(given or picture(), CONSTANTS, asked.pop("total", TOTAL), **asked)


def test_rows_are_constants_and_columns_totals() -> None:
    found = advice()
    assert found.totals == tuple(TOTAL * times for times in TIMES)
    # those tried, the one of the spec, and as many as a vehicle is expected to visit
    assert [row[0].hats_per_vehicle for row in found.bounded] == [1, 3, 4, 7, 9]
    for row in found.bounded:
        errors = [one.error_kmh for one in row]
        assert errors == sorted(errors, reverse=True)
    for number, best in enumerate(found.best):
        assert best.error_kmh == min(row[number].error_kmh for row in found.bounded)
    assert [one.total for one in found.enforced] == list(found.totals)
    assert (found.choice.total, found.joint.total) == (TOTAL, TOTAL)


def test_it_says_what_it_recommends() -> None:
    found = advice()
    assert f"at most {found.choice.hats_per_vehicle} hexagon slots per vehicle" in found.on_constant
    better = min(found.joint.error_kmh, found.choice.error_kmh)
    assert f"{better:.3g}" in found.on_mechanism
    told = found.to_json()
    assert told["reason"].startswith(found.on_constant)
    assert (told["candidates"], told["listed"], told["gaussian_from"]) == (18, 18, found.gaussian_from)


@pytest.mark.parametrize(
    ("fleet", "total", "delta", "says"),
    [
        (31, "1", DELTA, "take Gaussian noise"),
        (80, "400", DELTA, "Laplace noise does"),
        (31, "1", Decimal(0), "Allow it with ledger set-limit --delta 1e-6"),
        (31, "0.0001", DELTA, "buys no Gaussian noise"),
    ],
)
def test_from_where_on_gaussian_noise_pays(fleet: int, total: str, delta: Decimal, says: str) -> None:
    found = advice(picture(fleet=fleet), total=Decimal(total), delta=delta)
    assert says in found.on_noise
    assert found.gaussian_from == (gaussian_pays_from(Decimal(total), delta) if delta else None)


def test_totals_that_buy_no_noise_are_left_out() -> None:
    found = advice(total=Decimal(1), noise="gauss")
    assert found.totals == (Decimal("0.5"), Decimal(1), Decimal(2), Decimal(4))
    assert found.choice.total == 1
    with pytest.raises(InputError) as caught:
        advice(total=Decimal("0.3"), noise="gauss")
    assert_tells(caught.value)


def test_candidates_that_are_not_listed_expect_nobody() -> None:
    first, *_ = typed_hats(CONSTANTS, vehicles=5, records=2)
    elsewhere = CountedHat(cell=OUTSIDE, minute=first.minute, vehicles=9, records=1)
    found = public_picture(CONSTANTS, (first, elsewhere), 12)
    assert found.everywhere.units.tolist() == [5] + [0] * 17
    assert (len(found.listed.candidates), found.listed.public.records.tolist()) == (1, [2])


@pytest.mark.parametrize("enforced", [False, True])
def test_an_error_asks_for_a_total(enforced: bool) -> None:
    found = total_for_user_error(
        picture(), CONSTANTS, 3.0, enforced=enforced, noise=AUTO, delta=DELTA, tried=(1, 3, 9)
    )
    assert isinstance(found, EnforcedChoice if enforced else ConstantChoice)
    assert found.error_kmh <= 3.0
    again = advice(total=found.total)
    assert (again.joint if enforced else again.choice).error_kmh == found.error_kmh


@pytest.mark.parametrize(
    ("vehicles", "records", "fleet", "where"),
    [
        (0, 3, 80, "query.public_counts"),
        (5, 0, 80, "query.public_counts"),
        (5, 3, 0, "query.parameters.fleet"),
        (5, 3, 4, "the public counts"),
    ],
)
def test_what_nobody_told_is_asked_for(vehicles: int, records: int, fleet: int, where: str) -> None:
    with pytest.raises(InputError) as caught:
        public_picture(CONSTANTS, typed_hats(CONSTANTS, vehicles=vehicles, records=records), fleet)
    assert_tells(caught.value)
    assert caught.value.where == where
